import FiefRuntime
import Foundation
import Synchronization

/// A thread as the executor of sessions: its number, and its run loop once it was found running.
///
///     opened ──▶ observed, or write queued ──▶ run loop found ──▶ work scheduled there ──▶ thread ended
///
/// Asking a thread for its run loop creates one, with system resources, so it is only done when necessary. On Linux and
/// on Apple's platforms a run loop only reveals whether it is running at the moment (`currentMode`), to code that it
/// calls. A run loop that is not running then may never run.
package final class ThreadExecutor: Sendable {
  /// Unique among all threads of the process.
  package let number: UInt64
  /// The name of the thread in messages.
  let name: String
  private let runLoop = Mutex<UncheckedBox<RunLoop>?>(nil)
  /// Whether `runLoop` is set, readable without a lock: every commit of another session asks.
  private let isFound = Atomic<Bool>(false)

  init(number: UInt64, name: String) {
    self.number = number
    self.name = name
  }

  /// Whether it is the running thread.
  package var isHere: Bool { number == ThreadLifetime.current.number }

  /// Whether its run loop was found running.
  var hasRunLoop: Bool { isFound.load(ordering: .acquiring) }

  /// Determines whether the run loop is running. Must be called on the thread.
  package func findRunLoop() -> Bool {
    assert(isHere, "A thread finds its own run loop.")
    if hasRunLoop { return true }
    #if os(WASI)
      return false
    #else
      let own = RunLoop.current
      guard own.currentMode != nil else { return false }
      let held = UncheckedBox(own)
      runLoop.withLock { $0 = held }
      isFound.store(true, ordering: .releasing)
      return true
    #endif
  }

  /// Schedules work on the run loop, to run soon.
  ///
  /// - Returns: false without a known run loop.
  func perform(_ work: @escaping @Sendable () -> Void) -> Bool {
    #if os(WASI)
      return false
    #else
      guard let loop = runLoop.withLock({ $0 })?.value else { return false }
      // A timer wakes a sleeping run loop, `RunLoop.perform` does not. Timers may be added on any thread.
      loop.add(Timer(fire: Date(), interval: 0, repeats: false) { _ in work() }, forMode: .common)
      return true
    #endif
  }

  /// Drops the run loop when the thread ends.
  package func end() {
    isFound.store(false, ordering: .releasing)
    let held = runLoop.withLock { held in
      defer { held = nil }
      return held
    }
    withExtendedLifetime(held) {}
    assert(!hasRunLoop, "A thread that has ended is given no work.")
  }
}
