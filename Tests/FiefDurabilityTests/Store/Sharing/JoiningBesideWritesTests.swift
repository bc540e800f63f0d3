import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// S26, S38: an opening while another process is inside a write.
@Suite("Opening a store beside a process that writes it", .leavesNoFileOpen, .alsoEncrypted)
struct JoiningBesideWritesTests {
  private let disk = SimulatedDisk()
  private let writer: SharedStage

  init() throws {
    writer = try SharedStage(disk, 1)
    try writer.commit()
    try writer.commit()
  }

  private var journal: SimulatedDisk.File {
    get throws { try #require(disk.names[SharedStage.journal]) }
  }

  /// The files but the lock.
  private var data: [String: [UInt8]] { disk.files.filter { !$0.key.hasSuffix(".lock") } }

  @Test func `an opening does not wait for a write, and sees what was committed before`() throws {
    try writer.begin()
    let pauses = Pauses()
    let joined = try SharedStage(pauses.process(disk, 2), patience: 60_000)
    #expect(joined.lines == ["A 1"] && joined.stored.state != .cutOff)
    // A tenth of a second, in pauses of a millisecond.
    #expect(0 < pauses.count && pauses.count < 200)
    #expect(try joined.refresh() != true)
    try writer.append()
    writer.file.endTurn()
    #expect(try joined.refresh() == true)
    #expect(joined.lines == writer.lines)
    try joined.commit()
    try writer.commit()
    #expect(writer.lines == ["A 1", "A 2", "B 1", "A 3"])
    try joined.close()
    try writer.close()
    #expect(try SharedStage.left(on: disk).state == .closed)
  }

  @Test func `openings beside a write change no byte of the data`() throws {
    try writer.begin()
    let before = data
    let joined = try (2...4).map { try SharedStage(disk, $0) }
    #expect(data == before)
    for stage in joined { try stage.close() }
    #expect(data == before)
    writer.file.endTurn()
    try writer.close()
  }

  /// Each length of the record, over nothing and over a seal, of a process that goes on and of one that dies.
  @Test(arguments: [false, true], [false, true])
  func `half an append is left to the first turn`(isSealed: Bool, isDying: Bool) throws {
    if isSealed { for _ in 0..<3 { writer.process.passTime() } }
    let journal = try journal
    let before = journal.bytes
    try writer.begin()
    try writer.append()
    let after = journal.bytes
    var joined: [SharedStage] = []
    for (index, count) in stride(from: 0, to: after.count, by: Effort.of(debug: 17, release: 3, night: 1)).enumerated()
    {
      let bytes = Array(after[..<count]) + before.dropFirst(count)
      if bytes == after { break }
      journal.bytes = bytes
      joined.append(try SharedStage(disk, Int32(2 + index % 20)))
      #expect(joined.last?.lines == ["A 1"] && journal.bytes == bytes, "cut at \(count)")
    }
    if !isDying { journal.bytes = after }
    if isDying { writer.kill() } else { writer.file.endTurn() }
    let first = try #require(joined.first)
    try first.commit()
    #expect(first.lines == (isDying ? ["A 1", "B 1"] : ["A 1", "A 2", "B 1"]))
    for stage in joined.dropFirst() {
      try stage.refresh()
      #expect(stage.lines == first.lines)
    }
    #expect(disk.files.keys.contains { $0.contains("cut-off") } == isDying)
    for stage in joined { try stage.close() }
    if !isDying { try writer.close() }
    #expect(try SharedStage.left(on: disk).lines == first.lines)
  }

  @Test func `a whole record that was read stands`() throws {
    try writer.begin()
    try writer.append()
    let joined = try SharedStage(disk, 2)
    #expect(joined.lines == ["A 1", "A 2"])
    writer.file.endTurn()
    try joined.commit()
    #expect(joined.lines == ["A 1", "A 2", "B 1"])
    try joined.close()
    try writer.close()
  }

  /// The system has all bytes of a record, and reports a failure all the same.
  @Test(arguments: [false, true], [false, true])
  func `who has read a commit that is undone writes no more`(isFollowed: Bool, isSwitched: Bool) throws {
    let other = try SharedStage(disk, 3)
    let journal = try journal
    let before = journal.bytes
    try writer.begin()
    try writer.append()
    let joined = try SharedStage(disk, 2)
    #expect(joined.lines == ["A 1", "A 2"])
    writer.kill()
    journal.bytes = before
    // Another commit of that number, in as many bytes.
    if isFollowed { try other.commit() }
    if isSwitched {
      try other.checkpoint()
      try other.commit()
    }
    let left = data
    #expect(StageStore.code { try joined.commit() } == .storeIsReadOnly)
    #expect(StageStore.code { try joined.commit() } == .storeIsReadOnly)
    #expect(data == left)
    #expect(joined.lines == ["A 1", "A 2"])
    try joined.close()
    try other.commit()
    try other.close()
    #expect(try SharedStage.left(on: disk).lines == other.lines)
  }

  @Test(arguments: [false, true]) func `a checkpoint switches the files of an opening`(isAsleep: Bool) throws {
    try writer.begin()
    try writer.append()
    let joined = try SharedStage(disk, 2)
    writer.file.endTurn()
    if isAsleep { try writer.commit() }
    try writer.checkpoint()
    try writer.commit()
    try joined.commit()
    #expect(joined.lines == writer.lines + ["B 1"])
    #expect(joined.followed.map(\.isLeap).contains(true) == isAsleep)
    try writer.commit()
    try joined.close()
    try writer.close()
    #expect(try SharedStage.left(on: disk).lines == writer.lines)
  }

  @Test func `an opening that has to commit waits for the write, and names its process after the limit`() throws {
    try writer.begin()
    let file = try StoreFile.open(
      SharedStage.path, sharingWithin: 3, on: SimulatedProcess(disk, number: 2)
    ).file
    #expect(!file.mayCommit)
    let error = #expect(throws: StoreError.self) { try file.excludeOthers(for: "This") }
    #expect(error?.code == .alreadyOpen && error?.holder == 1)
    try file.share()
    #expect(file.mayCommit)
    try file.close()
    let late = #expect(throws: StoreError.self) {
      try SharedStage(SimulatedProcess(disk, number: 3), patience: 3, inTurn: true)
    }
    #expect(late?.code == .alreadyOpen && late?.holder == 1)
    let pauses = Pauses()
    pauses.act = { if $0 == 5 { self.writer.file.endTurn() } }
    let joined = try SharedStage(pauses.process(disk, 4), inTurn: true) { stage in
      #expect(stage.file.mayCommit)
      try stage.append()
    }
    #expect(joined.lines == ["A 1", "D 1"])
    try joined.close()
    try writer.close()
  }

