import Foundation
import Observation

/// Finds the word that refers to the running `withObservationTracking`.
///
/// The candidates are the thread-local words of the library, and of the program itself, which contains the library when
/// it is linked statically. The right one is 0 outside of scopes; in a scope it is an address on the thread's stack,
/// where a 0 becomes a reference to an object at the first access and stays it at the second one; a nested scope has
/// another address, and its end brings back that of the outer one. All of this must hold for one candidate alone.
///
/// The calling thread is asked. A candidate is a module and an offset, which every thread finds its own copy by, so
/// another thread could not answer otherwise.
enum TrackingScopeProbe {
  static func find() -> ThreadLocalPlace? {
    guard let finder = unsafe ThreadLocalPlace.finder else { return nil }
    var places: [ThreadLocalPlace] = []
    for module in ModuleVariables.modules where module.name.isEmpty || module.name.contains("swiftObservation") {
      for offset in stride(from: 0, through: module.size - 8, by: 8) {
        places.append(unsafe ThreadLocalPlace(module.number, UInt(offset), finder))
      }
    }
    let found = matching(places)
    return found.count == 1 ? found[0] : nil
  }

  /// The places that behave as the word does, on this thread.
  private static func matching(_ places: [ThreadLocalPlace]) -> [ThreadLocalPlace] {
    guard let stack = Stack() else { return [] }
    let probe = Probe()
    let candidates = places.filter { $0.value == 0 }
    /// The values of all candidates, and what lies at those that are addresses on the stack.
    func look() -> [(scope: UInt, accesses: UInt?)] {
      candidates.map {
        let value = $0.value
        return (value, stack.word(at: value))
      }
    }
    var (first, accessed, again, nested, nestedAccessed, back): (Look, Look, Look, Look, Look, Look)
    (first, accessed, again, nested, nestedAccessed, back) = ([], [], [], [], [], [])
    withObservationTracking {
      first = look()
      probe.access()
      accessed = look()
      probe.access()
      again = look()
      withObservationTracking {
        nested = look()
        probe.access()
        nestedAccessed = look()
      } onChange: {
      }
      back = look()
    } onChange: {
    }
    return candidates.indices.filter { index in
      let scope = first[index].scope
      let inner = nested[index].scope
      let accesses = accessed[index].accesses
      return scope != 0 && first[index].accesses == 0 && accesses != nil && accesses != 0
        && accessed[index].scope == scope && again[index] == (scope, accesses)
        && inner != 0 && inner != scope && nested[index].accesses == 0
        && nestedAccessed[index].scope == inner && nestedAccessed[index].accesses ?? 0 != 0
        && nestedAccessed[index].accesses != accesses && back[index].scope == scope
        && candidates[index].value == 0
    }.map { candidates[$0] }
  }

  private typealias Look = [(scope: UInt, accesses: UInt?)]

  /// Something that can be tracked.
  private final class Probe: Observable {
    private let registrar = ObservationRegistrar()
    var value: Int { 0 }
    func access() { registrar.access(self, keyPath: \.value) }
  }

  /// The memory of the running thread's stack.
  private struct Stack {
    private let range: Range<UInt>

    init?() {
      #if os(Linux)
        typealias Attributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32
        guard let function = unsafe RuntimeFunctions.find("pthread_getattr_np") else { return nil }
        var attributes = pthread_attr_t()
        var start: UnsafeMutableRawPointer?
        var size = 0
        guard unsafe unsafeBitCast(function, to: Attributes.self)(pthread_self(), &attributes) == 0 else { return nil }
        defer { unsafe pthread_attr_destroy(&attributes) }
        guard unsafe pthread_attr_getstack(&attributes, &start, &size) == 0, let start = unsafe start else {
          return nil
        }
        range = UInt(bitPattern: start)..<UInt(bitPattern: start) + UInt(size)
      #else
        return nil
      #endif
    }

    /// The word at an address; nil when the address is not that of a word on the stack.
    func word(at address: UInt) -> UInt? {
      guard range.contains(address), address % 8 == 0 else { return nil }
      return unsafe UnsafePointer<UInt>(bitPattern: address)?.pointee
    }
  }
}
