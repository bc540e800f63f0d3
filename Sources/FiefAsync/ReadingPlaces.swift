import Dispatch
import FiefRuntime
import Foundation
import Synchronization

/// The places where the closures of reads run: on the threads that tasks share while another one of these is free, and
/// on queues of their own otherwise.
///
/// The threads that tasks share are as many as the processors. One that runs a closure does nothing else until the
/// closure ends. If closures had all of them, a read would wait for the end of another one, and so would every task of
/// the application. A hop to a queue costs some microseconds, so only the reads beyond that number pay it.
final class ReadingPlaces: Sendable {
  static let shared = ReadingPlaces()

  private static let laneLimit = 64

  /// The number of closures that may run on the shared threads.
  private let sharedLimit = ProcessInfo.processInfo.activeProcessorCount - 1
  /// The number of closures that run there.
  private let sharedCount = Atomic<Int>(0)
  private let lanes = Mutex((idle: [ReadingLane](), count: 0))

  /// Runs a closure of a read in the caller's task.
  func run<Result: Sendable>(_ body: () throws -> Result) async throws -> Result {
    if sharedCount.add(1, ordering: .relaxed).newValue > sharedLimit, let lane = takeLane() {
      sharedCount.subtract(1, ordering: .relaxed)
      defer { lanes.withLock { $0.idle.append(lane) } }
      return try await withTaskExecutorPreference(lane) { try body() }
    }
    defer { sharedCount.subtract(1, ordering: .relaxed) }
    return try body()
  }

  /// Returns a lane that runs nothing; nil when all are in use.
  private func takeLane() -> ReadingLane? {
    lanes.withLock { lanes in
      if let lane = lanes.idle.popLast() { return lane }
      if lanes.count == Self.laneLimit { return nil }
      lanes.count += 1
      return ReadingLane()
    }
  }
}

/// A queue for one read at a time.
final class ReadingLane: TaskExecutor {
  private let queue = DispatchQueue(label: "fief.reading")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
