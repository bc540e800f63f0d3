import Dispatch

/// A serial queue on which an actor runs, beside the threads that tasks share.
final class QueueExecutor: SerialExecutor {
  let queue: DispatchQueue

  init(_ label: String) { queue = DispatchQueue(label: label) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // The queue runs one block at a time, as a serial executor must.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// The actor retains its executor, as users of the result need.
  func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }
}