  @Test func `what a writer has committed before it left is not overlooked by who needs to be alone`() throws {
    try writer.begin()
    let (file, _) = try StoreFile.open(SharedStage.path, sharingWithin: 3, on: SimulatedProcess(disk, number: 2))
    try writer.append()
    writer.file.endTurn()
    try writer.close()
    let error = #expect(throws: StoreError.self) { try file.excludeOthers(for: "This") }
    #expect(error?.code == .alreadyOpen && error?.message.hasSuffix("open it again.") == true)
    // It keeps nobody out.
    try file.share()
    let next = try SharedStage(disk, 3)
    #expect(next.lines == ["A 1", "A 2"])
    try next.close()
    try file.close()
  }

  @Test func `an opening beside a write is refused after a failure of the disk`() throws {
    let failing = try SharedStage(disk, 2)
    try failing.begin()
    try failing.append()
    failing.file.endTurn()
    disk.faults = [DiskFault(call: disk.calls, kind: .dropOnSync(EIO))]
    #expect(StageStore.code { try failing.file.waitUntilDurable(3) } == .commitOutcomeUnknown)
    disk.faults = []
    // The process that has the turn has not seen it yet.
    let system = SimulatedProcess(disk, number: 4)
    let lock = try system.open(SharedStage.path + ".lock", for: .updating)
    #expect(try lock.lock(byte: 1 << 30 + 3, .exclusive) == true)
    #expect(StageStore.code { _ = try SharedStage(disk, 3) } == .storeIsReadOnly)
    lock.close()
    _ = try? failing.close()
    _ = try? writer.close()
  }

  @Test func `one limit counts for the line and the turn`() throws {
    let pauses = Pauses()
    let waiting = try SharedStage(pauses.process(disk, 2), patience: 100)
    try writer.begin()
    let system = SimulatedProcess(disk, number: 4)
    let lock = try system.open(SharedStage.path + ".lock", for: .updating)
    #expect(try lock.lock(byte: 1 << 30 + 2, .exclusive) == true)
    pauses.count = 0
    // The line gets free when more than half of the limit is over.
    pauses.act = { if $0 == 60 { lock.unlock(byte: 1 << 30 + 2) } }
    #expect(StageStore.code { try waiting.commit() } == .alreadyOpen)
    // Pauses grow to a millisecond.
    #expect(60 < pauses.count && pauses.count < 120)
    lock.close()
    writer.file.endTurn()
    for stage in [waiting, writer] { try stage.close() }
  }
}

/// Counts the pauses of a process, and acts in them.
private final class Pauses: @unchecked Sendable {
  var count = 0
  var act: (Int) -> Void = { _ in }

  func process(_ disk: SimulatedDisk, _ number: Int32) -> SimulatedProcess {
    SimulatedProcess(
      disk, number: number,
      pausing: {
        self.count += 1
        self.act(self.count)
      })
  }
}
