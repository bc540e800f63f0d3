import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// Histories that are damaged, missing, or of another store: the data opens, and no version is ever a wrong one.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct HistoryDamageTests {
  private static let limits = HistoryLimits(versions: 100, age: nil)
  private static let path = HistoryStage.path + ".history"

  /// A closed store whose versions before 14 are in a history, with its files.
  private struct Past {
    let notes: Notes
    var oracle = HistoryOracle()
    var files: [String: [UInt8]] = [:]
    var process: Int32 = 1

    init(_ seed: Seed = Seed(5)) throws {
      notes = try Notes()
      let disk = SimulatedDisk(chance: seed.value)
      var random = seed.random
      try live(on: disk, commits: 8, &random, isCompacting: true)
      try live(on: disk, commits: 6, &random, isCompacting: true)
      try live(on: disk, commits: 3, &random, isCompacting: false)
    }

    mutating func live(
      on disk: SimulatedDisk, commits: Int, _ random: inout SeededRandom, isCompacting: Bool,
      _ limits: HistoryLimits? = HistoryDamageTests.limits
    ) throws {
      process += 1
      do {
        let stage = try HistoryStage(SimulatedProcess(disk, number: process), limits, first: notes.first)
        oracle.note(stage.latest, at: disk.clock)
        for _ in 0..<commits {
          disk.clock += 7
          let next = stage.latest.version + 1
          while stage.latest.version < next {
            oracle.note(try stage.commit { try notes.change($0, &random) }, at: disk.clock)
          }
        }
        if isCompacting { try stage.compact() }
      }
      files = disk.files
    }

    /// Opens the files with another history, and returns the versions that are known.
    func known(_ history: [UInt8]?) throws -> [UInt64] {
      var files = files
      files[HistoryDamageTests.path] = history
      return try known(files)
    }

    func known(_ files: [String: [UInt8]]) throws -> [UInt64] {
      let disk = SimulatedDisk(files: files, isRecording: false)
      let stage = try HistoryStage(SimulatedProcess(disk), HistoryDamageTests.limits, first: notes.first)
      #expect(stage.latest == oracle.versions[Int(stage.latest.version)])
      return (0..<stage.latest.version).filter { number in
        guard let found = stage.version(number) else { return false }
        #expect(found == oracle.versions[Int(number)] && found.version == number)
        return true
      }
    }
  }

  @Test func everyFlippedBitEndsTheHistoryThere() throws {
    let past = try Past()
    let history = try #require(past.files[Self.path])
    #expect(try past.known(history) == Array(0..<18))
    let count = Effort.of(debug: 300, release: history.count * 8)
    var random = Effort.firstSeed.random
    for trial in 0..<count {
      let bit = count == history.count * 8 ? trial : random.below(history.count * 8)
      var bytes = history
      bytes[bit >> 3] ^= 1 << UInt8(bit & 7)
      let known = try past.known(bytes)
      // The versions from the snapshot on do not need the history, and those behind the flip are not reached.
      #expect(known.count < 18 && known == Array((18 - UInt64(known.count))..<18) && known.count >= 3, "bit \(bit)")
    }
  }

  @Test func everyLostEndEndsTheHistoryThere() throws {
    let past = try Past()
    let history = try #require(past.files[Self.path])
    var last = 3
    for length in stride(from: 0, to: history.count, by: Effort.of(debug: 23, release: 1)) {
      let known = try past.known(Array(history.prefix(length)))
      #expect(known.count >= last && known.last == 17, "\(length) bytes")
      last = known.count
    }
    #expect(last > 10)
  }

  @Test func aMissingHistoryIsReportedByVerifyAndEndsTheHistoryAtTheSnapshot() throws {
    let past = try Past()
    #expect(try past.known(nil) == [15, 16, 17])
    for (history, words) in [(nil, "is missing"), ([1, 2, 3] as [UInt8]?, "cannot be read")] {
      var files = past.files
      files[Self.path] = history
      let disk = SimulatedDisk(files: files)
      let report = try StoreFile.verify(HistoryStage.path, on: SimulatedProcess(disk))
      #expect(report.problems.isEmpty && report.doubts.count == 1 && report.doubts[0].contains(words))
      #expect(report.doubts[0].contains("ends at version 15"))
    }
    let report = try StoreFile.verify(HistoryStage.path, on: SimulatedProcess(SimulatedDisk(files: past.files)))
    #expect(report.isSound && report.info?.historyVersions == 15)
    #expect(report.info?.historySize == past.files[Self.path]?.count)
  }

  @Test func aHistoryOfAnotherStoreOrOfAnotherSnapshotIsNotUsed() throws {
    let past = try Past()
    let other = try Past(Seed(6))
    #expect(try past.known(other.files[Self.path]) == [15, 16, 17])
    // The history as it was before the last snapshot.
    var older = try Past()
    var random = Seed(9).random
    let disk = SimulatedDisk(files: older.files)
    disk.clock += 1000
    try older.live(on: disk, commits: 2, &random, isCompacting: true)
    #expect(try older.known(past.files[Self.path]) == [])
    #expect(try older.known(older.files[Self.path]).count == 20)
  }

  /// The other files are those of a backup, from which other commits were made up to the same numbers.
  @Test func aHistoryBesideFilesOfABackupIsNotTakenForTheirs() throws {
    let backup = try Past()
    let disk = SimulatedDisk(files: backup.files)
    disk.clock += 1000
    var (newer, other) = (backup, backup)
    var random = Seed(10).random
    try newer.live(on: disk, commits: 4, &random, isCompacting: true)
    let second = SimulatedDisk(files: backup.files)
    second.clock += 5000
    try other.live(on: second, commits: 9, &random, isCompacting: false)
    // It leads back from version 22, which both have, through version 15, which is the snapshot's.
    #expect(try other.known(newer.files[Self.path]).first == 0, "before the lines part, they are one")
    // Here the lines part before the snapshot that the history leads back through.
    let third = SimulatedDisk(files: backup.files)
    third.clock += 9000
    var parted = backup
    try parted.live(on: third, commits: 2, &random, isCompacting: true)
    try parted.live(on: third, commits: 5, &random, isCompacting: false)
    #expect(try parted.known(newer.files[Self.path]) == Array(20..<25))
  }

  @Test func whatIsDamagedIsLeftOutOfTheNextHistory() throws {
    let past = try Past()
    var files = past.files
    let length = try #require(files[Self.path]).count
    files[Self.path]?[length - 3] ^= 4
    let disk = SimulatedDisk(files: files)
    let before = try past.known(files)
    do {
      let stage = try HistoryStage(SimulatedProcess(disk), Self.limits, first: past.notes.first)
      try stage.compact()
    }
    let history = try HistoryReading(#require(disk.files[Self.path]))
    #expect(history.fault == nil && history.header.oldest == before.first)
    #expect(try past.known(disk.files) == before)
    #expect(try StoreFile.verify(HistoryStage.path, on: SimulatedProcess(disk)).isSound)
  }

  @Test func aFullDiskGivesTheSnapshotUpAndKeepsTheHistory() throws {
    let past = try Past()
    for call in 0..<Effort.of(debug: 40, release: 60) {
      let disk = SimulatedDisk(files: past.files)
      do {
        let stage = try HistoryStage(SimulatedProcess(disk), Self.limits, first: past.notes.first)
        disk.lock.withLock { disk.faults = [DiskFault(call: disk.calls + call, kind: .refuse(ENOSPC))] }
        _ = try? stage.compact()
        disk.lock.withLock { disk.faults = [] }
        #expect(past.oracle.fault(of: stage, Self.limits, now: disk.clock) == nil, "call \(call)")
      }
      #expect(try past.known(disk.files).count == 18, "call \(call)")
    }
  }

  @Test func aStoreWithoutHistoryKeepsTheFileUntilItWritesASnapshot() throws {
    var past = try Past()
    let disk = SimulatedDisk(files: past.files)
    var random = Seed(12).random
    disk.clock += 50
    try past.live(on: disk, commits: 2, &random, isCompacting: false, nil)
    #expect(try past.known(disk.files).count == 20)
    try past.live(on: disk, commits: 1, &random, isCompacting: true, nil)
    #expect(disk.files[Self.path] == nil)
    #expect(try past.known(disk.files) == [])
    #expect(disk.files[HistoryStage.path + ".journal"]?[12] == (disk.key == nil ? 0 : 2))
  }

  @Test func aStoreThatNeverKeptVersionsHasTheFilesAndCallsThatItAlwaysHad() throws {
    let disk = SimulatedDisk()
    disk.trace = []
    let notes = try Notes()
    var random = Seed(3).random
    var before = 0
    do {
      let stage = try HistoryStage(SimulatedProcess(disk), nil, first: notes.first)
      for _ in 0..<5 { try stage.commit { try notes.change($0, &random) } }
      before = disk.calls
      try stage.compact()
    }
    #expect(Set(disk.files.keys) == Set(["", ".journal", ".lock"].map { HistoryStage.path + $0 }))
    // Writing the snapshot makes these calls, and no others.
    let calls = try #require(disk.trace).dropFirst(before).map(\.operation)
    #expect(!calls.contains(.remove) && calls.count(where: { $0 == .rename }) == 2)
    #expect(calls.count(where: { $0 == .open }) == 2)
    // Words of the header that a journal without times never has.
    let journal = try #require(disk.files[HistoryStage.path + ".journal"])
    #expect(journal[12..<16].elementsEqual([disk.key == nil ? 0 : 2, 0, 0, 0]))
    #expect(journal[48..<60].allSatisfy { $0 == 0 })
  }

  @Test func aStoreThatBeginsToKeepVersionsKnowsThoseInItsJournal() throws {
    let disk = SimulatedDisk()
    var past = try Past()
    past.oracle = HistoryOracle()
    var random = Seed(4).random
    try past.live(on: disk, commits: 4, &random, isCompacting: true, nil)
    try past.live(on: disk, commits: 3, &random, isCompacting: false, nil)
    #expect(try past.known(disk.files) == [5, 6, 7])
    try past.live(on: disk, commits: 2, &random, isCompacting: true)
    #expect(try past.known(disk.files) == [5, 6, 7, 8, 9])
  }

  @Test func deletingAStoreDeletesItsHistoryAndACopyHasNone() throws {
    let past = try Past()
    let disk = SimulatedDisk(files: past.files)
    let process = SimulatedProcess(disk)
    let read = try StoreFile.read(HistoryStage.path, on: process)
    try StoreFile.writeCopy(
      of: read.graph, version: read.version, userVersion: 0, to: "\(SimulatedDisk.folder)/copy.realm", on: process)
    #expect(disk.files["\(SimulatedDisk.folder)/copy.realm.history"] == nil)
    #expect(try StoreFile.delete(HistoryStage.path, on: process))
    #expect(Set(disk.files.keys) == ["\(SimulatedDisk.folder)/copy.realm", HistoryStage.path + ".lock"])
  }
}
