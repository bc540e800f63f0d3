import FiefRuntime
import Synchronization

/// Tells a session that there is something to see: a version that another place committed, or changes that its
/// observers have not heard of.
///
/// Anybody may ring, from any thread; the session answers in its own place, once for all rings since it answered last.
/// Threads whose run loop was not found running do not hear it: they look for themselves, when they refresh or begin a
/// write.
///
/// Holding a bell does not keep its session alive.
final class Doorbell: Sendable {
  let place: Confinement
  private let seen = Atomic<UInt64>(.max)
  private let session: Mutex<WeakReference<Session>?>
  private let isRinging = Atomic<Bool>(false)

  init(_ place: Confinement) {
    self.place = place
    session = Mutex(nil)
  }

  /// Takes note of whose bell it is.
  func belong(to owner: Session) {
    let reference = WeakReference(owner)
    session.withLock { $0 = reference }
  }

  /// The version that its session sees while no write is under way; nil when it has looked at nothing.
  var seenVersion: UInt64? {
    let version = seen.load(ordering: .relaxed)
    return version == .max ? nil : version
  }

  /// Takes note of the version that its session sees.
  func note(_ version: UInt64?) { seen.store(version ?? .max, ordering: .relaxed) }

  /// Rings.
  func ring() {
    guard place.canSchedule, !isRinging.exchange(true, ordering: .acquiringAndReleasing) else { return }
    if !place.schedule({ [self] in answer() }) { isRinging.store(false, ordering: .releasing) }
  }

  private func answer() {
    // Before looking, so that what comes while it looks is heard of again.
    isRinging.store(false, ordering: .sequentiallyConsistent)
    session.withLock { $0 }?.object?.answerBell()
  }
}
