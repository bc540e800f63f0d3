import Foundation

/// Lets one of two threads run at a time, and switches at chosen calls: a schedule that can be repeated.
///
///     calls    0 1 2 3 4 5 6 7 8 9
///     first    ● ● ●         ● ●           changes at [3, 7]
///     second         ● ● ● ●     ●         and when the first is done
///
/// `condition` guards all state, so `@unchecked Sendable` is correct.
final class Turnstile: @unchecked Sendable {
  private let condition = NSCondition()
  private let changes: Set<Int>
  private var current = 0
  private var isDone = [false, false]
  /// The number of calls.
  private(set) var calls = 0

  init(changes: Set<Int>) { self.changes = changes }

  /// Waits for the turn of `thread`, and makes a call.
  func pass(_ thread: Int) {
    condition.lock()
    defer { condition.unlock() }
    waitForTurn(thread)
    if changes.contains(calls), !isDone[1 - thread] {
      current = 1 - thread
      condition.broadcast()
      // The call is counted before the switch, so that the next switch is at another call.
      calls += 1
      waitForTurn(thread)
    } else {
      calls += 1
    }
  }

  /// Lets the other thread run, because `thread` waits for it. It is no call.
  func pause(_ thread: Int) {
    condition.lock()
    defer { condition.unlock() }
    waitForTurn(thread)
    guard !isDone[1 - thread] else { return }
    current = 1 - thread
    condition.broadcast()
    waitForTurn(thread)
  }

  private func waitForTurn(_ thread: Int) { while current != thread { condition.wait() } }

  /// Ends a thread.
  func finish(_ thread: Int) {
    condition.lock()
    defer { condition.unlock() }
    isDone[thread] = true
    current = 1 - thread
    condition.broadcast()
  }
}
