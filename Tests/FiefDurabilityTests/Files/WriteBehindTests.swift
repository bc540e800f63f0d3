import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

@Suite(.leavesNoFileOpen) struct WriteBehindTests {
  /// A store's next version, whose snapshot has many portions.
  private static func large(after graph: Graph) throws -> Graph {
    let transaction = Transaction(StageStore.next(after: graph))
    let table = try #require(transaction.graph.table(named: "Row"))
    let name = try #require(table.schema.column(named: "name")).key
    for row in 0..<170 {
      try transaction.create(in: table.schema.key) { try $0.set(String(repeating: "row \(row) ", count: 2000), name) }
    }
    return transaction.graph.numbered(graph.version + 1)
  }

  private static let path = SimulatedDisk.folder + "/copy.realm"

  private func writeCopy(of graph: Graph, on process: SimulatedProcess) throws(StoreError) -> Int {
    try StoreFile.writeCopy(of: graph, version: graph.version, userVersion: 3, to: Self.path, on: process)
  }

  @Test func manyPortionsAreTheBytesThatSingleWritesAre() throws {
    let graph = try Self.large(after: .empty)
    let (direct, behind) = (SimulatedDisk(), SimulatedDisk())
    let size = try writeCopy(of: graph, on: SimulatedProcess(direct))
    // A disk that is slower than its writer keeps the writer waiting.
    let process = SimulatedProcess(behind, writesBehind: true) { operation, _ in
      if operation == .write { Thread.sleep(forTimeInterval: 0.002) }
    }
    #expect(try writeCopy(of: graph, on: process) == size)
    #expect(direct.files == behind.files)
    #expect(behind.files[Self.path]?.count == size)
    func writes(_ disk: SimulatedDisk) -> Int { disk.events.count { if case .wrote = $0 { true } else { false } } }
    #expect(writes(behind) <= size / (1 << 19) + 3)
    #expect(writes(behind) > 5)
    #expect(writes(direct) > writes(behind) * 4)
    #expect(try StoreFile.read(Self.path, on: SimulatedProcess(behind)).graph == graph)
  }

  @Test func everythingIsInTheFileBeforeItIsSynchronizedAndNamed() throws {
    let disk = SimulatedDisk()
    _ = try writeCopy(of: try Self.large(after: .empty), on: SimulatedProcess(disk, writesBehind: true))
    let steps = disk.events.compactMap { event -> String? in
      switch event {
      case .wrote: "wrote"
      case .synchronized: "synchronized"
      case .renamed: "renamed"
      case .synchronizedFolder: "synchronized the folder"
      default: nil
      }
    }
    #expect(steps.count > 6)
    #expect(steps.dropLast(3).allSatisfy { $0 == "wrote" })
    #expect(steps.suffix(3) == ["synchronized", "renamed", "synchronized the folder"])
  }

  @Test func whateverCallIsRefusedNothingIsLeftOfTheFile() throws {
    let graph = try Self.large(after: .empty)
    let whole = SimulatedDisk(isRecording: false)
    _ = try writeCopy(of: graph, on: SimulatedProcess(whole, writesBehind: true))
    for call in 0..<whole.calls - 1 {
      let disk = SimulatedDisk(isRecording: false)
      disk.faults = [DiskFault(call: call, kind: .refuse(ENOSPC))]
      let process = SimulatedProcess(disk, writesBehind: true)
      #expect(StageStore.code { _ = try writeCopy(of: graph, on: process) } == .outOfDiskSpace, "call \(call)")
      #expect(disk.files.isEmpty, "call \(call)")
      #expect(disk.openFiles == 0, "call \(call)")
    }
  }

  @Test func nothingIsWrittenBehindAFailure() throws {
    let disk = SimulatedDisk()
    let graph = try Self.large(after: .empty)
    // The calls before the first write: a look at the names, the opening, the lock.
    let before = SimulatedDisk()
    let counting = SimulatedProcess(before, writesBehind: true)
    _ = try writeCopy(of: graph, on: counting)
    let writes = before.events.count { if case .wrote = $0 { true } else { false } }
    let first = before.calls - writes - 3
    disk.faults = [DiskFault(call: first, kind: .refuse(EIO))]
    #expect(
      StageStore.code { _ = try writeCopy(of: graph, on: SimulatedProcess(disk, writesBehind: true)) }
        == .fileOperationFailed)
    #expect(!disk.events.contains { if case .wrote = $0 { true } else { false } })
  }

  @Test func aLargeCheckpointThatFailsAnywhereLeavesEveryCommit() throws {
    for call in 0..<40 {
      let disk = SimulatedDisk(isRecording: false)
      let process = SimulatedProcess(disk, writesBehind: true)
      let (file, stored) = try StoreFile.open(StageStore.path, on: process)
      let next = try Self.large(after: stored.graph)
      try file.commit(Delta(from: stored.graph, to: next), version: 1, userVersion: 3)
      disk.faults = [DiskFault(call: disk.calls + call, kind: .refuse(EIO))]
      let code = StageStore.code { try file.checkpoint(next, version: 1, userVersion: 3) }
      disk.faults = []
      #expect(code == nil || code == .fileOperationFailed, "call \(call)")
      process.kill()
      let again = try StoreFile.read(StageStore.path, on: SimulatedProcess(disk))
      #expect(again.graph == next, "call \(call)")
      // Then it was over before that call.
      if code == nil {
        #expect(call > 8)
        return
      }
    }
    Issue.record("A checkpoint made more than 40 calls.")
  }

  @Test func writersGoOnWhileALargeSnapshotIsWrittenToTheRealDisk() async throws {
    let folder = try TemporaryFolder()
    let store = try StageStore(folder.url.appendingPathComponent("a.realm").path)
    let large = try Self.large(after: store.graph)
    try store.file.commit(Delta(from: store.graph, to: large), version: 1, userVersion: 3)
    let file = store.file
    async let outcome: StoreError? = withCheckedContinuation { continuation in
      file.checkpointInBackground(large, version: 1, userVersion: 3) { continuation.resume(returning: $0) }
    }
    var graph = large
    for _ in 0..<20 {
      let next = StageStore.next(after: graph)
      try file.commit(Delta(from: graph, to: next), version: next.version, userVersion: 3)
      graph = next
    }
    #expect(await outcome == nil)
    try file.close()
    let info = try StoreFile.info(file.path)
    #expect(info.snapshotVersion == 1)
    #expect(info.snapshotSize > 2 << 20)
    #expect(try StoreFile.read(file.path).graph == graph)
    withExtendedLifetime(folder) {}
  }
}
