import Foundation

/// Lets one of two threads go on at a time, and changes over at chosen calls: a schedule that can be repeated.
///
///     calls    0 1 2 3 4 5 6 7 8 9
///     first    ● ● ●         ● ●           changes at [3, 7]
///     second         ● ● ● ●     ●         and when the first is done
///
/// All state is guarded by `condition`; that is why it is `@unchecked Sendable`.
final class Turnstile: @unchecked Sendable {
  private let condition = NSCondition()
  private let changes: Set<Int>
  private var current = 0
  private var isDone = [false, false]
  /// How many calls were made.
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
      // The call is counted before it is left, so that the next change is at another one.
      calls += 1
      waitForTurn(thread)
    } else {
      calls += 1
    }
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
