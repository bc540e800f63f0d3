/// The serial executor of the actor whose code is running, asked without a trap.
///
/// The language itself only traps when an actor does not run (`preconditionIsolated`). The runtime keeps the answer for
/// each thread, so code that needs a plain yes or no asks there.
package enum CurrentExecutor {
  /// Whether the runtime can be asked in this program.
  package static let isAvailable =
    unsafe RuntimeFunctions.currentExecutor != nil
    && MemoryLayout<UnownedSerialExecutor>.size == MemoryLayout<(UInt, UInt)>.size

  /// A number that differs for each executor; 0 outside of actors, and where the runtime cannot be asked.
  package static var identity: UInt { isAvailable ? RuntimeFunctions.currentExecutor.map { $0() } ?? 0 : 0 }

  /// Whether the actor's code is running, as far as the runtime knows: code that an executor of an application runs
  /// without jobs (a block on its queue) is not known to be the actor's.
  package static func runs(_ actor: any Actor) -> Bool {
    let running = identity
    return unsafe running != 0 && running == identity(of: actor.unownedExecutor)
  }

  /// The function that returns the identity of the running executor; nil where the runtime cannot be asked.
  package static var function: (@convention(c) () -> UInt)? { isAvailable ? RuntimeFunctions.currentExecutor : nil }

  /// The identity of an actor that is its own executor: its address. Nil for other actors, whose executors may be
  /// deallocated with them, and where the runtime cannot be asked.
  package static func ownIdentity(of actor: any Actor) -> UInt? {
    guard isAvailable else { return nil }
    let identity = unsafe identity(of: actor.unownedExecutor)
    return identity == UInt(bitPattern: ObjectIdentifier(actor)) ? identity : nil
  }

  /// The first of the two words of an executor, by which the runtime too compares executors. The struct that has them
  /// is frozen.
  private static func identity(of executor: UnownedSerialExecutor) -> UInt {
    unsafe unsafeBitCast(executor, to: (UInt, UInt).self).0
  }
}
