import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Synchronization
import Testing

/// S29, S32, S33, S34: what a process leaves that dies, stops, fails or closes the store.
@Suite("The turn to write, and processes that die with it", .leavesNoFileOpen, .alsoEncrypted)
struct TurnTests {
  /// The files of the store but the lock file, in which a waiting process is named.
  private func stored(on disk: SimulatedDisk) -> [String: [UInt8]] {
    disk.files.filter { $0.key != SharedStage.path + ".lock" }
  }

  @Test func `a stopped writer is waited for, named after the limit, and not overtaken`() throws {
    let disk = SimulatedDisk()
    let stopped = try SharedStage(disk, 1)
    let waiting = try SharedStage(SimulatedProcess(disk, number: 2), patience: 3)
    try stopped.commit()
    try stopped.begin()
    let before = stored(on: disk)
    let error = #expect(throws: StoreError.self) { try waiting.commit() }
    #expect(error?.code == .alreadyOpen && error?.holder == 1)
    #expect(error?.message.contains("process 1") == true)
    let third = #expect(throws: StoreError.self) {
      try SharedStage(SimulatedProcess(disk, number: 3), patience: 3, inTurn: true)
    }
    #expect(third?.code == .alreadyOpen && third?.holder == 1)
    #expect(stored(on: disk) == before)
    // Nobody stands in line any more.
    #expect(!String(decoding: disk.files[SharedStage.path + ".lock"] ?? [], as: UTF8.self).contains("wait"))
    try stopped.append()
    stopped.file.endTurn()
    try waiting.commit()
    #expect(waiting.lines == ["A 1", "B 1"])
    try stopped.close()
    try waiting.close()
  }

  @Test func `a process that closes the store does not wait long for a stopped writer, and does not seal`() throws {
    let disk = SimulatedDisk()
    let stopped = try SharedStage(disk, 1)
    let leaving = try SharedStage(disk, 2)
    try leaving.commit()
    try stopped.begin()
    let before = stored(on: disk)
    try leaving.close()
    #expect(stored(on: disk) == before)
    stopped.file.endTurn()
    try stopped.close()
    #expect(try SharedStage.left(on: disk).state == .closed)
  }

  @Test func `the last process that closes the store seals`() throws {
    let disk = SimulatedDisk()
    let (first, second) = (try SharedStage(disk, 1), try SharedStage(disk, 2))
    try first.commit()
    try first.close()
    #expect(StoredVersion.State.closed != (try StoreFile.read(SharedStage.path, on: second.process)).state)
    try second.close()
    #expect(try SharedStage.left(on: disk).state == .closed)
  }

  @Test func `a turn that ends with its holder is free`() throws {
    let disk = SimulatedDisk()
    let dying = try SharedStage(disk, 1)
    let other = try SharedStage(disk, 2)
    try dying.begin()
    dying.kill()
    try other.commit()
    #expect(other.lines.isEmpty && other.file.version == 1)
    try other.close()
  }

  /// Each length of the record of a process that died while it appended, over nothing and over a seal.
  @Test(arguments: [false, true], [false, true])
  func `half an append is cut off, and kept`(isSealed: Bool, isJoining: Bool) throws {
    func story(cutting: Int?) throws -> Int {
      let disk = SimulatedDisk()
      let dying = try SharedStage(disk, 1)
      let other = try SharedStage(disk, 2)
      try dying.commit()
      try dying.commit()
      if isSealed { for _ in 0..<3 { dying.process.passTime() } }
      try other.refresh()
      let start = disk.files[SharedStage.journal]?.count ?? 0
      try dying.begin()
      let first = disk.events.count
      try dying.append()
      // What the process wrote is taken back, but for the beginning.
      let written = disk.events[first...].compactMap { event -> (Int, [UInt8])? in
        if case .wrote(let file, let offset, let bytes) = event, file == disk.names[SharedStage.journal]?.number {
          return (offset, bytes)
        }
        return nil
      }
      let (offset, bytes) = try #require(written.first)
      guard let cutting else {
        for stage in [dying, other] { stage.kill() }
        return bytes.count
      }
      dying.kill()
      let journal = try #require(disk.names[SharedStage.journal])
      // Where the record and the seal end alike, the rest of the record is there already.
      var old = Array(journal.bytes[..<offset])
      let seal = isSealed ? try seal(behind: old, start, disk.events[..<first], journal.number) : []
      old += seal
      old.place(bytes.prefix(cutting), at: offset)
      journal.bytes = old
      if Array(old[offset...]) == bytes {
        other.kill()
        return bytes.count
      }
      // The record and the seal begin alike.
      let hasTail = Array(old[offset...]) != seal
      let next = isJoining ? try SharedStage(disk, 3) : other
      try next.commit()
      try other.refresh()
      #expect(other.file.version == 3)
      #expect(next.lines == ["A 1", "\(next.name) 1"], "cut at \(cutting)")
      let kept = disk.files.filter { $0.key.contains("cut-off") }
      #expect(kept.count == (hasTail ? 1 : 0), "cut at \(cutting)")
      if hasTail {
        let end = Array(kept.values.first?.suffix(old.count - offset) ?? [])
        #expect(end == Array(old[offset...]))
      }
      if isJoining { try next.close() }
      try other.close()
      #expect(try SharedStage.left(on: disk).version == 3)
      return bytes.count
    }
    let count = try story(cutting: nil)
    for cutting in stride(from: isSealed ? 1 : 0, to: count, by: Effort.of(debug: 3, release: 1, night: 1)) {
      _ = try story(cutting: cutting)
    }
  }

  /// The seal that was at the end of the journal before it was overwritten.
  private func seal(
    behind bytes: [UInt8], _ end: Int, _ events: ArraySlice<DiskEvent>, _ journal: Int
  ) throws -> [UInt8] {
    for event in events.reversed() {
      if case .wrote(journal, bytes.count, let seal) = event, bytes.count + seal.count == end { return seal }
    }
    throw StoryFault(description: "There was no seal.")
  }

  @Test func `a whole record of a dead writer is a commit`() throws {
    let disk = SimulatedDisk()
    let dying = try SharedStage(disk, 1)
    let other = try SharedStage(disk, 2)
    try dying.commit()
    try dying.begin()
    try dying.append()
    dying.kill()
    try other.commit()
    #expect(other.lines == ["A 1", "B 1"])
    try other.close()
  }

  @Test func `damage that is no torn tail ends the writing, and nothing is cut off`() throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(disk, 1)
    let second = try SharedStage(disk, 2)
    try first.commit()
    try first.commit()
    try first.commit()
    let journal = try #require(disk.names[SharedStage.journal])
    let start = journal.bytes.count
    try first.commit()
    try first.commit()
    // Two bits of a record whose durability a later record states.
    journal.bytes[start + 60] ^= 0x11
    let bytes = journal.bytes
    _ = try? second.refresh()
    let late = try SharedStage.joinRefused(disk)
    #expect(late == .damaged)
    #expect(StageStore.code { try second.commit() } == .storeIsReadOnly)
    #expect(journal.bytes == bytes)
    _ = try? second.close()
    first.kill()
  }

  @Test func `a shortened journal ends the writing`() throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(disk, 1)
    let second = try SharedStage(disk, 2)
    try first.commit()
    try first.commit()
    try second.refresh()
    let journal = try #require(disk.names[SharedStage.journal])
    journal.bytes.removeLast(8)
    #expect(StageStore.code { try second.commit() } == .damaged)
    let error = #expect(throws: StoreError.self) { try second.commit() }
    #expect(error?.code == .storeIsReadOnly)
    // No disk has failed.
    #expect(error?.message.contains("takes no more commits. The journal \(SharedStage.journal) is shorter") == true)
    _ = try? second.close()
    first.kill()
  }

  // MARK: A disk that fails (S32)

  @Test func `a failed synchronization ends the writing of all processes`() throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(disk, 1)
    let second = try SharedStage(disk, 2)
    try first.commit()
    try second.commit()
    try first.begin()
    try first.append()
    first.file.endTurn()
    disk.faults = [DiskFault(call: disk.calls, kind: .dropOnSync(EIO))]
    #expect(StageStore.code { try first.file.waitUntilDurable(3) } == .commitOutcomeUnknown)
    disk.faults = []
    let error = #expect(throws: StoreError.self) { try second.commit() }
    #expect(error?.code == .storeIsReadOnly && error?.holder == 1)
    #expect(StageStore.code { _ = try SharedStage(disk, 3) } == .storeIsReadOnly)
    #expect(StageStore.code { try first.close() } == .commitOutcomeUnknown)
    #expect(StageStore.code { _ = try SharedStage(disk, 3) } == .storeIsReadOnly)
    try second.close()
    // The remark is removed by the next that is alone.
    let next = try SharedStage(disk, 4)
    try next.commit()
    try next.close()
  }

  @Test func `a process that waits for the disk learns of the failure that another met`() throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(disk, 1)
    let second = try SharedStage(disk, 2)
    try first.commit()
    try second.commit(.relaxed)
    try first.commit(.relaxed)
    disk.faults = [DiskFault(call: disk.calls, kind: .dropOnSync(EIO))]
    #expect(StageStore.code { try first.file.waitUntilDurable(3) } == .commitOutcomeUnknown)
    disk.faults = []
    // Its bytes are lost, and a later synchronization reports that once.
    #expect(StageStore.code { try second.file.waitUntilDurable(2) } == .commitOutcomeUnknown)
    _ = try? first.close()
    _ = try? second.close()
  }

  /// The system reports a failure to the openings that are there, so one that comes later has to be told.
  @Test func `a process that cannot synchronize when it closes the store leaves a remark`() throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(disk, 1)
    let second = try SharedStage(disk, 2)
    try first.commit()
    try second.commit(.relaxed)
    disk.faults = [DiskFault(call: disk.calls, kind: .dropOnSync(EIO), isForEver: true)]
    #expect(StageStore.code { try second.close() } == .commitOutcomeUnknown)
    disk.faults = []
    #expect(StageStore.code { _ = try SharedStage(disk, 3) } == .storeIsReadOnly)
    #expect(StageStore.code { try first.commit() } == .storeIsReadOnly)
    try first.close()
    let next = try SharedStage(disk, 4)
    try next.commit()
    try next.close()
  }

  @Test func `a process that cannot synchronize when it joins leaves a remark`() throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(disk, 1)
    let second = try SharedStage(disk, 2)
    try first.commit()
    try second.commit(.relaxed)
    disk.faults = [DiskFault(call: disk.calls, kind: .dropOnSync(EIO), isForEver: true)]
    #expect(StageStore.code { _ = try SharedStage(disk, 3) } == .fileOperationFailed)
    disk.faults = []
    #expect(StageStore.code { _ = try SharedStage(disk, 4) } == .storeIsReadOnly)
    #expect(StageStore.code { try first.commit() } == .storeIsReadOnly)
    #expect(StageStore.code { try second.commit() } == .storeIsReadOnly)
    try first.close()
    #expect(StageStore.code { try second.close() } == .commitOutcomeUnknown)
  }

  /// Of a lock file that is not durable a power failure may take the first line alone. It would be one of others then.
  @Test func `a disk that fails while a store is opened leaves its lock file with one line`() throws {
    let disk = SimulatedDisk()
    #expect(throws: StoreError.self) {
      try SharedStage(SimulatedProcess(disk)) { stage in
        defer { try? stage.close() }
        try stage.append()
        disk.faults = [DiskFault(call: disk.calls, kind: .dropOnSync(EIO), isForEver: true)]
        try stage.file.waitUntilDurable(1)
      }
    }
    disk.faults = []
    #expect(disk.files[SharedStage.path + ".lock"]?.count == 16)
    try SharedStage(disk, 2).close()
  }

  /// The lock file has one position: the remark and the line of the turn would take each other's place.
  @Test func `a disk that fails is noted while no other thread writes into the lock file`() throws {
    let disk = SimulatedDisk()
    let step = Mutex(0)
    let overlaps = Mutex(0)
    let failing = Mutex<StoreFile?>(nil)
    let (arrived, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let process = SimulatedProcess(
      disk, number: 2,
      gate: { operation, path in
        guard operation == .write && path == SharedStage.path + ".lock" else { return }
        switch step.withLock({ $0 }) {
        case 1:
          step.withLock { $0 = 2 }
          let file = failing.withLock { $0 }
          Thread.detachNewThread {
            try? file?.waitUntilDurable(1)
            done.signal()
          }
          // It cannot write before this thread has. If it can, it does so at once.
          _ = arrived.wait(timeout: .now() + .milliseconds(200))
          step.withLock { $0 = 3 }
        case 2:
          overlaps.withLock { $0 += 1 }
          arrived.signal()
        default: break
        }
      })
    let first = try SharedStage(disk, 1)
    let second = try SharedStage(process)
    try second.commit(.relaxed)
    try first.commit()
    let file = second.file
    failing.withLock { $0 = file }
    disk.faults = [DiskFault(call: disk.calls, kind: .dropOnSync(EIO), isForEver: true)]
    step.withLock { $0 = 1 }
    _ = try? second.commit(.relaxed)
    done.wait()
    disk.faults = []
    #expect(step.withLock { $0 } == 3)
    #expect(overlaps.withLock { $0 } == 0)
    #expect(StageStore.code { try first.commit() } == .storeIsReadOnly)
    _ = try? first.close()
    _ = try? second.close()
  }

  /// It has synchronized nothing, so nothing is lost, and the others go on.
  @Test(arguments: [EACCES, EMFILE])
  func `a process that cannot open the folder when it joins leaves no remark`(code: Int32) throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(disk, 1)
    try first.commit()
    let process = SimulatedProcess(disk, number: 2)
    process.folderRefusal = code
    let error = #expect(throws: StoreError.self) { try SharedStage(process) }
    #expect(error?.systemCode == code)
    try first.commit()
    let third = try SharedStage(disk, 3)
    try third.commit()
    try first.close()
    try third.close()
    #expect(try SharedStage.left(on: disk).version == 3)
  }

  @Test func `a process that cannot open the folder after a checkpoint of another goes on when it can`() throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(disk, 1)
    let second = try SharedStage(disk, 2)
    try first.commit()
    try first.checkpoint()
    second.process.folderRefusal = EMFILE
    #expect(StageStore.code { try second.commit() } == .fileOperationFailed)
    second.process.folderRefusal = nil
    try second.commit()
    try first.commit()
    #expect(first.lines == ["B 1", "A 1"])
    try first.close()
    try second.close()
    #expect(try SharedStage.left(on: disk).version == 3)
  }

  @Test func `commits of others that are not durable do not make a closing fail`() throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(disk, 1)
    let second = try SharedStage(disk, 2)
    try second.commit()
    try first.commit(.relaxed)
    try second.refresh()
    #expect(second.file.durableVersion == 1)
    disk.remove(SharedStage.journal)
    #expect(StageStore.code { try second.commit() } == .storeIsReadOnly)
    try second.close()
    #expect(StageStore.code { try first.commit() } == .storeIsReadOnly)
    #expect(StageStore.code { try first.close() } == .commitOutcomeUnknown)
  }
}

extension SharedStage {
  /// The code of the error with which a process is refused that wants to join.
  fileprivate static func joinRefused(_ disk: SimulatedDisk) throws -> StoreError.Code? {
    StageStore.code { _ = try SharedStage(disk, 15) }
  }
}
