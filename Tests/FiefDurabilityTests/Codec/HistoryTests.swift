import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// Histories as bytes.
@Suite struct HistoryTests {
  @Test(arguments: Seeds.first(4))
  func aHistoryLeadsBackThroughAllVersions(seed: Seed) throws {
    let stage = try JournalStage(seed: seed, commits: 15)
    let reading = try HistoryReading(stage.history, on: stage.states.last)
    #expect(reading.fault == nil && reading.versions == (17..<32).reversed())
    #expect(reading.times == (17..<32).reversed().map(JournalStage.time))
    #expect(reading.states == stage.states.reversed())
  }

  @Test func timesOfCommitsAreReadAsTheyWereWritten() throws {
    let header = JournalHeader(store: Fixed.store, generation: 4, base: 17, isTimed: true, history: 3)
    let stage = try JournalStage(seed: Seed(3), commits: 5, header: header)
    let times = try stage.sealed.withUnsafeBytes { raw in
      var scanner = try JournalScanner(raw)
      #expect(scanner.header == header)
      var times: [UInt64?] = []
      while let record = scanner.next(raw) {
        if record.kind == .commit { times.append(try record.change(in: raw).time) }
      }
      #expect(scanner.end == .sealed)
      return times
    }
    #expect(times == (17..<22).map(JournalStage.time))
  }

  @Test func everyFlippedBitIsAFaultAndGivesNoOtherVersion() throws {
    let stage = try JournalStage(seed: Seed(5), commits: 4, operations: 1)
    let bytes = stage.history
    let last = stage.states.last
    for bit in stride(from: 0, to: bytes.count * 8, by: Effort.of(debug: 5, release: 1)) {
      var flipped = bytes
      flipped[bit >> 3] ^= 1 << UInt8(bit & 7)
      guard let reading = try? HistoryReading(flipped, on: last) else { continue }
      #expect(reading.fault != nil && reading.states.count < stage.states.count, "bit \(bit)")
      #expect(reading.states == Array(stage.states.reversed().prefix(reading.states.count)), "bit \(bit)")
    }
  }

  @Test func everyLostEndIsAFault() throws {
    let stage = try JournalStage(seed: Seed(6), commits: 4, operations: 1)
    for length in 0..<stage.history.count {
      let reading = try? HistoryReading(Array(stage.history.prefix(length)))
      #expect(reading == nil ? length < 64 : reading?.fault != nil, "\(length) bytes")
    }
    let longer = try HistoryReading(stage.history + [0])
    #expect(longer.fault?.code == .trailing)
  }

  @Test func recordsOfAnotherPlaceOrFileAreNotAccepted() throws {
    let stage = try JournalStage(seed: Seed(8), commits: 3)
    let other = HistoryHeader(store: Fixed.otherStore, generation: 3, version: 20, oldest: 17)
    let foreign = HistoryWriter(other).headerBytes + stage.history.dropFirst(64)
    #expect(try HistoryReading(foreign).versions == [])
    #expect(throws: CodecError.self) { try HistoryReading(stage.sealed) }
    var writer = HistoryWriter(HistoryHeader(store: Fixed.store, generation: 3, version: 20, oldest: 18))
    let bytes = try writer.headerBytes + writer.version(Delta(), time: 1)
    let reading = try HistoryReading(bytes)
    #expect(reading.versions == [19] && reading.fault?.code == .truncated)
  }

  @Test func moreVersionsThanAnnouncedTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var writer = HistoryWriter(HistoryHeader(store: Fixed.store, generation: 3, version: 20, oldest: 20))
      _ = try writer.version(Delta(), time: 1)
    }
    expectSentence("A history that ends at version 20 cannot lead further back", of: result)
  }

  @Test func theKindOfAHistoryIsKnownByItsFirstBytes() throws {
    let bytes = HistoryWriter(HistoryHeader(store: Fixed.store, generation: 3, version: 2, oldest: 2)).headerBytes
    let kind = bytes.withUnsafeBytes { FileKind(of: $0) }
    #expect(kind == .history(formatVersion: 1) && kind.phrase == "a history of format 1")
    let error = #expect(throws: CodecError.self) { try Snapshot(bytes) }
    #expect(error?.code == .foreign(.history(formatVersion: 1)))
  }
}
