import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// Flips, lost ends and splices of both files, for stores that were closed and stores that were not: `verify` and
/// opening agree about each of them, as `Verdicts` requires.
@Suite(.leavesNoFileOpen) struct AgreementTests {
  private static let journal = StoryTeller.path + ".journal"

  /// The files of a store that was closed, or was not.
  private static func files(closed: Bool, seed: UInt64 = 3) throws -> [String: [UInt8]] {
    let disk = SimulatedDisk()
    let teller = StoryTeller(on: disk, seed: seed)
    try teller.tell([.commit, .commit, .commit, .checkpoint(0, 0, 0)] + Array(repeating: .commit, count: 8))
    if closed {
      try teller.close()
      return disk.files
    }
    let files = disk.files
    try teller.close()
    return files
  }

  /// Judges a store with other bytes in one file, or without that file.
  private func judge(
    _ files: [String: [UInt8]], _ file: String, _ bytes: [UInt8]?, _ what: @autoclosure () -> String
  ) -> Verdicts {
    var files = files
    files[file] = bytes
    let verdicts = Verdicts(files, at: StoryTeller.path)
    if let disagreement = verdicts.disagreement { Issue.record("\(what()) of \(file): \(disagreement)") }
    return verdicts
  }

  @Test(arguments: [true, false]) func aSoundStoreIsSoundForBoth(closed: Bool) throws {
    let files = try Self.files(closed: closed)
    let verdicts = judge(files, Self.journal, files[Self.journal], "nothing")
    #expect(try verdicts.report.get().isSound && verdicts.opened.get().cutOff == nil)
    for file in [StoryTeller.path, Self.journal] {
      _ = judge(files, file, nil, "all")
      _ = judge(files, file, [], "every byte")
    }
  }

  @Test(arguments: [true, false]) func everyFlippedBitIsJudgedAlike(closed: Bool) throws {
    let files = try Self.files(closed: closed)
    var random = Effort.firstSeed.random
    var (tried, opened) = (0, 0)
    for file in [StoryTeller.path, Self.journal] {
      var bytes = try #require(files[file])
      var bit = random.below(Effort.of(debug: 400, release: 60, night: 1))
      while bit < bytes.count * 8 {
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        if case .success = judge(files, file, bytes, "bit \(bit)").opened { opened += 1 }
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        tried += 1
        bit += 1 + random.below(Effort.of(debug: 800, release: 120, night: 1))
      }
    }
    #expect(opened == 0)
    Trials.report("\(tried) flips for opening and verifying, seed \(Effort.firstSeed)")
  }

  @Test(arguments: [true, false]) func everyLostEndIsJudgedAlike(closed: Bool) throws {
    let files = try Self.files(closed: closed)
    var random = Effort.firstSeed.random
    var (tried, opened, doubted) = (0, 0, 0)
    for file in [StoryTeller.path, Self.journal] {
      let bytes = try #require(files[file])
      var length = bytes.count - 1
      while length >= 0 {
        let tails = [
          [], [UInt8](repeating: 0, count: bytes.count - length), random.bytes(count: bytes.count - length),
        ]
        let verdicts = judge(files, file, bytes[..<length] + random.element(of: tails), "the end from \(length)")
        tried += 1
        if case .success = verdicts.opened { opened += 1 }
        if case .success(let report) = verdicts.report, !report.doubts.isEmpty { doubted += 1 }
        length -= 1 + random.below(Effort.of(debug: 160, release: 20, night: 1))
      }
    }
    Trials.report("\(tried) lost ends for opening and verifying: \(opened) open, \(doubted) in doubt")
  }

