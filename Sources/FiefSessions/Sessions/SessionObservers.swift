import FiefGraph
import FiefRuntime
import Synchronization

/// The observations of a session, and the order in which they are notified.
///
///     commit here        tracking scopes and realm blocks at once; all others when the session answers its signal
///     commit elsewhere   the session advances; tracking scopes, realm blocks, then all others in the order of
///                        registration
///
/// Blocks run on the session's executor, one after another, never nested. Observations may be removed on any thread;
/// everything else happens on the session's executor.
package final class SessionObservers {
  private let present = Mutex(Places())
  /// Wakes the session, which has a reason to wake while there are observations.
  private let signal: WakeUpSignal
  /// Whether blocks are being called. Changed only on the session's executor.
  @safe @exclusivity(unchecked) private(set) var isDelivering = false

  init(_ signal: WakeUpSignal) { self.signal = signal }

  /// Appends an observation, unless it has ended in the meantime.
  package func add(_ observation: any SessionObservation) {
    let held = UncheckedBox(observation)
    present.withLock { present in
      if present.isEmpty { signal.note(reason: true) }
      present.append(held.value)
    }
    // Another thread may have ended the observation and tried to remove it before it was added.
    if !observation.isLive { remove(observation) }
  }

  /// Removes an observation. The caller still retains it, so its contents are released outside the lock.
  package func remove(_ observation: any SessionObservation) {
    let held = UncheckedBox(observation)
    present.withLock { present in
      if present.remove(held.value), present.isEmpty { signal.note(reason: false) }
    }
  }

  private var all: [any SessionObservation] { present.withLock { UncheckedBox($0.all) }.value }

  /// Whether there are no observations.
  package var isEmpty: Bool { present.withLock { $0.isEmpty } }

  /// Ends all observations except those of realms.
  func endAll() {
    for observation in all where !(observation is CommitObservation) {
      observation.end()
      remove(observation)
      observation.ended()
    }
    assert(all.allSatisfy { $0 is CommitObservation }, "Observations of rows end with the rows.")
  }

  /// Whether an observation has not yet received the session's version.
  func areBehind(_ session: Session) -> Bool { all.contains { $0.isLive && $0.isBehind(session) } }

  /// Delivers changes to all observations that have not received them.
  package func deliver(_ session: Session) {
    if isDelivering { return }
    let all = all
    if all.isEmpty && session.tracked == nil { return }
    assert(!session.isFrozen, "The observers of a frozen session see no change.")
    isDelivering = true
    defer {
      isDelivering = false
      session.recompute()
    }
    let delivery = Delivery()
    session.tracked?.deliver(session, delivery)
    for case let observation as CommitObservation in all where observation.isBehind(session) {
      observation.deliver(session, delivery)
    }
    if session.isAheadOfItsVersion { return }
    for observation in all where observation.isLive && observation.isBehind(session) {
      // A block of the realm that is behind by now is called in the next round, before the others.
      if observation is CommitObservation { continue }
      observation.deliver(session, delivery)
      assert(isDelivering, "Blocks are never nested.")
      // The observed object or collection no longer exists.
      if !observation.isLive { remove(observation) }
    }
  }

  /// Notifies realm blocks that a newer version exists to which the session does not advance automatically.
  func deliverNewVersion(_ session: Session) {
    assert(!session.autorefresh && !isDelivering, "A session that advances by itself needs no notice.")
    for case let observation as CommitObservation in all { observation.call(.refreshRequired, session) }
  }

  /// Notifies realm blocks of the session's own commit, also of one inside a block.
  func deliverCommit(_ session: Session, except quiet: [any SessionObservation]) {
    assert(session.transaction == nil, "A commit is delivered after its write.")
    let wasDelivering = isDelivering
    isDelivering = true
    defer { isDelivering = wasDelivering }
    session.tracked?.deliver(session, Delivery())
    for case let observation as CommitObservation in all where !quiet.contains(where: { $0 === observation }) {
      observation.call(.didChange, session)
    }
  }
}

/// Observations in the order of registration. Each knows its place, so one is added or removed in constant time, on
/// average.
private struct Places {
  /// Holes are where observations were removed.
  private var places: [(any SessionObservation)?] = []
  private var count = 0

  var isEmpty: Bool { count == 0 }

  var all: [any SessionObservation] { places.compactMap { $0 } }

  mutating func append(_ observation: any SessionObservation) {
    assert(observation.progress.place == nil, "An observation is added once.")
    observation.progress.place = places.count
    places.append(observation)
    count += 1
  }

  /// Removes an observation.
  ///
  /// - Returns: whether it was among them.
  mutating func remove(_ observation: any SessionObservation) -> Bool {
    guard let place = observation.progress.place else { return false }
    observation.progress.place = nil
    assert(places[place] === observation, "An observation is at its place.")
    places[place] = nil
    count -= 1
    if places.count > 16 + 2 * count { closeHoles() }
    return true
  }

  private mutating func closeHoles() {
    assert(count < places.count, "There are holes to close.")
    places.removeAll { $0 == nil }
    for (place, observation) in places.enumerated() { observation?.progress.place = place }
    assert(places.count == count, "What is not a hole is an observation.")
  }
}

extension Session {
  /// Whether a write is in progress that is based on a version which is not published yet.
  ///
  /// Blocks that receive changes read the base then, and the changes lead to the version before. They are called after
  /// the write has ended, with all changes: its end raises the signal.
  fileprivate var isAheadOfItsVersion: Bool { transaction.map { $0.base.version != graph.version } ?? false }

  /// Answers the signal: advances if the session does so automatically, then notifies observers. Runs on the session's
  /// executor.
  func answerSignal() {
    assert(!isFrozen, "A frozen session is not woken.")
    // The signal is raised again when the write or the delivery ends.
    if transaction != nil || observers.isDelivering { return }
    if autorefresh {
      // After `invalidate()` no version is pinned. Blocks of realms are notified of commits nevertheless.
      if !isPinned && observers.isEmpty { return }
      advance()
      observers.deliver(self)
    } else if isPinned {
      if store.published.current.version != graph.version { observers.deliverNewVersion(self) }
      observers.deliver(self)
    }
  }

  /// Raises the signal when observers have not received the current version, or when the session could advance
  /// automatically. Called after a commit, a rollback and a delivery, because the signal is not answered during a write
  /// or a delivery.
  func recompute() {
    if mayAdvance || observers.areBehind(self) { signal.raise() }
  }

  /// Whether there is a version to which the session advances automatically.
  package var mayAdvance: Bool { autorefresh && isPinned && store.published.current.version != graph.version }

  /// Advances to the latest version and notifies observers before it returns.
  ///
  /// - Returns: whether the session sees another version, or saw none before. False in a write and in a notification
  ///   block.
  package func refresh() -> Bool {
    if isFrozen { return false }
    checkConfinement()
    if transaction != nil || observers.isDelivering { return false }
    let wasPinned = isPinned
    store.followNow()
    let isNew = advance()
    observers.deliver(self)
    assert(isPinned, "A session that refreshed sees a version.")
    return isNew || !wasPinned
  }
}
