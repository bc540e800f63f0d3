import Foundation

/// Calls `body` with the path of a store in a new folder, which is removed afterwards. The folder is on the disk of the
/// working folder, because a temporary folder may be in memory.
func withStore<Result>(_ body: (String) throws -> Result) throws -> Result {
  let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    .appendingPathComponent(".fief-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder.appendingPathComponent("bench.realm").path)
}

/// A new file that is written and synced without a store: the cost of the bytes alone.
struct PlainFile {
  private let handle: FileHandle

  init(_ path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil) else { throw CocoaError(.fileWriteUnknown) }
    handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  func write(_ bytes: Data) throws {
    try handle.write(contentsOf: bytes)
    try handle.synchronize()
  }

  /// Writes `bytes` to a new file and removes it again. Returns the nanoseconds until the file was synced.
  static func time(_ bytes: Data, at path: String) throws -> Double {
    let start = ContinuousClock.now
    try PlainFile(path).write(bytes)
    let passed = start.nanoseconds
    try FileManager.default.removeItem(atPath: path)
    return passed
  }
}

/// Writes snapshots and plain files of the same bytes alternately.
///
/// Memory, disk and other users of a machine occasionally slow either down by a multiple of the measured time. The
/// median of several turns is the usual time of each, and both medians cover the same seconds.
enum SnapshotTurns {
  /// The number of turns in one measurement.
  static let count = 9

  /// Measures both.
  ///
  /// - Parameters:
  ///   - path: the snapshot, beside which a plain file is written.
  ///   - writeSnapshot: writes another snapshot and returns the nanoseconds.
  /// - Returns: the median nanoseconds to write and sync a snapshot, and a plain file of its bytes.
  static func measure(_ path: String, _ writeSnapshot: () throws -> Double) throws -> (snapshot: Double, plain: Double)
  {
    var (snapshots, plains): ([Double], [Double]) = ([], [])
    for _ in 0..<count {
      snapshots.append(try writeSnapshot())
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      // The system releases the old snapshot meanwhile, which would otherwise slow down the plain file.
      Thread.sleep(forTimeInterval: 0.05)
      plains.append(try PlainFile.time(bytes, at: path + ".plain"))
    }
    return (snapshots.median, plains.median)
  }
}

extension ContinuousClock.Instant {
  /// The nanoseconds from this instant until now.
  var nanoseconds: Double {
    let parts = duration(to: .now).components
    return Double(parts.seconds) * 1e9 + Double(parts.attoseconds) * 1e-9
  }
}

extension [Double] {
  /// The median.
  var median: Double {
    let sorted = sorted()
    return sorted.isEmpty ? .nan : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
