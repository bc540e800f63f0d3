import Foundation

/// How many seconds a test waits for what must happen before it gives up. It is long, since a machine that runs all
/// tests at once may let a task or a queue wait for minutes.
public let testPatience = 600.0

/// Waits until a condition holds, with the thread asleep in between.
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

/// Waits until a condition holds, where the caller runs, with the task suspended in between.
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
