import Foundation

/// Calls `body` with the path of a store in a folder of its own, which is removed afterwards. It is on the disk of the
/// working folder: what is called temporary may be memory.
func withStore<Result>(_ body: (String) throws -> Result) throws -> Result {
  let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    .appendingPathComponent(".fief-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder.appendingPathComponent("bench.realm").path)
}

/// A new file, written and synced without anything around it: what the disk asks for the bytes alone.
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

  /// Writes `bytes` to a new file and removes it again; returns the nanoseconds that passed until they were synced.
  static func time(_ bytes: Data, at path: String) throws -> Double {
    let start = ContinuousClock.now
    try PlainFile(path).write(bytes)
    let passed = start.nanoseconds
    try FileManager.default.removeItem(atPath: path)
    return passed
  }
}

/// Snapshots and plain files of the same bytes, in turn.
///
/// A machine's memory, its disk and its other users are slow for either now and then, by a multiple of what is
/// measured. The median of some turns is what both mostly take; the two medians are of the same seconds.
enum SnapshotTurns {
  /// How many turns one measurement has.
  static let count = 9

  /// Measures.
  ///
  /// - Parameters:
  ///   - path: The snapshot, and where a plain file may be beside it.
  ///   - writeSnapshot: Writes another snapshot, and returns the nanoseconds.
  /// - Returns: the median nanoseconds of a snapshot, and of a plain file of its bytes, written and synced.
  static func measure(_ path: String, _ writeSnapshot: () throws -> Double) throws -> (snapshot: Double, plain: Double)
  {
    var (snapshots, plains): ([Double], [Double]) = ([], [])
    for _ in 0..<count {
      snapshots.append(try writeSnapshot())
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      // The old snapshot is given back meanwhile, and is no burden of the plain file's.
      Thread.sleep(forTimeInterval: 0.05)
      plains.append(try PlainFile.time(bytes, at: path + ".plain"))
    }
    return (snapshots.median, plains.median)
  }
}

extension ContinuousClock.Instant {
  /// How many nanoseconds ago it was.
  var nanoseconds: Double {
    let parts = duration(to: .now).components
    return Double(parts.seconds) * 1e9 + Double(parts.attoseconds) * 1e-9
  }
}

extension [Double] {
  /// The middle one.
  var median: Double {
    let sorted = sorted()
    return sorted.isEmpty ? .nan : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
