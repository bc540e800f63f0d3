import FiefRuntime
import Synchronization

/// Wakes a session when another session has committed a version, or when its observers have undelivered changes.
///
/// Any thread may raise it. The session answers on its own executor, once for all times that it was raised since the
/// last answer. A thread whose run loop was never found running is not woken: its session advances when it refreshes or
/// begins a write.
///
/// A session that does not advance by itself, and of which nothing is observed, has nothing to answer, and is not
/// woken.
///
/// The signal does not keep its session alive.
package final class WakeUpSignal: Sendable {
  package let confinement: Confinement
  private let changes: AttentionChanges
  private let pinned = Atomic<UInt64>(.max)
  private let owner = Mutex<Owner?>(nil)
  private let isRaised = Atomic<Bool>(false)
  /// The number of reasons to wake the session.
  private let reasons = Atomic<Int>(0)

  /// The session to which the signal belongs, and what it does as its answer.
  private struct Owner {
    let session: WeakReference<AnyObject>
    let answer: @Sendable (AnyObject) -> Void
  }

  /// - Parameter changes: counts when the first reason to wake the session begins, and when the last one ends.
  init(_ executor: Confinement, _ changes: AttentionChanges) {
    self.confinement = executor
    self.changes = changes
  }

  /// Sets the session to which the signal belongs, and what it does as its answer.
  func belong(to session: AnyObject, _ answer: @escaping @Sendable (AnyObject) -> Void) {
    let made = Owner(session: WeakReference(session), answer: answer)
    owner.withLock { owner in
      assert(owner == nil, "A signal belongs to one session.")
      owner = made
    }
  }

  /// The session, while it exists. Only the reference is shared here: the session is confined.
  var session: AnyObject? {
    // A last reference is released outside the lock.
    owner.withLock { UncheckedBox($0?.session.object) }.value
  }

  /// The version that the session sees outside a write; nil while no version is pinned.
  package var pinnedVersion: UInt64? {
    let version = pinned.load(ordering: .relaxed)
    return version == .max ? nil : version
  }

  /// Records the version that the session sees.
  func note(_ version: UInt64?) { pinned.store(version ?? .max, ordering: .relaxed) }

  /// Notes that there is a reason to wake the session, or that there no longer is one. Called once for each change of
  /// one.
  func note(reason exists: Bool) {
    let (_, count) = reasons.wrappingAdd(exists ? 1 : -1, ordering: .sequentiallyConsistent)
    assert(count >= 0, "Only a reason that there was ends.")
    if count == (exists ? 1 : 0) { changes.note() }
  }

  /// Whether there is a reason to wake the session.
  var isAttentive: Bool { reasons.load(ordering: .sequentiallyConsistent) > 0 }

  /// Schedules an answer on the session's executor, unless one is already scheduled or there is no reason to.
  package func raise() {
    guard isAttentive, confinement.canSchedule else { return }
    assert(confinement.identity != nil, "A frozen session has no reason to be woken.")
    guard !isRaised.exchange(true, ordering: .acquiringAndReleasing) else { return }
    if !confinement.schedule({ [self] in answer() }) { isRaised.store(false, ordering: .releasing) }
  }

  private func answer() {
    // Reset before answering, so that a signal during the answer schedules another one.
    isRaised.store(false, ordering: .sequentiallyConsistent)
    assert(confinement.isOfActorOrQueue || confinement.isHere(), "A signal is answered on its executor.")
    guard let owner = owner.withLock({ $0 }), let session = owner.session.object else { return }
    owner.answer(session)
  }
}

/// Counts how often a session of a store became attentive or ceased to be. A store that finds the count unchanged
/// raises the same signals as before, without looking at the others.
final class AttentionChanges: Sendable {
  private let changes = Atomic<UInt64>(0)

  /// How many changes there were.
  var count: UInt64 { changes.load(ordering: .sequentiallyConsistent) }

  /// Notes a change, after it.
  func note() { changes.add(1, ordering: .sequentiallyConsistent) }
}
