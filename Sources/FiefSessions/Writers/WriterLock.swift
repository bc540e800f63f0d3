import Dispatch
import Synchronization

/// A lock that admits one writer at a time, in order of arrival.
///
///     free ──enter──▶ running ──leave──▶ running, the next in line
///                                   └──▶ offered to the next in line, which is suspended ──start──▶ running
///                          │        └──▶ free
///                          └──leave(keepingTurnOf:)──▶ kept ──enter, the same party──▶ running
///                                                       └──its time ends──▶ as after leave
///
/// Two kinds of writers wait in one line. A *blocking* writer holds up its thread, so it runs as soon as it gets the
/// lock. A *sleeping* writer (a suspended task or a queued block) is woken and still has to be scheduled. Until it
/// calls `start` it only has an offer of the lock.
///
/// A sleeping writer cannot start while a blocking writer holds up its thread. So an offer can be revoked. A blocking
/// writer of the same party (a realm, and so its thread) takes it at once; otherwise the first blocking writer takes it
/// after `patience`. The sleeping writer keeps its position in line and is woken again.
///
/// Handing the lock from thread to thread takes longer than a small write. So a writer that writes again at once keeps
/// its turn for up to `turnLength`, if it asks for that: several writes then cost one handing over. The others wait
/// that much longer at most, still in order of arrival. A turn that is not used ends earlier.
///
/// The mutex protects the state. No thread waits and no callback runs while it is held.
package final class WriterLock: Sendable {
  /// A position in the line.
  package typealias Ticket = UInt64
  /// Called once: when the waiter gets the lock, an offer of it, or gives up its position.
  typealias Wake = @Sendable () -> Void

  /// The time after which a blocking writer takes an offer from a sleeping one.
  private static let patience = DispatchTimeInterval.milliseconds(50)

  /// The time for which a writer keeps its turn, at most.
  static let turnLength = DispatchTimeInterval.milliseconds(1)

  /// The time after which a kept turn counts as unused.
  private static let idleTime = DispatchTimeInterval.microseconds(100)

  /// The time between two looks at a kept turn.
  private static let lookInterval = DispatchTimeInterval.microseconds(200)

  /// Ends turns. Its blocks take no time.
  private static let timer = DispatchQueue(label: "fief.turns", qos: .userInitiated)

  private let state = Mutex(State())

  // MARK: Blocking

  /// Enters, and blocks the thread until it is this writer's turn.
  ///
  /// - Parameter party: identifies the writer. It takes offers of its own party at once.
  func enter(_ party: ObjectIdentifier? = nil) {
    let turn = DispatchSemaphore(value: 0)
    guard let ticket = state.withLock({ $0.enter(party) { turn.signal() } }) else { return }
    while turn.wait(timeout: .now() + Self.patience) == .timedOut {
      if state.withLock({ $0.acceptOffer(ticket) }) { return }
    }
  }

  /// Enters if the lock is free.
  func enterIfFree() -> Bool { state.withLock { $0.enterIfFree() } }

  /// Enters unless a writer runs. An offer is revoked, and a turn that is kept ends: so this is for a short time.
  func enterUnlessRunning() -> Bool { state.withLock { $0.enterUnlessRunning() } }

  /// Whether a writer with this ticket is in line.
  func waits(_ ticket: Ticket) -> Bool { state.withLock { $0.waiting[ticket] != nil } }

  /// Whether a writer holds the lock.
  package var isHeld: Bool { state.withLock { $0.holder == .running } }

  /// Since when the writer waits that holds the lock or has an offer of it; nil if it did not wait.
  var arrival: DispatchTime? { state.withLock(\.arrivalOfWriter) }

  /// The number of writers in line: for tests.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Leaves. On return the next in line holds the lock or has an offer of it.
  func leave() { state.withLock { $0.leave() }?() }

  /// Leaves. If others wait, the party may enter before them until its turn ends.
  ///
  /// - Parameter party: the writer that leaves, and enters again soon.
  func leave(keepingTurnOf party: ObjectIdentifier) {
    let (wake, turn) = state.withLock { $0.leave(keepingTurnOf: party, .now()) }
    wake?()
    if let turn { watch(turn) }
  }

  /// Ends a turn when it is over or not used.
  private func watch(_ turn: UInt64) {
    Self.timer.asyncAfter(deadline: .now() + Self.lookInterval) {
      let (wake, lasts) = self.state.withLock { $0.endTurn(turn, .now()) }
      wake?()
      if lasts { self.watch(turn) }
    }
  }

  // MARK: Sleeping

  /// Gets a position in line.
  package func queue(_ party: ObjectIdentifier) -> Ticket { state.withLock { $0.queue(party) } }

  /// Calls `wake` when the ticket gets an offer or becomes void; at once if it already has or is.
  func whenTurnComes(_ ticket: Ticket, _ wake: @escaping Wake) {
    if state.withLock({ $0.wakeLater(ticket, wake) }) { wake() }
  }

  /// Enters, if the ticket has an offer.
  ///
  /// - Returns: false without an offer. The ticket keeps its position, and `whenTurnComes` has to be called again.
  func start(_ ticket: Ticket) -> Bool { state.withLock { $0.start(ticket) } }

  /// Gives up the position in line. Does nothing after the ticket has entered.
  func leaveQueue(_ ticket: Ticket) {
    let (own, next) = state.withLock { $0.leaveQueue(ticket) }
    own?()
    next?()
  }

  /// Enters, and suspends the task until it is this writer's turn.
  ///
  /// - Parameter prepare: called with each offer. It calls what it receives, at once or later, and then the task goes
  ///   on. A task that is cancelled does not wait for that.
  /// - Throws: `CancellationError` when the task is cancelled before that.
  func enterSuspending(
    _ party: ObjectIdentifier, isolation: isolated (any Actor)? = #isolation,
    prepare: @escaping @Sendable (@escaping Wake) -> Void = { $0() }
  ) async throws {
    let ticket = queue(party)
    // `start` runs in the caller's isolation: a writer that holds the lock must not have to wait for its executor.
    repeat {
      let suspension = Suspension()
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          suspension.begin(continuation)
          whenTurnComes(ticket) {
            // Nothing is prepared for a task that was cancelled in line.
            if self.waits(ticket) { prepare { suspension.end() } } else { suspension.end() }
          }
        }
      } onCancel: {
        leaveQueue(ticket)
        suspension.end()
      }
      if Task.isCancelled {
        leaveQueue(ticket)
        throw CancellationError()
      }
    } while !start(ticket)
  }
}

