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
    let runLoop = state.withLock { state in
      state.waiting.append(work)
      return state.runLoop
    }
    DispatchQueue.main.async { doOldest() }
    #if !os(WASI)
      // A timer wakes a sleeping run loop. Any thread may add one, and ask for the mode.
      if let runLoop = runLoop?.value, runLoop.currentMode != nil {
        runLoop.add(Timer(fire: Date(), interval: 0, repeats: false) { _ in doOldest() }, forMode: .common)
      }
    #endif
  }

  /// Does the oldest work, if any is left: each is announced up to twice.
  private static func doOldest() {
    let work: Work? = state.withLock { state in
      guard let oldest = state.waiting.first else { return nil }
      // A slice keeps in its memory what is taken from it, and work often refers to a realm, which must not stay open.
      state.waiting[state.waiting.startIndex] = nil
      state.waiting.removeFirst()
      return oldest
    }
    work?()
  }
}
