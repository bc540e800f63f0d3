import FiefTestSupport
import Foundation

/// A folder in memory if the system has one, since the tests do not need a disk.
func withScratchFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
  guard FileManager.default.isWritableFile(atPath: memory.path) else { return try TemporaryFolder.with(body) }
  let folder = memory.appendingPathComponent("fief-boundary-\(UUID().uuidString)", isDirectory: true)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

extension URL {
  /// Makes an empty folder here and removes the previous contents.
  func makeEmptyFolder() throws {
    try? FileManager.default.removeItem(at: self)
    try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
  }
}
