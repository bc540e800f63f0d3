import Foundation

/// A process whose calls on the files of one folder are recorded.
struct RecordedProcess {
  private let helper: Helper
  private let record: URL

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - arguments: what it is to do.
  ///   - folder: whose files are watched. The record lies beside it.
  ///   - plan: what happens at which call, in the interposer's words.
  ///   - jitter: a seed; calls are held up at random.
  ///   - environment: further words for the interposer.
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

  /// Waits for its end.
  ///
  /// - Parameter meanwhile: what happens while it waits at a call that is planned to `pause`.
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