extension WriterLock {
  /// A task's wait for its turn. It ends once: with the turn or with the cancellation, whichever comes first.
  private final class Suspension: Sendable {
    private let state = Mutex<(waiting: CheckedContinuation<Void, Never>?, isOver: Bool)>((nil, false))

    func begin(_ continuation: CheckedContinuation<Void, Never>) {
      let isOver = state.withLock { state in
        if !state.isOver { state.waiting = continuation }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }

    func end() {
      let waiting = state.withLock { state in
        defer { state = (nil, true) }
        return state.waiting
      }
      waiting?.resume()
    }
  }

  private enum Holder: Equatable {
    case nobody
    case running
    case offered(Ticket)
    case kept(ObjectIdentifier)
  }

  private struct Waiter {
    let party: ObjectIdentifier?
    let sleeps: Bool
    let arrival = DispatchTime.now()
    var wake: Wake?
  }

  /// The holder of the lock, and the line. `waiting` has the tickets from `first` to `next` that are still in line. A
  /// sleeping writer stays in line until it starts.
  private struct State {
    var holder = Holder.nobody
    /// Since when the holder waited; nil if it did not.
    var arrival: DispatchTime?
    var waiting: [Ticket: Waiter] = [:]
    /// Those in line that block their threads, in order of arrival. Programs have few threads, but queue writes without
    /// limit: looking for a blocking writer must not mean looking at all that sleep.
    var blocking: [Ticket] = []
    var first: Ticket = 0
    var next: Ticket = 0
    /// The number of times that the lock was handed over.
    var turn: UInt64 = 0
    /// The end of the turn; nil while it is not kept.
    var turnEnd: DispatchTime?
    /// When it was kept last.
    var keptAt = DispatchTime.now()

    var arrivalOfWriter: DispatchTime? {
      if case .offered(let ticket) = holder { waiting[ticket]?.arrival } else { arrival }
    }

    mutating func append(_ waiter: Waiter) -> Ticket {
      assert(waiting[next] == nil, "A ticket is given out once.")
      defer { next += 1 }
      waiting[next] = waiter
      if !waiter.sleeps { blocking.append(next) }
      return next
    }

    /// - Returns: nil when the blocking writer holds the lock.
    mutating func enter(_ party: ObjectIdentifier?, _ wake: @escaping Wake) -> Ticket? {
      switch holder {
      case .nobody: break
      case .offered(let ticket) where party != nil && waiting[ticket]?.party == party: break
      case .kept(let keeper) where keeper == party: break
      default: return append(Waiter(party: party, sleeps: false, wake: wake))
      }
      (holder, arrival) = (.running, nil)
      assertSound()
      return nil
    }

    mutating func enterIfFree() -> Bool {
      guard holder == .nobody else { return false }
      (holder, arrival) = (.running, nil)
      assertSound()
      return true
    }

    mutating func enterUnlessRunning() -> Bool {
      guard holder != .running else { return false }
      (holder, arrival) = (.running, nil)
      assertSound()
      return true
    }

    /// Gives the lock to a blocking writer, if it is offered to a sleeping one and no other blocking writer came
    /// earlier.
    mutating func acceptOffer(_ ticket: Ticket) -> Bool {
      guard case .offered = holder, waiting[ticket] != nil, firstBlocker() == ticket else { return false }
      assert(waiting[ticket].map { !$0.sleeps } ?? false, "Only a writer that blocks takes an offer from another.")
      _ = letIn(ticket)
      assertSound()
      return true
    }