  /// Records and blocks removed, repeated, exchanged, and replaced by those of another store or an older generation.
  @Test(arguments: [true, false]) func everySpliceIsJudgedAlike(closed: Bool) throws {
    let files = try Self.files(closed: closed)
    let stranger = try Self.files(closed: true, seed: 4)
    var random = Effort.firstSeed.random
    var tried = 0
    for file in [StoryTeller.path, Self.journal] {
      let parts = file == Self.journal ? Self.records : Self.blocks
      let own = parts(try #require(files[file]))
      let others = parts(try #require(stranger[file]))
      for _ in 0..<Effort.of(debug: 40, release: 400, night: 20_000) {
        var spliced = own
        for _ in 0..<1 + random.below(2) where spliced.count > 1 {
          let position = random.below(spliced.count)
          switch random.below(5) {
          case 0: spliced.remove(at: position)
          case 1: spliced.insert(random.element(of: own), at: position)
          case 2: spliced.swapAt(position, random.below(spliced.count))
          case 3: spliced[position] = random.element(of: others)
          default: spliced[position] = random.element(of: own)
          }
        }
        _ = judge(files, file, Array(spliced.joined()), "a splice (seed \(Effort.firstSeed))")
        tried += 1
      }
    }
    Trials.report("\(tried) splices for opening and verifying")
  }

  @Test func aJournalThatLostItsSnapshotIsDamageWhateverStandsBehindItsHeader() throws {
    let header = JournalWriter(JournalHeader(store: Fixed.store, generation: 3, base: 0)).headerBytes
    for (tail, isDamage) in [([], false), ([0, 0, 0, 0], false), ([1, 2, 3], true)] as [([UInt8], Bool)] {
      let verdicts = judge([:], Self.journal, header + tail, "nothing, with a tail of \(tail)")
      if case .failure(let error) = verdicts.opened {
        #expect(isDamage && error.code == .damaged)
        #expect(verdicts.disk.files[Self.journal] == header + tail)
      } else {
        #expect(!isDamage)
      }
    }
  }

  /// A rewritten journal keeps the record of a commit that the snapshot already contains, so that record is read, too.
  @Test func aRecordBelowTheSnapshotsVersionIsJudgedAlike() throws {
    for (payload, isSound) in [([0], true), ([0, 99], false)] as [([UInt8], Bool)] {
      var writer = JournalWriter(JournalHeader(store: Fixed.store, generation: 3, base: 16))
      let record = try payload.withUnsafeBytes { try writer.commit(sealing: $0, durableTo: 16) }
      let files = [
        StoryTeller.path: Snapshot.bytes(Graph.empty.numbered(17), Fixed.header()),
        Self.journal: writer.headerBytes + record,
      ]
      let verdicts = judge(files, Self.journal, files[Self.journal], "a record of \(payload)")
      switch verdicts.opened {
      case .success(let stored): #expect(isSound && stored.version == 17)
      case .failure(let error): #expect(!isSound && error.code == .damaged)
      }
    }
  }

  @Test func aJournalThatGoesOnFromAVersionAndLostItsSnapshotIsDamage() throws {
    let header = JournalWriter(Fixed.journal).headerBytes
    let verdicts = judge([:], Self.journal, header, "no snapshot")
    let error = #expect(throws: StoreError.self) { try verdicts.opened.get() }
    #expect(error?.code == .damaged && error?.message.contains("goes on from version 17") == true)
    #expect(verdicts.disk.files[Self.journal] == header)
  }

  /// A copy is put back beside its store's journal, whose commits it lacks. After a crash at any moment it has them.
  @Test func adoptingACopyBesideAJournalLosesNoCommit() throws {
    let home = SimulatedDisk()
    let teller = StoryTeller(on: home, seed: 3)
    try teller.tell([.commit, .commit, .commit])
    let journal = try #require(home.files[Self.journal])
    try teller.close()
    let store = try StoreFile.info(StoryTeller.path, on: SimulatedProcess(home)).store
    let copy = Snapshot.bytes(
      .empty, SnapshotHeader(store: store, generation: 0, version: 0, userVersion: 0, blockSize: 512))
    let files = [StoryTeller.path: copy, Self.journal: journal]
    let disk = SimulatedDisk(files: files)
    let before = disk.events.count
    try StoreFile.open(StoryTeller.path, on: SimulatedProcess(disk)).file.close()
    var point = CrashPoint()
    var tried = 0
    for (number, event) in disk.events.enumerated() {
      point.advance(event)
      if number < before { continue }
      try point.forEveryFates { fates in
        tried += 1
        if tried % Effort.of(debug: 7, release: 1, night: 1) != 0 { return }
        let found = try StoreFile.open(StoryTeller.path, on: SimulatedProcess(point.image(fates)))
        #expect(found.stored.version == 3 && found.stored.store == store)
        try found.file.close()
      }
    }
    #expect(tried > 10)
  }

  /// A copy that stands alone has no journal. If it is beside one with a tail, the cut-off bytes are kept too.
  @Test func theTailOfTheJournalBesideACopyIsKept() throws {
    let snapshot = Snapshot.bytes(Graph.empty.numbered(17), Fixed.header(generation: 0))
    let tail: [UInt8] = [1, 2, 3, 4]
    let files = [
      StoryTeller.path: snapshot,
      Self.journal: JournalWriter(JournalHeader(store: Fixed.store, generation: 0, base: 17)).headerBytes + tail,
    ]
    let verdicts = judge(files, StoryTeller.path, snapshot, "nothing")
    let kept = try #require(try verdicts.opened.get().cutOff?.keptAt)
    #expect(verdicts.disk.files[kept]?.suffix(4) == tail[...])
  }

  /// Splits a journal into its header and records, by FORMAT.md.
  private static func records(_ bytes: [UInt8]) -> [[UInt8]] {
    var parts = [Array(bytes.prefix(64))]
    var position = 64
    while position + 48 <= bytes.count {
      let length = bytes[position + 8..<position + 16].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = min(bytes.count, position + 40 + (length + 7) / 8 * 8 + 8)
      parts.append(Array(bytes[position..<end]))
      position = end
    }
    return parts
  }

  /// Splits a snapshot into its header, parts of 512 bytes, and its end.
  private static func blocks(_ bytes: [UInt8]) -> [[UInt8]] {
    var parts = [Array(bytes.prefix(64))]
    for position in stride(from: 64, to: bytes.count - 80, by: 512) {
      parts.append(Array(bytes[position..<min(position + 512, bytes.count - 80)]))
    }
    return parts + [Array(bytes.suffix(80))]
  }
}
