import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// Records with correct checksums and contents that no writer produces: each is damage, and none is accepted.
@Suite(.leavesNoFileOpen) struct MisplacedRecordTests {
  /// A journal of two commits behind version 17, and a seal; and the positions of its records.
  private func journal() throws -> (bytes: [UInt8], starts: [Int]) {
    var writer = JournalWriter(Fixed.journal)
    var (bytes, starts) = (writer.headerBytes, [Int]())
    var graph = Graph.empty.numbered(17)
    for _ in 0..<2 {
      let next = StageStore.next(after: graph)
      starts.append(bytes.count)
      bytes += try writer.commit(Delta(from: graph, to: next), userVersion: 0, durableTo: 17)
      graph = next
    }
    starts.append(bytes.count)
    bytes += try writer.seal()
    return (bytes, starts)
  }

  private func end(_ bytes: [UInt8]) throws -> (commit: UInt64, end: JournalEnd?) {
    try bytes.withUnsafeBytes { raw in
      var scanner = try JournalScanner(raw)
      while scanner.next(raw) != nil {}
      #expect(scanner.next(raw) == nil)
      return (scanner.lastCommit, scanner.end)
    }
  }

  /// Replaces a number in a record's header: at 16 the commit, at 24 the durable-to.
  private func journal(_ number: UInt8, at position: Int, ofRecord record: Int) throws -> [UInt8] {
    var (bytes, starts) = try journal()
    bytes[starts[record] + position] = number
    bytes.believe()
    return bytes
  }

  @Test func aSoundJournalPasses() throws {
    var bytes = try journal().bytes
    let before = bytes
    bytes.believe()
    #expect(bytes == before)
    let (commit, end) = try end(bytes)
    #expect(commit == 19)
    #expect(end == .sealed)
  }

  @Test(arguments: [
    (position: 16, record: 1, number: UInt8(20), "that of another"), (24, 1, 19, "before it was written"),
    (24, 1, 16, "older than the snapshot"), (16, 2, 18, "a seal is that of another"),
    (24, 2, 18, "a seal is that of another"), (32, 1, 1, "says what no record can"),
    (35, 1, 1, "says what no record can"),
    (4, 0, 0, "says what no record can"), (4, 1, 3, "says what no record can"), (7, 2, 1, "says what no record can"),
  ])
  func aRecordThatSaysWhatNoWriterSaysIsDamage(position: Int, record: Int, number: UInt8, words: String) throws {
    let (commit, end) = try end(journal(number, at: position, ofRecord: record))
    #expect(commit == UInt64(17 + record))
    guard case .damaged(let error) = end else {
      Issue.record("It ended as \(String(describing: end)).")
      return
    }
    #expect(error.reason.contains(words))
  }

  /// Reads a journal of one commit with one byte of payload, and the zeros behind it.
  private func smallest(base: UInt64 = 17, _ change: (inout [UInt8]) -> Void) throws -> JournalEnd? {
    var writer = JournalWriter(JournalHeader(store: Fixed.store, generation: 3, base: base))
    var bytes = writer.headerBytes
    bytes += try writer.commit(Delta(), userVersion: 9, durableTo: base)
    #expect(bytes.count == 64 + 40 + 8 + 8)
    change(&bytes)
    bytes.believe()
    let (commit, end) = try end(bytes)
    #expect(commit == (end == .clean ? base + 1 : base))
    return end
  }

  private func expectDamage(_ end: JournalEnd?, _ words: String) {
    guard case .damaged(let error) = end else {
      Issue.record("It ended as \(String(describing: end)).")
      return
    }
    #expect(error.reason.contains(words))
  }

  @Test func bytesBehindContentsAreZeros() throws {
    #expect(try smallest { _ in } == .clean)
    for position in 1...7 {
      expectDamage(try smallest { $0[104 + position] = 1 }, "does not have zeros behind its contents")
    }
  }

  @Test func aSealHasNoContents() throws {
    // The commit is marked as a seal of the last commit.
    let end = try smallest { bytes in
      bytes[64 + 4] = 2
      bytes[64 + 16] = 17
    }
    expectDamage(end, "a seal has contents")
  }

  @Test func aCommitBeyondTheLastNumberIsDamage() throws {
    #expect(try smallest(base: (1 << 62) - 1) { _ in } == .clean)
    expectDamage(try smallest(base: 1 << 62) { _ in }, "a number that none can have")
  }

  @Test func aHeaderAloneCanBeRead() throws {
    let bytes = try journal().bytes
    #expect(try reading(bytes) { raw throws(CodecError) in try JournalScanner(raw).header } == Fixed.journal)
  }
}
