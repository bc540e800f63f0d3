import Dispatch
import FiefRuntime
import Foundation
import Synchronization

/// Work for the main thread, the main queue and the main actor, done in the order in which it was scheduled.
///
///     schedule ──▶ waiting ─┬─ the main queue has a turn ───────┬─▶ the oldest work is done
///                           └─ the main run loop fires a timer ─┘
///
/// A run loop that runs inside a block of the main queue serves timers, but not that queue, which runs one block after
/// another. So work that is scheduled while the main run loop runs waits for both, and is done at the first.
enum MainWork {
  private typealias Work = @Sendable () -> Void

  private struct State {
    /// Work that was taken leaves nil behind.
    var waiting: ArraySlice<Work?> = []
    /// The run loop of the main thread; nil while no realm was opened on that thread. After `dispatchMain()` it never
    /// runs again.
    var runLoop: UncheckedBox<RunLoop>?
    /// Whether the run loop has a timer of this.
    var hasTimer = false
  }

  private static let state = Mutex(State())

  /// Finds the run loop. Called where a realm of the main actor is opened.
  static func prepare() {
    #if !os(WASI)
      guard Thread.isMainThread else { return }
      let own = UncheckedBox(RunLoop.current)
      state.withLock { $0.runLoop = own }
    #endif
  }

  /// Schedules work, to be done soon; never before this returns when it is called on the main thread.
  static func schedule(_ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.waiting.append(work) }
    DispatchQueue.main.async { takeOldest()?() }
    setTimer()
  }

  /// Sets a timer for the oldest work, if the main run loop runs, and has no other one. It would search all of them for
  /// each that fires.
  private static func setTimer() {
    #if !os(WASI)
      // A timer wakes a sleeping run loop. Any thread may add one, and ask for the mode.
      guard let runLoop = state.withLock({ $0.runLoop })?.value, runLoop.currentMode != nil else { return }
      let isNeeded = state.withLock { state in
        if state.hasTimer || state.waiting.isEmpty { return false }
        state.hasTimer = true
        return true
      }
      if !isNeeded { return }
      let timer = Timer(fire: Date(), interval: 0, repeats: false) { _ in
        state.withLock { $0.hasTimer = false }
        let work = takeOldest()
        // The work may run a run loop of its own, which serves what waits behind it.
        setTimer()
        work?()
      }
      runLoop.add(timer, forMode: .common)
    #endif
  }

  /// Takes the oldest work, if any is left: it is announced up to twice.
  private static func takeOldest() -> Work? {
    state.withLock { state in
      guard let oldest = state.waiting.first else { return nil }
      // A slice keeps in its memory what is taken from it, and work often refers to a realm, which must not stay open.
      state.waiting[state.waiting.startIndex] = nil
      state.waiting.removeFirst()
      return oldest
    }
  }
}
