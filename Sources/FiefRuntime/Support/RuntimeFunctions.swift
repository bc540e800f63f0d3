import Foundation

/// Functions of the Swift runtime and of Dispatch that have no name in Swift; nil in programs that do not export them
/// to the dynamic linker, such as those that are linked statically.
///
/// Why the casts are right: the headers declare the functions so (`HeapObject.h` and `Concurrency.h` of the runtime,
/// `queue.h` of Dispatch), and all are part of the ABI that Apple's platforms keep stable.
@usableFromInline
package enum RuntimeFunctions {
  /// The signature of `swift_tryRetain`: it takes an object, and returns it retained, or null during its destruction.
  @usableFromInline
  package typealias TryRetain = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?

  /// Retains an object unless it is being destroyed.
  @usableFromInline
  package static let tryRetain: TryRetain? = {
    guard !RuntimeFeature.tryRetain.isSwitchedOff, let function = unsafe find("swift_tryRetain") else { return nil }
    let tryRetain = unsafe unsafeBitCast(function, to: TryRetain.self)
    return unsafe TryRetainProbe.works(tryRetain) ? tryRetain : nil
  }()

  /// Returns the first of the two words of the serial executor that runs the current job: a reference to the executor,
  /// or to the actor that is its own; 0 outside of actors. It reads a thread-local variable.
  static let currentExecutor: (@convention(c) () -> UInt)? = {
    if RuntimeFeature.currentExecutor.isSwitchedOff { return nil }
    return unsafe find("swift_task_getCurrentExecutor").map {
      unsafe unsafeBitCast($0, to: (@convention(c) () -> UInt).self)
    }
  }()

  /// Returns the address of the running queue's object.
  static let currentQueue: (@convention(c) () -> UInt)? =
    unsafe find("dispatch_get_current_queue").map { unsafe unsafeBitCast($0, to: (@convention(c) () -> UInt).self) }

  /// The signature of `dispatch_queue_get_specific`: it takes a queue and a key, and returns the value for the key on
  /// that queue alone.
  typealias QueueSpecific = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UnsafeMutableRawPointer?

  static let queueSpecific: QueueSpecific? =
    unsafe find("dispatch_queue_get_specific").map { unsafe unsafeBitCast($0, to: QueueSpecific.self) }

  /// Returns the address of a function by its name, as far as the dynamic linker knows it.
  static func find(_ name: String) -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
    #else
      let everywhere: UnsafeMutableRawPointer? = nil
    #endif
    #if canImport(WinSDK) || os(WASI)
      return nil
    #else
      return unsafe dlsym(everywhere, name)
    #endif
  }
}

/// Tries `swift_tryRetain` on a living object, which it must retain, and on one in `deinit`, which it must refuse.
@safe  // The function is called with objects that the probe holds.
private final class TryRetainProbe {
  let tryRetain: RuntimeFunctions.TryRetain
  let outcome: Outcome

  final class Outcome {
    var refusedInDeinit = false
  }

  init(_ tryRetain: RuntimeFunctions.TryRetain, _ outcome: Outcome) {
    unsafe self.tryRetain = tryRetain
    self.outcome = outcome
  }

  deinit { outcome.refusedInDeinit = unsafe tryRetain(Unmanaged.passUnretained(self).toOpaque()) == nil }

  static func works(_ tryRetain: RuntimeFunctions.TryRetain) -> Bool {
    let outcome = Outcome()
    let probe = unsafe Unmanaged.passRetained(TryRetainProbe(tryRetain, outcome))
    let retained = unsafe tryRetain(probe.toOpaque())
    if unsafe retained == probe.toOpaque() { unsafe probe.release() }
    unsafe probe.release()
    return unsafe retained == probe.toOpaque() && outcome.refusedInDeinit
  }
}