    /// The blocking writer that came first.
    func firstBlocker() -> Ticket? { blocking.first }

    /// The blocking writer of a party that came first.
    func firstBlocker(of party: ObjectIdentifier?) -> Ticket? {
      guard let party else { return nil }
      return blocking.first { waiting[$0]?.party == party }
    }

    /// Ends the write of the holder.
    mutating func leave() -> Wake? {
      assert(holder == .running, "Only a writer that holds the lock leaves it.")
      return handOver()
    }

    /// Ends the write of the holder, and keeps the lock for its next one if its turn has not ended and others wait.
    ///
    /// - Returns: the waiter to wake, or the number of a turn that is kept for the first time.
    mutating func leave(keepingTurnOf party: ObjectIdentifier, _ now: DispatchTime) -> (Wake?, turn: UInt64?) {
      assert(holder == .running, "Only a writer that holds the lock leaves it.")
      let end = turnEnd ?? now + WriterLock.turnLength
      if waiting.isEmpty || now >= end { return (handOver(), nil) }
      holder = .kept(party)
      keptAt = now
      defer { turnEnd = end }
      return (nil, turnEnd == nil ? turn : nil)
    }

    /// Hands the lock over if it is kept in a turn that is over or not used.
    ///
    /// - Returns: the waiter to wake, and whether the turn lasts.
    mutating func endTurn(_ number: UInt64, _ now: DispatchTime) -> (Wake?, lasts: Bool) {
      guard turn == number, let turnEnd else { return (nil, false) }
      if case .kept = holder, now >= turnEnd || now >= keptAt + WriterLock.idleTime { return (handOver(), false) }
      // When the turn is over, a running writer hands the lock over as it leaves.
      return (nil, now < turnEnd)
    }

    /// - Returns: the waiter to wake.
    mutating func handOver() -> Wake? {
      defer { assertSound() }
      turn += 1
      turnEnd = nil
      while first < next && waiting[first] == nil { first += 1 }
      guard let head = waiting[first] else {
        holder = .nobody
        return nil
      }
      if !head.sleeps { return letIn(first) }
      // A blocking writer on the sleeping writer's thread goes first.
      if let ticket = firstBlocker(of: head.party) { return letIn(ticket) }
      holder = .offered(first)
      waiting[first]?.wake = nil
      return head.wake
    }

    private mutating func letIn(_ ticket: Ticket) -> Wake? {
      assert(waiting[ticket] != nil, "The lock is handed to a writer that waits.")
      let waiter = waiting.removeValue(forKey: ticket)
      if waiter?.sleeps == false { blocking.removeAll { $0 == ticket } }
      (holder, arrival) = (.running, waiter?.arrival)
      return waiter?.wake
    }

    mutating func queue(_ party: ObjectIdentifier) -> Ticket {
      let ticket = append(Waiter(party: party, sleeps: true))
      if holder == .nobody || holder == .kept(party) { holder = .offered(ticket) }
      assertSound()
      return ticket
    }

    /// - Returns: whether there is nothing to wait for.
    mutating func wakeLater(_ ticket: Ticket, _ wake: @escaping Wake) -> Bool {
      if waiting[ticket] == nil || holder == .offered(ticket) { return true }
      assert(waiting[ticket].map { $0.sleeps && $0.wake == nil } ?? false, "A sleeping writer waits for one call.")
      waiting[ticket]?.wake = wake
      return false
    }

    mutating func start(_ ticket: Ticket) -> Bool {
      guard holder == .offered(ticket) else { return false }
      assert(waiting[ticket].map { $0.sleeps } ?? false, "The lock is offered to a writer that sleeps.")
      _ = letIn(ticket)
      assertSound()
      return true
    }

    /// - Returns: the ticket's own wake function, and that of the waiter that gets its offer.
    mutating func leaveQueue(_ ticket: Ticket) -> (own: Wake?, next: Wake?) {
      guard let waiter = waiting.removeValue(forKey: ticket) else { return (nil, nil) }
      return (waiter.wake, holder == .offered(ticket) ? handOver() : nil)
    }

    /// Asserts the statements of the type. Looks at a few waiting writers only, so that it takes constant time.
    private func assertSound() {
      assert(first <= next, "Tickets are called in the order in which they were given out.")
      assert(blocking.count <= waiting.count, "A writer that blocks is in line.")
      switch holder {
      case .nobody: assert(waiting.isEmpty, "Nobody waits for a lock that nobody holds.")
      case .running: break
      case .kept: assert(turnEnd != nil, "A turn that is kept has an end.")
      case .offered(let ticket):
        assert(
          waiting[ticket].map { $0.sleeps && $0.wake == nil } ?? false, "An offer is made once, to a sleeping writer.")
      }
      assert(
        waiting.count > 16 || waiting.keys.allSatisfy { first <= $0 && $0 < next }, "A writer that waits has a ticket.")
    }
  }
}
