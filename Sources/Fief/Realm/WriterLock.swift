import Dispatch
import Synchronization

/// Lets one writer in at a time, in the order in which they came.
///
///     free ──enter──▶ running ──leave──▶ running, the next in line
///                                   └──▶ offered to the next in line, who sleeps ──start──▶ running
///                                   └──▶ free
///
/// Two sorts of writers stand in one line. Those that *block* hold up their thread, so they run the moment the lock is
/// theirs. Those that *sleep* (suspended tasks, queued blocks) are woken and still have to get to their thread; until
/// they call `start` the lock is only offered to them.
///
/// A sleeper may be unable to start because its thread is held up by somebody who blocks here. So an offer can be taken
/// away: at once by a blocker of the sleeper's own party (its realm, which is on its thread), and by anybody after
/// `patience`. The sleeper keeps its place in the line and is woken again.
///
/// The state is protected by the mutex; nobody waits inside it, and nobody is called inside it.
final class WriterLock: Sendable {
  /// A place in the line.
  typealias Ticket = UInt64
  /// Called once, when the lock is the waiter's, or offered to it.
  typealias Wake = @Sendable () -> Void

  /// How long a blocker lets a sleeper sleep to whom the lock is offered.
  private static let patience = DispatchTimeInterval.milliseconds(50)

  private let state = Mutex(State())

  // MARK: Blocking

  /// Enters, blocking the thread until it is its turn.
  ///
  /// - Parameter party: who enters; sleepers of the same party let it go first.
  func enter(_ party: ObjectIdentifier? = nil) {
    let turn = DispatchSemaphore(value: 0)
    guard let ticket = state.withLock({ $0.enter(party) { turn.signal() } }) else { return }
    while turn.wait(timeout: .now() + Self.patience) == .timedOut {
      if state.withLock({ $0.takeOffer(ticket) }) { return }
    }
  }

  /// Whether a writer is inside.
  var isHeld: Bool { state.withLock { $0.holder == .running } }

  /// Leaves. The next in line is inside, or the lock is offered to it, when this returns.
  func leave() { state.withLock { $0.handOver() }?() }

  // MARK: Sleeping

  /// Stands in line.
  func queue(_ party: ObjectIdentifier) -> Ticket { state.withLock { $0.queue(party) } }

  /// Calls `wake` when the lock is offered, or the ticket is void; at once, when that is so already.
  func whenTurnComes(_ ticket: Ticket, _ wake: @escaping Wake) {
    if state.withLock({ $0.wakeLater(ticket, wake) }) { wake() }
  }

  /// Enters, when the lock is offered to the ticket.
  ///
  /// - Returns: false when it is not: the ticket keeps its place, and `whenTurnComes` is to be called again.
  func start(_ ticket: Ticket) -> Bool { state.withLock { $0.start(ticket) } }

  /// Gives the place in the line up. Does nothing when the ticket has entered.
  func leaveQueue(_ ticket: Ticket) {
    let (own, next) = state.withLock { $0.leaveQueue(ticket) }
    own?()
    next?()
  }

  /// Enters, suspending the task until it is its turn.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before that.
  func enterSuspending(_ party: ObjectIdentifier, isolation: isolated (any Actor)? = #isolation) async throws {
    let ticket = queue(party)
    // Starting happens in this function's own isolation: whoever has started must not have to wait for its thread any
    // more.
    repeat {
      await withTaskCancellationHandler {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          whenTurnComes(ticket) { continuation.resume() }
        }
      } onCancel: {
        leaveQueue(ticket)
      }
      if Task.isCancelled {
        leaveQueue(ticket)
        throw CancellationError()
      }
    } while !start(ticket)
  }
}

extension WriterLock {
  private enum Holder: Equatable {
    case nobody
    case running
    case offered(Ticket)
  }

  private struct Waiter {
    let party: ObjectIdentifier?
    let sleeps: Bool
    var wake: Wake?
  }

  /// Who is inside, and the line. `waiting` holds the tickets from `first` to `next` that are still in it; a sleeper is
  /// in it until it starts.
  private struct State {
    var holder = Holder.nobody
    var waiting: [Ticket: Waiter] = [:]
    var first: Ticket = 0
    var next: Ticket = 0

    mutating func append(_ waiter: Waiter) -> Ticket {
      defer { next += 1 }
      waiting[next] = waiter
      return next
    }

    /// - Returns: nil when the blocker is inside.
    mutating func enter(_ party: ObjectIdentifier?, _ wake: @escaping Wake) -> Ticket? {
      switch holder {
      case .nobody: break
      case .offered(let ticket) where party != nil && waiting[ticket]?.party == party: break
      default: return append(Waiter(party: party, sleeps: false, wake: wake))
      }
      holder = .running
      return nil
    }

    /// Lets the blocker with the ticket in, if the lock is offered to a sleeper and no other blocker came before.
    mutating func takeOffer(_ ticket: Ticket) -> Bool {
      guard case .offered = holder, waiting[ticket] != nil, firstBlocker() == ticket else { return false }
      waiting[ticket] = nil
      holder = .running
      return true
    }

    /// The blocker that came first.
    func firstBlocker() -> Ticket? { waiting.lazy.filter { !$0.value.sleeps }.map(\.key).min() }

    /// The blocker of a party that came first.
    func firstBlocker(of party: ObjectIdentifier?) -> Ticket? {
      guard let party else { return nil }
      return waiting.lazy.filter { !$0.value.sleeps && $0.value.party == party }.map(\.key).min()
    }

    /// - Returns: whom to wake.
    mutating func handOver() -> Wake? {
      while first < next && waiting[first] == nil { first += 1 }
      guard let head = waiting[first] else {
        holder = .nobody
        return nil
      }
      if !head.sleeps { return letIn(first) }
      // Whoever blocks the sleeper's thread goes before it.
      if let ticket = firstBlocker(of: head.party) { return letIn(ticket) }
      holder = .offered(first)
      waiting[first]?.wake = nil
      return head.wake
    }

    private mutating func letIn(_ ticket: Ticket) -> Wake? {
      holder = .running
      return waiting.removeValue(forKey: ticket)?.wake
    }

    mutating func queue(_ party: ObjectIdentifier) -> Ticket {
      let ticket = append(Waiter(party: party, sleeps: true))
      if holder == .nobody { holder = .offered(ticket) }
      return ticket
    }

    /// - Returns: whether there is nothing to wait for.
    mutating func wakeLater(_ ticket: Ticket, _ wake: @escaping Wake) -> Bool {
      if waiting[ticket] == nil || holder == .offered(ticket) { return true }
      waiting[ticket]?.wake = wake
      return false
    }

    mutating func start(_ ticket: Ticket) -> Bool {
      guard holder == .offered(ticket) else { return false }
      waiting[ticket] = nil
      holder = .running
      return true
    }

    /// - Returns: the ticket's own alarm, and whom to wake in its stead.
    mutating func leaveQueue(_ ticket: Ticket) -> (own: Wake?, next: Wake?) {
      guard let waiter = waiting.removeValue(forKey: ticket) else { return (nil, nil) }
      return (waiter.wake, holder == .offered(ticket) ? handOver() : nil)
    }
  }
}
