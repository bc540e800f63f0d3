import Foundation

/// A process whose calls on the files of one folder are recorded.
struct RecordedProcess {
  private let helper: Helper
  private let record: URL

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - arguments: the arguments of the program.
  ///   - folder: the folder whose files are watched. The record is beside it.
  ///   - plan: the disturbances and their calls, in the interposer's syntax.
  ///   - jitter: a seed; calls are delayed at random.
  ///   - environment: further variables for the interposer.
  init(
    _ arguments: [String], in folder: URL, plan: String = "", jitter: UInt64? = nil, environment: [String: String] = [:]
  ) throws {
    record = folder.deletingLastPathComponent().appendingPathComponent("record-\(UUID().uuidString)")
    var environment = environment
    environment["FIEF_RECORD"] = record.path
    environment["FIEF_ROOT"] = folder.path
    environment["FIEF_PLAN"] = plan
    if let jitter { environment["FIEF_JITTER"] = "\(jitter)" }
    helper = try Helper(arguments, environment: environment)
  }

  /// Waits until the process ends.
  ///
  /// - Parameter meanwhile: runs while the process waits at a call with a planned `pause`.
  /// - Returns: the record.
  func finish(meanwhile: (() throws -> Void)? = nil) throws -> Record {
    defer {
      for suffix in ["", ".paused", ".go"] { try? FileManager.default.removeItem(atPath: record.path + suffix) }
    }
    if let meanwhile {
      while helper.isRunning, !FileManager.default.fileExists(atPath: record.path + ".paused") { usleep(500) }
      defer { _ = FileManager.default.createFile(atPath: record.path + ".go", contents: nil) }
      if helper.isRunning { try meanwhile() }
    }
    helper.finish()
    return try Record(contentsOf: record)
  }
}
