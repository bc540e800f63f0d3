import FiefGraph
import FiefRuntime
import Synchronization

/// Who wants to hear of changes that a session sees, and the order in which they hear of them.
///
///     commit here        realm blocks at once; all others when the session is next told to look
///     commit elsewhere   the session advances; realm blocks, then all others in the order of registration
///
/// Blocks run in the session's place, one after the other, never one inside another. Anybody may take an observation
/// out, from any thread; the rest is the session's own.
final class SessionObservers {
  private let present = Mutex<[Observation]>([])
  /// Whether blocks are being called. Changed in the session's place only.
  @exclusivity(unchecked) private(set) var isDelivering = false

  /// Puts an observation at the end, unless it was ended meanwhile.
  func add(_ observation: Observation) {
    let held = UncheckedBox(observation)
    present.withLock { $0.append(held.value) }
    // Who ends it takes it out afterwards, and may have done so before it was put in.
    if !observation.isLive { remove(observation) }
  }

  /// Takes an observation out. What it holds is let go of by the caller, outside the lock.
  func remove(_ observation: Observation) {
    let held = UncheckedBox(observation)
    present.withLock { $0.removeAll { $0 === held.value } }
  }

  private var all: [Observation] { present.withLock { UncheckedBox($0) }.value }

  /// Whether nobody wants to hear of anything.
  var isEmpty: Bool { present.withLock { $0.isEmpty } }

  /// Ends the observation of everything but realms.
  func endAll() {
    for observation in all where !(observation is RealmObservation) {
      observation.end()
      remove(observation)
    }
  }

  /// Whether somebody was told of an older version than the session sees, or of none.
  func areBehind(_ session: Session) -> Bool {
    all.contains { $0.isLive && !($0 is RealmObservation) && $0.isBehind(session) }
  }

  /// Tells everybody what is new to them.
  ///
  /// - Parameter hasAdvanced: whether the session has just moved to a version that another place committed.
  func tell(_ session: Session, hasAdvanced: Bool) {
    if isDelivering { return }
    let all = all
    if all.isEmpty { return }
    isDelivering = true
    defer {
      isDelivering = false
      session.lookAgain()
    }
    if hasAdvanced {
      for case let observation as RealmObservation in all { observation.call(.didChange, session) }
    }
    let differences = Differences()
    for observation in all where observation.isLive && observation.isBehind(session) {
      observation.tell(session, differences)
      // What it observed is gone.
      if !observation.isLive { remove(observation) }
    }
  }

  /// Tells realm blocks that a version is there that the session does not move to by itself.
  func tellOfNewVersion(_ session: Session) {
    for case let observation as RealmObservation in all { observation.call(.refreshRequired, session) }
  }

  /// Tells realm blocks of a commit of the session's own.
  func tellOfCommit(_ session: Session, except quiet: [Observation]) {
    for case let observation as RealmObservation in all where !quiet.contains(where: { $0 === observation }) {
      observation.call(.didChange, session)
    }
  }
}

extension Session {
  /// Looks for what is new, because it was told to. Runs in the session's place.
  func answerBell() {
    // When the write or the delivery ends, the bell rings again.
    if transaction != nil || observers.isDelivering { return }
    if autorefresh {
      // After `invalidate()` nothing is seen, and realm blocks want to hear of commits all the same.
      if !isPinned && observers.isEmpty { return }
      let wasPinned = isPinned
      let isNew = advance()
      observers.tell(self, hasAdvanced: isNew || !wasPinned)
    } else if isPinned {
      if store.published.current.version != graph.version { observers.tellOfNewVersion(self) }
      observers.tell(self, hasAdvanced: false)
    }
  }

  /// Rings the bell when somebody has not heard yet of what is seen, or the session could have moved on by itself:
  /// called where a write is rolled back and where a delivery ends, as bells are not answered meanwhile.
  func lookAgain() {
    if observers.areBehind(self) || autorefresh && isPinned && store.published.current.version != graph.version {
      bell.ring()
    }
  }

  /// Moves to the latest version and tells observers before it returns.
  func refresh() -> Bool {
    if isFrozen { return false }
    checkConfinement()
    if configuration.readOnly { fatalError("Cannot refresh: the realm was opened read-only and never changes.") }
    if transaction != nil || observers.isDelivering { return false }
    let wasPinned = isPinned
    let isNew = advance()
    observers.tell(self, hasAdvanced: isNew)
    return isNew || !wasPinned
  }
}
