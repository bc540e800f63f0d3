/// The serial executor of the actor whose code is running, asked without a threat.
///
/// The language itself only traps when an actor does not run (`preconditionIsolated`). Code that looks for its own
/// place has to be told that as well, and the runtime keeps the answer for each thread.
enum RunningExecutor {
  /// Whether the runtime can be asked in this program.
  static var isKnown: Bool { RuntimeFunctions.currentExecutor != nil }

  /// What tells it from others; 0 when no actor runs, or it is not known.
  static var identity: UInt { RuntimeFunctions.currentExecutor.map { $0() } ?? 0 }

  /// Whether the actor's code is running, as far as the runtime knows: code that an executor of an application's own
  /// runs by other means than jobs (a block on its queue) is not known to be the actor's.
  static func runs(_ actor: any Actor) -> Bool {
    let running = identity
    // The runtime too compares executors by the first of their two words; the struct that has them is frozen.
    return running != 0 && running == unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self).0
  }
}
