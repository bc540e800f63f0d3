#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  import Combine
  import Dispatch
  import FiefRuntime

  /// The queue that a scheduler is. Realms belong to queues, so that no other scheduler can deliver their objects.
  enum SerialQueue {
    /// Returns the scheduler as a queue. Traps for another scheduler, and for a concurrent queue.
    static func of<S: Scheduler>(_ scheduler: S) -> DispatchQueue {
      guard let queue = scheduler as? DispatchQueue else {
        fatalError(
          "Objects of a realm cannot be delivered on a scheduler of type \(S.self): use a serial DispatchQueue, or "
            + "`freeze()` before another `receive(on:)`.")
      }
      if QueueKind.isConcurrent(queue) {
        fatalError(
          "Objects of a realm cannot be delivered on queue '\(queue.label)', which is concurrent: use a serial one, or "
            + "`freeze()` before another `receive(on:)`.")
      }
      return queue
    }
  }
#endif
