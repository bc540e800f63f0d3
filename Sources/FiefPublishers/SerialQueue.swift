#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  import Combine
  import Dispatch

  /// The queue that a scheduler is. Realms belong to queues, so that no other scheduler can deliver their objects.
  enum SerialQueue {
    /// Returns the scheduler as a queue. Traps for another scheduler. A realm on a concurrent queue traps when it is
    /// opened there, at the first delivery.
    static func of<S: Scheduler>(_ scheduler: S) -> DispatchQueue {
      guard let queue = scheduler as? DispatchQueue else {
        fatalError(
          "Objects of a realm cannot be delivered on a scheduler of type \(S.self): use a serial DispatchQueue, or "
            + "`freeze()` before another `receive(on:)`.")
      }
      return queue
    }
  }
#endif
