import FiefDurability
import FiefTestSupport
import Foundation

/// A disk that reports a lost write once, to the first synchronization of the file. One commit waits, and another is
/// undone meanwhile.
///
///     first    append ── synchronize ─────────────────────────── returns
///     second              append: no space ── cut off ── synchronize
///
/// The first commit is lost, so it must not be acknowledged, whichever call got the report.
enum ReportedOnce {
  /// Counts calls of one kind. `lock` guards the count.
  private final class Gate: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    /// Called with the number of each call since it was set, from 0.
    var action: (@Sendable (Int) -> Void)?

    func pass() {
      guard let action else { return }
      let number = lock.withLock {
        defer { count += 1 }
        return count
      }
      action(number)
    }
  }

  /// The result of one thread, for the thread that waits for it.
  private final class Outcome: @unchecked Sendable {
    var hasBegun = false
    var code: StoreError.Code?
  }

  static func check() throws {
    let disk = SimulatedDisk()
    let (isSynchronizing, hasFailed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (first, report, isArmed) = (Gate(), Gate(), Gate())
    let process = SimulatedProcess(disk) { operation, path in
      guard path.hasPrefix(StageStore.journal) else { return }
      if operation == .write { isArmed.pass() }
      guard operation == .synchronize else { return }
      first.pass()
      report.pass()
    }
    let store = try StageStore(process)
    defer { process.kill() }
    try store.commit(.relaxed)
    report.action = { number in if number == 0 { disk.faults = [DiskFault(call: disk.calls, kind: .dropOnSync(EIO))] } }
    let outcome = Outcome()
    first.action = { number in
      guard number == 0 else { return }
      outcome.hasBegun = true
      isSynchronizing.signal()
      // The other thread runs now, unless it waits for this one.
      _ = hasFailed.wait(timeout: .now() + .milliseconds(300))
    }
    let file = store.file
    let isDone = DispatchSemaphore(value: 0)
    Thread {
      outcome.code = StageStore.code { try file.waitUntilDurable(1) }
      isSynchronizing.signal()
      isDone.signal()
    }.start()
    isSynchronizing.wait()
    guard outcome.hasBegun else {
      throw StoryFault(description: "A commit was acknowledged without a synchronization.")
    }
    isArmed.action = { _ in disk.faults = [DiskFault(call: disk.calls, kind: .refuse(ENOSPC))] }
    let second = StageStore.code { try store.commit(.relaxed) }
    hasFailed.signal()
    isDone.wait()
    guard second != nil, outcome.code == .commitOutcomeUnknown, file.durableVersion == 0,
      file.refusal?.code == .storeIsReadOnly
    else {
      throw StoryFault(
        description: "A lost commit was acknowledged: \(String(describing: outcome.code)), \(file.durableVersion).")
    }
  }
}
