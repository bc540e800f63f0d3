import Dispatch
import Synchronization

/// Lets one writer in at a time, in the order in which they came.
///
/// Some writers wait by blocking their thread, others by suspending their task or by leaving a block to be called; all stand
/// in one queue. Whoever leaves hands the lock straight to the next: it is never free in between, so nobody can
/// jump the queue.
///
///     free ──enter──▶ held ──leave──▶ held by the next, or free
///
/// The state is protected by the mutex; nobody waits inside it.
final class WriterLock: Sendable {
  /// Somebody who waits: called once, when the lock is theirs.
  typealias Turn = @Sendable () -> Void

  private struct State {
    var isHeld = false
    var nextTicket: UInt64 = 0
    var waiting: [(ticket: UInt64, turn: Turn)] = []
    /// Where the queue begins in `waiting`; what lies before was served.
    var first = 0
  }

  private let state = Mutex(State())

  /// Enters, blocking the thread until it is its turn.
  func enter() {
    let turn = DispatchSemaphore(value: 0)
    if queue({ turn.signal() }) == nil { return }
    turn.wait()
  }

  /// Enters if nobody is inside or waits.
  ///
  /// - Returns: whether the lock is the caller's.
  func enterIfFree() -> Bool {
    state.withLock { state in
      guard !state.isHeld else { return false }
      state.isHeld = true
      return true
    }
  }

  /// Enters at once, or has `turn` called when it is the caller's turn.
  ///
  /// - Returns: nil when the lock is the caller's already and `turn` will not be called; else a ticket for `leaveQueue(_:)`.
  func queue(_ turn: @escaping Turn) -> UInt64? {
    state.withLock { state in
      if !state.isHeld {
        state.isHeld = true
        return nil
      }
      let ticket = state.nextTicket
      state.nextTicket += 1
      state.waiting.append((ticket, turn))
      return ticket
    }
  }

  /// Gives up waiting.
  ///
  /// - Returns: false when the turn has come already: then the lock is the caller's, who must leave it.
  func leaveQueue(_ ticket: UInt64) -> Bool {
    state.withLock { state in
      guard let place = state.waiting[state.first...].firstIndex(where: { $0.ticket == ticket }) else { return false }
      state.waiting.remove(at: place)
      return true
    }
  }

  /// Enters, suspending the task until it is its turn.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before that.
  func enterSuspending(isolation: isolated (any Actor)? = #isolation) async throws {
    let ticket = Mutex<UInt64?>(nil)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Swift.Error>) in
        let once = Once(continuation)
        let place = queue { once.resume() }
        if let place {
          ticket.withLock { $0 = place }
          // A cancellation that came before the ticket was known found nothing to leave.
          if Task.isCancelled && leaveQueue(place) { once.cancel() }
          waiters.withLock { $0[place] = once }
          if Task.isCancelled { cancel(place) }
        } else {
          once.resume()
        }
      }
    } onCancel: {
      if let place = ticket.withLock({ $0 }) { cancel(place) }
    }
  }

  private func cancel(_ ticket: UInt64) {
    let waiter = waiters.withLock { $0.removeValue(forKey: ticket) }
    if let waiter, leaveQueue(ticket) { waiter.cancel() }
  }

  private let waiters = Mutex<[UInt64: Once]>([:])

  /// Leaves. The next in the queue, if there is one, is inside when this returns.
  func leave() {
    let next = state.withLock { state -> (ticket: UInt64, turn: Turn)? in
      guard state.first < state.waiting.count else {
        state.isHeld = false
        state.waiting.removeAll(keepingCapacity: state.waiting.count < 64)
        state.first = 0
        return nil
      }
      let next = state.waiting[state.first]
      state.waiting[state.first].turn = {}
      state.first += 1
      if state.first > 32 && state.first * 2 > state.waiting.count {
        state.waiting.removeFirst(state.first)
        state.first = 0
      }
      return next
    }
    guard let next else { return }
    _ = waiters.withLock { $0.removeValue(forKey: next.ticket) }
    next.turn()
  }

  /// A continuation that is resumed once, by whoever is first.
  private final class Once: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, any Swift.Error>?>

    init(_ continuation: CheckedContinuation<Void, any Swift.Error>) { self.continuation = Mutex(continuation) }

    func resume() { take()?.resume() }
    func cancel() { take()?.resume(throwing: CancellationError()) }

    private func take() -> CheckedContinuation<Void, any Swift.Error>? {
      continuation.withLock { continuation in
        defer { continuation = nil }
        return continuation
      }
    }
  }
}
