import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

@Suite(.leavesNoFileOpen) struct JournalTests {
  @Test(arguments: Seeds.first(5))
  func aJournalLeadsFromItsBaseToEachCommit(seed: Seed) throws {
    let stage = try JournalStage(seed: seed, commits: 20)
    for (bytes, end) in [(stage.open, JournalEnd.clean), (stage.sealed, .sealed)] {
      let reading = try JournalReading(bytes, on: stage.base)
      #expect(reading.end == end)
      #expect(reading.states == stage.states)
    }
  }

  @Test func aJournalIsGoneOnWithWhereItEnds() throws {
    let stage = try JournalStage(seed: Seed(1), commits: 6)
    let cut = try JournalStage(seed: Seed(1), commits: 3)
    // Also after a seal: it states that everything before it is on the disk, not that no record follows.
    for begun in [cut.open, cut.sealed] {
      var bytes = begun
      var writer = try bytes.withUnsafeBytes { bytes in
        var scanner = try JournalScanner(bytes)
        while scanner.next(bytes) != nil {}
        return scanner.continuation
      }
      #expect(writer.lastCommit == 20)
      for position in 3..<6 {
        let delta = Delta(from: stage.states[position], to: stage.states[position + 1])
        bytes += try writer.commit(delta, userVersion: 5, durableTo: 20)
      }
      let reading = try JournalReading(bytes, on: stage.base)
      #expect(reading.end == .clean)
      #expect(reading.states == stage.states)
    }
  }

  @Test func aCommitThatChangesTheUsersVersionAloneIsARecord() throws {
    var writer = JournalWriter(Fixed.journal)
    let bytes = try writer.headerBytes + writer.commit(Delta(), userVersion: 9, durableTo: 17)
    let change = try bytes.withUnsafeBytes { bytes in
      var scanner = try JournalScanner(bytes)
      return try scanner.next(bytes)?.change(in: bytes)
    }
    #expect(change?.userVersion == 9)
    #expect(change?.delta.isEmpty == true)
  }

  /// Four records. If `vouching`, each states that those before it were on the disk; otherwise no record does.
  private func records(vouching: Bool) throws -> (header: [UInt8], records: [[UInt8]]) {
    var writer = JournalWriter(Fixed.journal)
    let header = writer.headerBytes
    let records = try (0..<4).map { number in
      try writer.commit(Delta(), userVersion: 5, durableTo: vouching ? 17 + UInt64(number) : 17)
    }
    return (header, records)
  }

  @Test(arguments: 0...17) func headersAreFoundAtEveryByte(moved: Int) throws {
    let foreign = [UInt8](repeating: 0xAB, count: moved)
    for isVouching in [true, false] {
      let (header, records) = try records(vouching: isVouching)
      let bytes = header + records[0] + records[1] + foreign + records[2] + records[3]
      let reading = try JournalReading(bytes)
      #expect(reading.commits == (moved == 0 ? 4 : 2))
      switch reading.end {
      case .clean: #expect(moved == 0)
      case .damaged: #expect(moved > 0 && isVouching)
      case .torn(_, let commits):
        #expect(moved > 0 && !isVouching)
        #expect(commits == 2)
      default: Issue.record("It ended as \(String(describing: reading.end)).")
      }
    }
  }

  /// An application may store a copy of the file in itself, with the seal that the next commit overwrites.
  @Test func aSealInTheContentsOfATornCommitIsNoDamage() throws {
    var writer = JournalWriter(Fixed.journal)
    let whole = try writer.headerBytes + writer.commit(Delta(), userVersion: 5, durableTo: 17)
    var closing = writer
    let seal = try closing.seal()
    let record = try (whole + seal).withUnsafeBytes { try writer.commit(sealing: $0, durableTo: 18) }
    for length in 1..<record.count {
      let reading = try JournalReading(whole + record[..<length])
      #expect(reading.isTorn && reading.commits == 1, "\(length) bytes")
    }
    // Seals that are no such copy: one behind the contents, one behind other contents, and one of the commit itself.
    var noise = record
    for byte in 40..<60 { noise[byte] ^= 0x5A }
    #expect(try JournalReading(whole + noise).isTorn)
    #expect(try JournalReading(whole + noise + seal).isDamaged)
    #expect(try JournalReading(whole + whole[64...].dropLast(8) + seal).isDamaged)
    #expect(try JournalReading(whole + record[..<80] + writer.seal()).isDamaged)
  }

  @Test func recordsBeginAtMultiplesOfEight() throws {
    let stage = try JournalStage(seed: Seed(2), commits: 20)
    #expect(stage.records.allSatisfy { $0.count % 8 == 0 })
    #expect(stage.sealed.count == stage.open.count + 48)
  }

  @Test func aWriterThatPromisesTooMuchTraps() async {
    let itself = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var writer = JournalWriter(JournalHeader(store: Fixed.store, generation: 1, base: 4))
      _ = try writer.commit(Delta(), userVersion: 0, durableTo: 5)
    }
    expectSentence("Commit 5 cannot be written as one that is on the disk up to 5", of: itself)
    let less = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var writer = JournalWriter(JournalHeader(store: Fixed.store, generation: 1, base: 4))
      _ = try writer.commit(Delta(), userVersion: 0, durableTo: 3)
    }
    expectSentence("Commit 4 is in the snapshot, and cannot be said to be on the disk up to 3 only", of: less)
  }
}
