import FiefDurability
import FiefGraph

/// The results of opening and verifying the same files. They must agree:
///
/// | verify | opening |
/// | --- | --- |
/// | sound | opens, and cuts nothing off |
/// | in doubt | opens, and reports the cut |
/// | problems | throws `damaged` |
/// | throws | throws the same code; or creates, where no store exists |
struct Verdicts {
  /// The opened version, or the error.
  private(set) var opened: Result<StoredVersion, StoreError>
  /// The report, or the error.
  private(set) var report: Result<StoreReport, StoreError>
  private var isUntouched = true
  /// The disk after opening; the store was released without being closed.
  let disk: SimulatedDisk

  /// Verifies files, and then opens them.
  init(_ files: [String: [UInt8]], at path: String) {
    disk = SimulatedDisk(files: files, isRecording: false)
    let process = SimulatedProcess(disk)
    do throws(StoreError) { report = .success(try StoreFile.verify(path, on: process)) } catch {
      report = .failure(error)
    }
    isUntouched = disk.files == files
    do throws(StoreError) { opened = .success(try StoreFile.open(path, on: process).stored) } catch {
      opened = .failure(error)
    }
  }

  /// The disagreement between the two; nil if they agree.
  var disagreement: String? {
    if !isUntouched { return "verifying changed a file" }
    switch (opened, report) {
    case (.success(let stored), .success(let report)):
      if let problem = report.problems.first { return "it opens, and verify finds: \(problem)" }
      if report.doubts.isEmpty != (stored.cutOff == nil) {
        return "opening cut off \(String(describing: stored.cutOff)), and verify doubts \(report.doubts)"
      }
      return report.info?.version == stored.version ? nil : "they found different versions"
    case (.success(let stored), .failure(let error)):
      return stored.state == .created && error.code == .fileNotFound ? nil : "it opens, and verify throws \(error)"
    case (.failure(let error), .success(let report)):
      if report.problems.isEmpty { return "verify finds nothing, and opening throws \(error)" }
      return error.code == .damaged ? nil : "verify finds damage, and opening throws \(error)"
    case (.failure(let a), .failure(let b)): return a.code == b.code ? nil : "opening throws \(a), and verify \(b)"
    }
  }
}
