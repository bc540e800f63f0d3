import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

@Suite(.leavesNoFileOpen, .alsoEncrypted) struct CheckpointTests {
  @Test func aCheckpointMovesTheCommitsIntoTheSnapshot() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    for _ in 0..<200 { try store.commit() }
    let before = store.file.sizes
    try store.checkpoint()
    #expect(store.file.sizes.journal < 200)
    #expect(store.file.sizes.snapshot > before.snapshot)
    try store.commit()
    process.kill()
    let info = try StoreFile.info(StageStore.path, on: SimulatedProcess(disk))
    #expect(info.snapshotVersion == 200)
    #expect(info.version == 201)
    #expect(info.journalCommits == 1)
    #expect(info.userVersion == 3)
    #expect(info.tables == [StoreInfo.Table(name: "Row", rows: 200)])
    #expect(info.state == .notClosed)
  }

  @Test func commitsThatComeDuringACheckpointAreKept() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    for _ in 0..<3 { try store.commit() }
    let checkpoint = try #require(try store.file.beginCheckpoint(store.graph, version: 3, userVersion: 3))
    try store.commit()
    try checkpoint.writeSnapshot()
    try store.commit()
    try checkpoint.copyCommits()
    try store.commit(.relaxed)
    try checkpoint.finish()
    // The switch has made the relaxed commit durable too.
    #expect(store.file.durableVersion == 6)
    process.kill()
    let stored = try StoreFile.read(StageStore.path, on: SimulatedProcess(disk))
    #expect(stored.version == 6)
    #expect(StageStore.isRight(stored.graph))
  }

  @Test func generationsGrowWithEveryPairThatIsWritten() throws {
    let disk = SimulatedDisk()
    func generation(_ path: String) throws -> UInt64 {
      try #require(disk.files[path])[32..<40].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    var process = SimulatedProcess(disk)
    var store = try StageStore(process)
    var last = try generation(StageStore.path)
    #expect(last > 0)
    #expect(try generation(StageStore.journal) == last)
    for _ in 0..<3 {
      try store.commit()
      try store.checkpoint()
      let next = try generation(StageStore.path)
      #expect(next > last)
      #expect(try generation(StageStore.journal) == next)
      last = next
    }
    // When only the journal is rewritten, the snapshot keeps its generation.
    let snapshot = last
    for number in 2...4 as ClosedRange<Int32> {
      try store.commit()
      process.kill()
      process = SimulatedProcess(disk, number: number)
      store = try StageStore(process)
      #expect(try generation(StageStore.path) == snapshot)
      let next = try generation(StageStore.journal)
      #expect(next > last)
      last = next
    }
    // The next pair gets a generation above both.
    try store.checkpoint()
    #expect(try generation(StageStore.path) > last)
    #expect(try generation(StageStore.journal) == generation(StageStore.path))
    process.kill()
  }

  @Test func aCheckpointOfAnOldVersionDoesNothing() throws {
    let disk = SimulatedDisk()
    let store = try StageStore(SimulatedProcess(disk))
    try store.commit()
    let old = store.graph
    try store.commit()
    try store.checkpoint()
    let before = disk.files
    try store.file.checkpoint(old, version: 1, userVersion: 0)
    #expect(disk.files == before)
  }

  @Test func aCheckpointThatFailsLeavesTheStoreAsItWas() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    for _ in 0..<3 { try store.commit() }
    var refused = 0
    for call in 0..<40 {
      disk.faults = [DiskFault(call: disk.calls + call, kind: .refuse(ENOSPC))]
      let code = StageStore.code { try store.checkpoint() }
      disk.faults = []
      if store.file.refusal != nil { break }
      #expect(code == nil || code == .outOfDiskSpace)
      refused += code == nil ? 0 : 1
      try store.commit()
    }
    #expect(refused > 3)
    process.kill()
    let stored = try StoreFile.read(StageStore.path, on: SimulatedProcess(disk))
    #expect(stored.version == store.graph.version)
    #expect(StageStore.isRight(stored.graph))
  }

  @Test func aCheckpointIsDueWhenTheJournalIsLong() throws {
    let store = try StageStore(SimulatedProcess(SimulatedDisk(isRecording: false)))
    try store.commit()
    #expect(!store.file.isCheckpointDue)
    let transaction = Transaction(store.graph)
    let table = try #require(store.graph.table(named: "Row"))
    let name = try #require(table.schema.column(named: "name")).key
    try transaction.create(in: table.schema.key) { try $0.set(String(repeating: "x", count: 5 << 20), name) }
    let next = transaction.graph
    try store.file.commit(Delta(from: store.graph, to: next), version: 2, userVersion: 3)
    #expect(store.file.isCheckpointDue)
    try store.file.checkpoint(next, version: 2, userVersion: 3)
    #expect(!store.file.isCheckpointDue)
  }

  @Test func aCheckpointInTheBackgroundTellsOfItsFailure() async throws {
    let disk = SimulatedDisk()
    let store = try StageStore(SimulatedProcess(disk))
    try store.commit()
    let (file, graph) = (store.file, store.graph)
    disk.faults = [DiskFault(call: disk.calls, kind: .refuse(ENOSPC))]
    let outcome: StoreError? = await withCheckedContinuation { continuation in
      file.checkpointInBackground(graph, version: 1, userVersion: 3) { continuation.resume(returning: $0) }
    }
    #expect(outcome?.code == .outOfDiskSpace)
    #expect(file.refusal == nil)
    try store.commit()
  }

  /// Each attempt on a full disk writes as much as there is room for, and commits find none meanwhile.
  @Test func aCheckpointThatFailedIsDueWhenTheJournalHasGrownAsMuchAgain() async throws {
    let disk = SimulatedDisk(isRecording: false)
    let store = try StageStore(SimulatedProcess(disk))
    try store.commit()
    let file = store.file
    let table = try #require(store.graph.table(named: "Row"))
    let name = try #require(table.schema.column(named: "name")).key
    var graph = store.graph
    func commit(_ count: Int) throws {
      let transaction = Transaction(graph)
      try transaction.create(in: table.schema.key) { try $0.set(String(repeating: "x", count: count), name) }
      let next = transaction.graph.numbered(graph.version + 1)
      try file.commit(Delta(from: graph, to: next), version: next.version, userVersion: 3)
      graph = next
    }
    func checkpoint() async -> StoreError? {
      let latest = graph
      return await withCheckedContinuation { continuation in
        file.checkpointInBackground(latest, version: latest.version, userVersion: 3) {
          continuation.resume(returning: $0)
        }
      }
    }
    try commit(5 << 20)
    #expect(file.isCheckpointDue)
    disk.faults = [DiskFault(call: disk.calls, kind: .refuse(ENOSPC), isForEver: true)]
    #expect(await checkpoint()?.code == .outOfDiskSpace)
    disk.faults = []
    try commit(1)
    #expect(!file.isCheckpointDue)
    try commit(5 << 20)
    #expect(file.isCheckpointDue)
    #expect(await checkpoint() == nil)
    try commit(1)
    #expect(!file.isCheckpointDue && file.sizes.journal < 1 << 20)
    try file.close()
  }

  @Test func aJournalThatWasDamagedMeanwhileEndsTheCheckpointAndIsKept() throws {
    for cut in [false, true] {
      let disk = SimulatedDisk()
      let process = SimulatedProcess(disk)
      let store = try StageStore(process)
      for _ in 0..<5 { try store.commit() }
      let checkpoint = try #require(try store.file.beginCheckpoint(store.graph, version: 5, userVersion: 3))
      try checkpoint.writeSnapshot()
      let other = try SimulatedProcess(disk).open(StageStore.journal, for: .updating)
      // The last record, which no later durable-to covers, or one in the middle.
      let size = try other.size()
      _ = try [UInt8(0xFF), 0xFF, 0xFF].withUnsafeBytes { try other.write($0, at: cut ? size - 9 : size / 2) }
      other.close()
      #expect(StageStore.code { try checkpoint.copyCommits() } == .damaged)
      checkpoint.cancel()
      #expect(disk.files[StageStore.journal]?.count == size)
      #expect(!disk.files.keys.contains { $0.hasSuffix(".tmp") })
    }
  }

  @Test func writersGoOnWhileACheckpointIsMadeInTheBackground() async throws {
    let folder = try TemporaryFolder()
    let store = try StageStore(folder.url.appendingPathComponent("a.realm").path)
    for _ in 0..<20 { try store.commit(.relaxed) }
    let (file, graph) = (store.file, store.graph)
    async let outcome: StoreError? = withCheckedContinuation { continuation in
      file.checkpointInBackground(graph, version: graph.version, userVersion: 3) { continuation.resume(returning: $0) }
    }
    for _ in 0..<20 { try store.commit() }
    #expect(await outcome == nil)
    try store.commit()
    let stored = try StoreFile.read(file.path)
    #expect(stored.version == 41)
    #expect(StageStore.isRight(stored.graph))
    try file.close()
    withExtendedLifetime(folder) {}
  }
}
