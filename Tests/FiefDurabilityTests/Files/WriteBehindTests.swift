import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Synchronization
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
    // A disk that is slower than its writer makes the writer wait.
    let process = SimulatedProcess(behind, writesBehind: true) { operation, _ in
      if operation == .write { Thread.sleep(forTimeInterval: 0.002) }
    }
    #expect(try writeCopy(of: graph, on: process) == size)
    // Compared outside the macro, which would print megabytes.
    let isEqual = direct.files == behind.files
    #expect(isEqual)
    #expect(behind.files.mapValues(\.count) == [Self.path: size])
    func writes(_ disk: SimulatedDisk) -> Int { disk.events.count { if case .wrote = $0 { true } else { false } } }
    // One write is that of the process number in the lock file.
    #expect(writes(behind) <= size / (1 << 19) + 4)
    #expect(writes(behind) > 5)
    #expect(writes(direct) > writes(behind) * 4)
    #expect(try StoreFile.read(Self.path, on: SimulatedProcess(behind)).graph == graph)
  }

  @Test func eachPortionIsSentOnItsWayToTheDiskWhenItIsInTheFile() throws {
    let disk = SimulatedDisk()
    let size = try writeCopy(of: try Self.large(after: .empty), on: SimulatedProcess(disk, writesBehind: true))
    let ranges = disk.advice.map(\.range)
    #expect(disk.advice.allSatisfy { $0.isWritten })
    #expect(ranges.count > 4)
    #expect(ranges.first?.lowerBound == 0)
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    // The rest is the last portion, which its writer writes and synchronizes at once.
    let rest = size - (ranges.last?.upperBound ?? 0)
    #expect(0...(1 << 19) + (1 << 17) ~= rest)
    // The first portions are smaller.
    let sizes = ranges.map(\.count)
    #expect(sizes.first.map { $0 < 1 << 18 } == true)
    #expect(sizes.last.map { $0 >= 1 << 19 } == true)
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

  @Test func eachRefusedCallLeavesNoFile() throws {
    let graph = try Self.large(after: .empty)
    let calls = Mutex<[(operation: FileFailure.Operation, path: String)]>([])
    let whole = SimulatedProcess(SimulatedDisk(isRecording: false), writesBehind: true) { operation, path in
      calls.withLock { $0.append((operation, path)) }
    }
    _ = try writeCopy(of: graph, on: whole)
    let made = calls.withLock { $0 }
    #expect(made.count == whole.disk.calls)
    // The copy is valid without the number in the lock file, and with files of dead writers. When its name is durable,
    // only the lock file is removed, and may remain.
    let naming = try #require(made.firstIndex { $0.operation == .synchronizeFolder })
    #expect(made[(naming + 1)...].map(\.operation) == [.inspect, .remove])
    #expect(made[(naming + 1)...].allSatisfy { $0.path.hasSuffix(".lock") })
    let needed = made.enumerated().map { number, call in
      let isForOrder =
        call.operation == .write && call.path.hasSuffix(".lock")
        || call.operation == .inspect && call.path == SimulatedDisk.folder
      return number <= naming && !isForOrder
    }
    #expect(needed.count { !$0 } == 4)
    for (call, isNeeded) in needed.enumerated() {
      let disk = SimulatedDisk(isRecording: false)
      disk.faults = [DiskFault(call: call, kind: .refuse(ENOSPC))]
      let process = SimulatedProcess(disk, writesBehind: true)
      let code = StageStore.code { _ = try writeCopy(of: graph, on: process) }
      #expect(code == (isNeeded ? .outOfDiskSpace : nil), "call \(call)")
      #expect(disk.files[Self.path] == nil || !isNeeded || call == naming, "call \(call)")
      #expect(disk.files.keys.allSatisfy { $0 == Self.path || $0.hasSuffix(".lock") }, "call \(call)")
      #expect(disk.openFiles == 0, "call \(call)")
    }
  }

  @Test func nothingIsWrittenBehindAFailure() throws {
    let graph = try Self.large(after: .empty)
    let isWrite = Mutex<[Bool]>([])
    let counting = SimulatedProcess(SimulatedDisk(), writesBehind: true) { operation, path in
      isWrite.withLock { $0.append(operation == .write && !path.hasSuffix(".lock")) }
    }
    _ = try writeCopy(of: graph, on: counting)
    let first = try #require(isWrite.withLock { $0.firstIndex(of: true) })
    let disk = SimulatedDisk()
    disk.faults = [DiskFault(call: first, kind: .refuse(EIO))]
    #expect(
      StageStore.code { _ = try writeCopy(of: graph, on: SimulatedProcess(disk, writesBehind: true)) }
        == .fileOperationFailed)
    // The one write is that of the number in the lock file.
    #expect(disk.events.count { if case .wrote = $0 { true } else { false } } == 1)
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
      // The checkpoint ended before that call.
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
