import FiefRuntime
import Synchronization

/// One thread's life: from when it first opened a realm to its end.
///
/// Numbers of threads come back: a thread that begins may get the number of one that has ended, while realms of that
/// one are still held somewhere. Lives are numbered once and for all. When a thread ends, its sessions belong to no
/// thread any more: a write that it left open is rolled back, and any use of them is a use in the wrong place.
final class ThreadLife {
  /// Never another thread's.
  var number: UInt64 { place.number }
  /// What sessions of the thread are confined to.
  let place: ThreadPlace
  /// Sessions of the thread; some may be gone.
  private var sessions: [WeakReference<Session>] = []

  private init() {
    place = ThreadPlace(number: Self.last.add(1, ordering: .relaxed).newValue, name: Confinement.threadName)
  }

  // Runs when the thread lets go of what its slot holds: at its end.
  deinit {
    for session in sessions { session.object?.threadEnded() }
    place.end()
  }

  /// That of the running thread.
  static var current: ThreadLife {
    if let known = slot.value { return unsafeDowncast(known, to: ThreadLife.self) }
    let made = ThreadLife()
    slot.value = made
    return made
  }

  /// Takes note of a session that belongs to the thread.
  func adopt(_ session: Session) {
    if sessions.count > 16 {
      // What is looked at may be held by nobody else any more; it goes when nothing is being changed here.
      let held = sessions.map(\.object)
      sessions = zip(sessions, held).filter { $1 != nil }.map(\.0)
      withExtendedLifetime(held) {}
    }
    sessions.append(WeakReference(session))
  }

  private static let slot = ThreadLocal()
  private static let last = Atomic<UInt64>(0)
}
