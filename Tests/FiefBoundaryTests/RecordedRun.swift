import FiefTestSupport
import Foundation

/// A recorded workload, and what is to be expected at each of its moments.
struct RecordedRun {
  let record: Record
  private let closingIsDurable: Bool

  var calls: [RecordedCall] { record.calls }

  /// How many calls have a number.
  var count: Int { record.count }

  /// Who writes.
  enum Form: String {
    case alone, threaded
  }

  /// Runs a process with random writes in an empty folder.
  init(
    _ seed: Seed, in folder: URL, _ form: Form, steps: Int, plan: String = "", meanwhile: (() throws -> Void)? = nil
  ) throws {
    try folder.makeEmptyFolder()
    // Of two threads the last to go closes the store, and that one says nothing.
    closingIsDurable = plan.isEmpty && form == .alone
    let process = try RecordedProcess(
      ["workload", folder.appendingPathComponent("ledger.realm").path, "\(seed.value)", "\(steps)", form.rawValue],
      in: folder, plan: plan, jitter: form == .threaded ? seed.value : nil)
    record = try process.finish(meanwhile: meanwhile)
  }

  /// What the disk may hold, and what writes have come to, when so many calls were made.
  func state(at point: Int) -> (RecordedDisk, Outcomes) {
    var disk = RecordedDisk()
    var outcomes = Outcomes(closingIsDurable: closingIsDurable)
    for call in calls[..<point] {
      disk.apply(call)
      outcomes.apply(call)
    }
    return (disk, outcomes)
  }
}
