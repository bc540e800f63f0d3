import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// The reports about bytes behind the last whole commit, which may or may not belong to acknowledged commits.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct CutOffTests {
  /// The files of a store that was killed after `commits` relaxed commits.
  private func killedStore(commits: Int, resting: Bool = false) throws -> [String: [UInt8]] {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    for _ in 0..<commits { try store.commit(.relaxed) }
    if resting { for _ in 0..<3 { process.passTime() } }
    process.kill()
    return disk.files
  }

  /// The ranges of the records of a journal.
  private func records(_ journal: [UInt8]) throws -> [Range<Int>] {
    try journal.withUnsafeBytes { bytes in
      var scanner = try JournalScanner(bytes, key: SimulatedDisk.usualKey)
      var ranges: [Range<Int>] = []
      while let record = scanner.next(bytes) { ranges.append(record.range) }
      return ranges
    }
  }

  /// The files with sixteen zeros in a record of the journal.
  private func damaged(_ files: [String: [UInt8]], record: Int) throws -> [String: [UInt8]] {
    var files = files
    let position = try records(files[StageStore.journal] ?? [])[record].lowerBound + 44
    files[StageStore.journal]?.replaceSubrange(position..<position + 16, with: [UInt8](repeating: 0, count: 16))
    return files
  }

  @Test func bytesBehindDamageAreCountedReportedAndKept() throws {
    let files = try damaged(killedStore(commits: 100), record: 5)
    let report = try StoreFile.verify(StageStore.path, on: SimulatedProcess(SimulatedDisk(files: files)))
    #expect(!report.isSound)
    #expect(report.problems.isEmpty)
    #expect(report.doubts.count == 1)
    #expect(report.doubts.first?.contains("95 commits can be seen") == true)
    #expect(report.info?.cutOff?.commits == 95)

    let disk = SimulatedDisk(files: files)
    let store = try StageStore(SimulatedProcess(disk))
    #expect(store.stored.version == 5)
    #expect(store.stored.state == .cutOff)
    #expect(store.stored.cutOff?.commits == 95)
    let kept = try #require(store.stored.cutOff?.keptAt)
    #expect(kept == StageStore.path + ".cut-off-5")
    let journal = try #require(files[StageStore.journal])
    let tail = try journal[records(journal).last.map(\.upperBound)!...]
    #expect(disk.files[kept] == Array(journal.prefix(disk.key == nil ? 64 : 128)) + Array(tail))
    try store.file.close()
    #expect(try StoreFile.verify(StageStore.path, on: SimulatedProcess(disk)).isSound)
  }

  @Test func theLastGroupOfACrashIsInDoubtAndNotCalledSound() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    for _ in 0..<3 { try store.commit() }
    for _ in 0..<7 { try store.commit(.relaxed) }
    try store.file.waitUntilDurable(10)
    process.kill()
    let files = try damaged(disk.files, record: 3)
    let report = try StoreFile.verify(StageStore.path, on: SimulatedProcess(SimulatedDisk(files: files)))
    #expect(!report.isSound)
    #expect(report.info?.version == 3)
    #expect(report.info?.cutOff?.commits == 7)
  }

  @Test(arguments: [0, 4, 9])
  func afterARestDamageIsDamage(record: Int) throws {
    let files = try killedStore(commits: 10, resting: true)
    #expect(try StoreFile.verify(StageStore.path, on: SimulatedProcess(SimulatedDisk(files: files))).isSound)
    let broken = try damaged(files, record: record)
    let disk = SimulatedDisk(files: broken)
    #expect(StageStore.code { _ = try StoreFile.open(StageStore.path, on: SimulatedProcess(disk)) } == .damaged)
    #expect(disk.files[StageStore.journal] == broken[StageStore.journal])
  }

  @Test func commitsThatNobodyWaitsForAreSynchronizedAndMarkedInAWhile() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    for _ in 0..<3 { try store.commit(.relaxed) }
    #expect(store.file.durableVersion == 0)
    process.passTime()
    process.passTime()
    #expect(store.file.durableVersion == 3)
    #expect(try StoreFile.read(StageStore.path, on: SimulatedProcess(disk)).state == .closed)
    // No work is left until the next commit.
    #expect(!process.passTime())
    try store.commit(.relaxed)
    #expect(try StoreFile.read(StageStore.path, on: SimulatedProcess(disk)).state == .notClosed)
    #expect(process.passTime())
    try store.commit()
    #expect(process.passTime())
    #expect(process.passTime())
    #expect(!process.passTime())
    let length = disk.files[StageStore.journal]?.count
    try store.file.close()
    // The mark is the seal.
    #expect(disk.files[StageStore.journal]?.count == length)
    let again = try StageStore(SimulatedProcess(disk, number: 2))
    #expect(again.stored.version == 5)
    #expect(again.stored.state == .closed)
    #expect(StageStore.isRight(again.graph))
    try again.file.close()
  }

  @Test func everyCommitIsSynchronizedInHalfASecondAndMarkedWhenNoOtherFollows() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    // While commits continue, a commit is synchronized at the second timer event at the latest.
    for version in 1...6 as ClosedRange<UInt64> {
      try store.commit(.relaxed)
      #expect(process.delays == [250])
      #expect(process.passTime())
      #expect(store.file.durableVersion >= version - 1)
    }
    #expect(process.delays == [250])
    #expect(process.passTime())
    #expect(process.delays.isEmpty)
    // The worst result of a power failure: the mark was synchronized too.
    var point = CrashPoint()
    for event in disk.events { point.advance(event) }
    let stored = try StoreFile.read(StageStore.path, on: SimulatedProcess(point.image(point.noFates)))
    #expect(stored.version == 6)
    #expect(stored.state == .closed)
    process.kill()
  }

  @Test func aCutOffTailOutlivesItsStore() throws {
    let disk = SimulatedDisk(files: try damaged(killedStore(commits: 10), record: 5))
    let store = try StageStore(SimulatedProcess(disk))
    let path = try #require(store.stored.cutOff?.keptAt)
    let kept = try #require(disk.files[path])
    try store.commit()
    try store.checkpoint()
    try store.file.close()
    let process = SimulatedProcess(disk, number: 2)
    let again = try StageStore(process)
    try again.commit()
    process.kill()
    try StoreFile.open(StageStore.path, on: SimulatedProcess(disk, number: 3)).file.close()
    #expect(disk.files[path] == kept)
    #expect(try StoreFile.delete(StageStore.path, on: SimulatedProcess(disk)))
    #expect(disk.files.keys.sorted() == [path, StageStore.path + ".lock"])
    #expect(disk.files[path] == kept)
  }

  @Test func aMarkThatFailsIsUndoneOrEndsTheWriting() throws {
    for (kind, isOver) in [(DiskFault.Kind.refuse(ENOSPC), false), (.dropOnSync(EIO), true)] {
      let disk = SimulatedDisk()
      let process = SimulatedProcess(disk)
      let store = try StageStore(process)
      try store.commit()
      process.passTime()
      // The three calls that compare the names, the write, and the synchronization of the mark.
      disk.faults = [DiskFault(call: disk.calls + (isOver ? 4 : 3), kind: kind)]
      process.passTime()
      disk.faults = []
      #expect((store.file.refusal == nil) == !isOver)
      if isOver {
        #expect(StageStore.code { try store.commit() } == .storeIsReadOnly)
      } else {
        try store.commit()
        #expect(process.passTime())
      }
      process.kill()
      let stored = try StoreFile.read(StageStore.path, on: SimulatedProcess(disk))
      #expect(stored.version == (isOver ? 1 : 2))
      #expect(StageStore.isRight(stored.graph))
    }
  }

  @Test func aRelaxedCommitOfTheRealSystemIsDurableWithinASecondOrSo() throws {
    try TemporaryFolder.with { folder in
      let store = try StageStore(folder.appendingPathComponent("a.realm").path)
      try store.commit(.relaxed)
      #expect(waits { store.file.durableVersion > 0 })
      #expect(store.file.durableVersion == 1)
      try store.file.close()
    }
  }

  /// An opening that cannot write the journal anew is tried again. Copies would fill the disk up further each time.
  @Test(arguments: [false, true]) func aTailIsKeptOnceByOpeningsThatFail(isOthers: Bool) throws {
    var files = try damaged(killedStore(commits: 10), record: 5)
    // A file of others under the name has as many bytes, and is left alone.
    let path = StageStore.path + ".cut-off-5"
    let journal = try #require(files[StageStore.journal])
    let tail = try journal[records(journal).last.map(\.upperBound)!...]
    if isOthers { files[path] = [UInt8](repeating: 7, count: tail.count + (SimulatedDisk.usualKey == nil ? 64 : 128)) }
    let disk = SimulatedDisk(files: files)
    for _ in 0..<3 {
      let full = SimulatedProcess(disk) { operation, path in
        guard operation == .write, path.hasPrefix(StageStore.journal + ".") else { return }
        disk.lock.withLock { disk.faults = [DiskFault(call: disk.calls, kind: .refuse(ENOSPC))] }
      }
      #expect(StageStore.code { _ = try StageStore(full) } == .outOfDiskSpace)
    }
    let kept = try StageStore(SimulatedProcess(disk))
    #expect(kept.stored.version == 5 && kept.stored.cutOff?.keptAt == (isOthers ? path + "-2" : path))
    #expect(disk.files.keys.filter { $0.contains("cut-off") }.count == (isOthers ? 2 : 1))
    #expect(!isOthers || disk.files[path] == files[path])
    try kept.file.close()
  }

  @Test func savingWhatIsBeforeATornTailSaysSo() throws {
    let files = try damaged(killedStore(commits: 10), record: 5)
    let process = SimulatedProcess(SimulatedDisk(files: files))
    let report = try StoreFile.recover(from: StageStore.path, to: "/disk/saved.realm", on: process)
    #expect(report.version == 5)
    #expect(report.lostCommits == 5)
    let journal = try #require(files[StageStore.journal])
    let tail = try journal.count - #require(records(journal).last).upperBound
    #expect(report.losses.contains { $0.contains("last \(tail) bytes") && $0.contains("5 commits can be seen") })
    #expect(!report.isComplete)
  }

  @Test func anErrorOfAFullDiskAfterACrashSaysWhatToDo() throws {
    let files = try killedStore(commits: 3)
    var refused = 0
    for call in 5..<20 {
      let disk = SimulatedDisk(files: files)
      disk.faults = [DiskFault(call: disk.calls + call, kind: .refuse(ENOSPC))]
      let process = SimulatedProcess(disk)
      do throws(StoreError) { _ = try StoreFile.open(StageStore.path, on: process) } catch {
        #expect(error.code == .outOfDiskSpace)
        #expect(error.message.contains("make room"))
        refused += 1
      }
      process.kill()
      disk.faults = []
      // Reading needs no space, and no commit is lost.
      #expect(try StoreFile.read(StageStore.path, on: SimulatedProcess(disk)).version == 3, "call \(call)")
      #expect(try StageStore(SimulatedProcess(disk)).stored.version == 3, "call \(call)")
    }
    #expect(refused > 5)
  }
}
