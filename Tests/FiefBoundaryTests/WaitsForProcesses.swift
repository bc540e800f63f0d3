import Foundation
import Testing

/// Runs the tests of a suite on threads of their own, because they wait for other processes most of the time.
///
///     @Suite(.waitsForProcesses) struct PowerLossTests { … }
///
/// The threads of Swift's own executor are as many as the processors. Two tests that wait would hold all of them on a
/// machine with two processors, and the tests that compute would wait as well.
struct WaitsForProcesses: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await body() }
    try await withTaskExecutorPreference(WaitingExecutor.shared) { try await body() }
  }
}

extension Trait where Self == WaitsForProcesses {
  static var waitsForProcesses: WaitsForProcesses { WaitsForProcesses() }
}

/// An executor whose jobs may wait.
private final class WaitingExecutor: TaskExecutor {
  static let shared = WaitingExecutor()

  private let threads: OperationQueue

  private init() {
    threads = OperationQueue()
    // Enough for the processors to have work while some tests wait, and few enough for each to get on.
    threads.maxConcurrentOperationCount = 4
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
