import Foundation

/// The number of seconds that a test waits for an event before it gives up. It is longer than a run of all tests takes
/// on a slow machine: a task of low priority, or one that comes late, may wait until all other tests are done.
public let testPatience = 1800.0

/// Waits until a condition holds; the thread sleeps in between.
///
///     #expect(waits(until: { told.withLock { $0.count } == 2 }))
///
/// - Returns: false when the condition did not hold within `testPatience`.
public func waits(until condition: () throws -> Bool) rethrows -> Bool {
  let start = ContinuousClock.now
  while try !condition() {
    if start.duration(to: .now) > .seconds(testPatience) { return false }
    Thread.sleep(forTimeInterval: 0.001)
  }
  return true
}

/// Waits until a condition holds, on the caller's actor; the task is suspended in between.
///
///     #expect(await eventually { await listener.told.count == 2 })
///
/// - Returns: false when the condition did not hold within `testPatience`, or the task was cancelled.
public func eventually(
  isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async rethrows -> Bool {
  let start = ContinuousClock.now
  while try await !condition() {
    if Task.isCancelled || start.duration(to: .now) > .seconds(testPatience) { return false }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return true
}
