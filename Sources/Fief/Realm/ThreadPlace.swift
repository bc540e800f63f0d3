import FiefRuntime
import Foundation
import Synchronization

/// A thread as a place of sessions: its number, and its run loop, once that was found running.
///
///     opened ──▶ observed, or asked to write later ──▶ run loop found ──▶ work is left there ──▶ thread ended
///
/// Asking a thread for its run loop makes one, with files of the system's, so a thread is not asked before it matters.
/// What can be known of a run loop, on Linux as on Apple's platforms, is whether it is running at the moment of the
/// question (`currentMode`): a callout of it asks. One that does not run then may never run.
final class ThreadPlace: Sendable {
  /// Never another thread's.
  let number: UInt64
  /// How it is called in messages.
  let name: String
  private let runLoop = Mutex<UncheckedBox<RunLoop>?>(nil)
  /// The same without a lock, as every commit of another place asks.
  private let isFound = Atomic<Bool>(false)

  init(number: UInt64, name: String) {
    self.number = number
    self.name = name
  }

  /// Whether it is the running thread.
  var isHere: Bool { number == ThreadLife.current.number }

  /// Whether its run loop was found running.
  var hasRunLoop: Bool { isFound.load(ordering: .acquiring) }

  /// Looks whether the run loop is running. To be called on the thread.
  func findRunLoop() -> Bool {
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

  /// Has work done on a turn of the run loop, soon.
  ///
  /// - Returns: false when there is none.
  func perform(_ work: @escaping @Sendable () -> Void) -> Bool {
    #if os(WASI)
      return false
    #else
      guard let loop = runLoop.withLock({ $0 })?.value else { return false }
      // A timer, as it wakes a run loop that sleeps; `RunLoop.perform` does not. Timers may be added from any thread.
      loop.add(Timer(fire: Date(), interval: 0, repeats: false) { _ in work() }, forMode: .common)
      return true
    #endif
  }

  /// Takes note that the thread has ended, and its run loop with it.
  func end() {
    isFound.store(false, ordering: .releasing)
    let held = runLoop.withLock { held in
      defer { held = nil }
      return held
    }
    withExtendedLifetime(held) {}
  }
}
