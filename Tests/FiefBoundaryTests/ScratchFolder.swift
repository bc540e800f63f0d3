import FiefTestSupport
import Foundation

/// A folder in memory where there is one, since nothing here needs a disk.
func withScratchFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
  guard FileManager.default.isWritableFile(atPath: memory.path) else { return try TemporaryFolder.with(body) }
  let folder = memory.appendingPathComponent("fief-boundary-\(UUID().uuidString)", isDirectory: true)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

extension URL {
  /// Makes an empty folder here, in place of whatever was there.
  func makeEmptyFolder() throws {
    try? FileManager.default.removeItem(at: self)
    try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
  }
}
