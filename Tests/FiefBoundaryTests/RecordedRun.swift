import FiefTestSupport
import Foundation

/// A recorded workload, with the expected outcomes at each call.
struct RecordedRun {
  let record: Record
  private let closingIsDurable: Bool

  var calls: [RecordedCall] { record.calls }

  /// The number of the last call.
  var count: Int { record.count }

  /// The number of writing threads: one, or two.
  enum Form: String {
    case alone, threaded
  }

  /// Runs a process with random writes in an empty folder.
  init(
    _ seed: Seed, in folder: URL, _ form: Form, steps: Int, plan: String = "", meanwhile: (() throws -> Void)? = nil
  ) throws {
    try folder.makeEmptyFolder()
    // With two threads, the last one to finish closes the store, without a note.
    closingIsDurable = plan.isEmpty && form == .alone
    let process = try RecordedProcess(
      ["workload", folder.appendingPathComponent("ledger.realm").path, "\(seed.value)", "\(steps)", form.rawValue],
      in: folder, plan: plan, jitter: form == .threaded ? seed.value : nil)
    record = try process.finish(meanwhile: meanwhile)
  }

  /// The possible contents of the disk and the outcomes of writes after the first `point` calls.
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
