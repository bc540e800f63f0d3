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
    guard let finder = unsafe ThreadLocalPlace.finder, let stack = Stack() else { return nil }
    var places: [ThreadLocalPlace] = []
    for module in ModuleVariables.modules where module.name.isEmpty || module.name.contains("swiftObservation") {
      for offset in stride(from: 0, through: module.size - 8, by: 8) {
        places.append(unsafe ThreadLocalPlace(module: module.number, offset: UInt(offset), finder))
      }
    }
    places.removeAll { $0.value != 0 }
    withObservationTracking {
      places.removeAll { stack.word(at: $0.value) == nil }
    } onChange: {
    }
    places.removeAll { !behavesAsTheWord($0, stack) }
    return places.count == 1 ? places[0] : nil
  }

  /// Tries a place in a scope, and in one nested in that.
  private static func behavesAsTheWord(_ place: ThreadLocalPlace, _ stack: Stack) -> Bool {
    let probe = Probe()
    /// The word, and the word at the address that it is.
    func look() -> (scope: UInt, accesses: UInt?) { (place.value, stack.word(at: place.value)) }
    var isRight = place.value == 0
    withObservationTracking {
      let first = look()
      probe.access()
      let accessed = look()
      probe.access()
      isRight = isRight && first.accesses == 0 && accessed.accesses ?? 0 != 0 && accessed.scope == first.scope
      isRight = isRight && look() == accessed
      withObservationTracking {
        let nested = look()
        probe.access()
        let nestedAccessed = look()
        isRight = isRight && nested.scope != first.scope && nested.accesses == 0
        isRight = isRight && nestedAccessed.scope == nested.scope && nestedAccessed.accesses ?? 0 != 0
        isRight = isRight && nestedAccessed.accesses != accessed.accesses
      } onChange: {
      }
      isRight = isRight && place.value == first.scope
    } onChange: {
    }
    return isRight && place.value == 0
  }

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
