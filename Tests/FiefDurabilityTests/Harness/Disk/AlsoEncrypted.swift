import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// Runs each test a second time, with encrypted stores on all of its simulated disks.
///
///     @Suite(.leavesNoFileOpen, .alsoEncrypted) struct CrashTests { … }
///
/// The disks have the key, so the tests say nothing of it. Tests that make files byte by byte make plain ones, and have
/// no second run.
struct AlsoEncrypted: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await body()
    guard testCase != nil else { return }
    do {
      try await SimulatedDisk.$usualKey.withValue(try .standIn()) { try await body() }
    } catch {
      Issue.record("With encrypted files: \(error)")
    }
  }
}

extension Trait where Self == AlsoEncrypted {
  static var alsoEncrypted: AlsoEncrypted { AlsoEncrypted() }
}

extension FileKey {
  /// The key of a cipher that protects nothing.
  static func standIn(_ key: UInt64 = 7) throws -> FileKey { try FileKey(InsecureStandInCipher(key: key)) }
}

extension Snapshot {
  /// The bytes of a snapshot on a disk with the usual key.
  static func stored(_ graph: Graph, _ header: SnapshotHeader) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try write(graph, header, key: SimulatedDisk.usualKey) { bytes.append(contentsOf: $0) }
    return bytes
  }
}
