import FiefRuntime
import Synchronization

/// The lifetime of one thread, from its first opening of a realm to its end.
///
/// Thread numbers of the system are reused: a new thread may get the number of one that has ended, while realms of the
/// latter are still referenced. Lifetimes have unique numbers instead. When a thread ends, its sessions belong to no
/// thread. A write that it left open is rolled back, and any further use of the sessions traps as a use on a wrong
/// thread.
package final class ThreadLifetime {
  /// Unique among all threads of the process.
  package var number: UInt64 { executor.number }
  /// The confinement of the thread's sessions.
  package let executor: ThreadExecutor
  /// Sessions of the thread, and what they do at its end; some may be gone.
  private var sessions: [(reference: WeakReference<AnyObject>, end: (AnyObject) -> Void)] = []
  /// The number of them at which those that are gone are dropped. It grows with those that are not, so that a session
  /// costs the same however many there are.
  private var limit = 16

  private init() {
    executor = ThreadExecutor(number: Self.last.add(1, ordering: .relaxed).newValue, name: Confinement.threadName)
  }

  // Runs at the end of the thread, when its thread-local slot is released.
  deinit {
    for (reference, end) in sessions { reference.object.map(end) }
    executor.end()
  }

  /// The lifetime of the running thread.
  static var current: ThreadLifetime {
    if let known = slot.value { return unsafe unsafeDowncast(known, to: ThreadLifetime.self) }
    let made = ThreadLifetime()
    slot.value = made
    return made
  }

  /// Registers a session of the thread, and what it does at the end of the thread.
  func adopt(_ session: AnyObject, _ end: @escaping (AnyObject) -> Void) {
    assert(executor.isHere, "A thread adopts its own sessions.")
    if sessions.count > limit {
      // Reading a reference may make this the last owner of a session, so it is released after `sessions` has been
      // changed.
      let held = sessions.map(\.reference.object)
      sessions = zip(sessions, held).filter { $1 != nil }.map(\.0)
      withExtendedLifetime(held) {}
      limit = max(16, 2 * sessions.count)
    }
    sessions.append((WeakReference(session), end))
  }

  private static let slot = ThreadLocal()
  private static let last = Atomic<UInt64>(0)
}
