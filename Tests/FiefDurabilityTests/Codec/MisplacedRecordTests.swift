import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// Records whose checksums are right, and which say what no writer says: each is damage, and none is taken.
@Suite(.leavesNoFileOpen) struct MisplacedRecordTests {
  /// A journal of two commits behind version 17, and a seal; and where its records begin.
  private func journal() -> (bytes: [UInt8], starts: [Int]) {
    var writer = JournalWriter(Fixed.journal)
    var (bytes, starts) = (writer.headerBytes, [Int]())
    var graph = Graph.empty.numbered(17)
    for _ in 0..<2 {
      let next = StageStore.next(after: graph)
      starts.append(bytes.count)
      bytes += writer.commit(Delta(from: graph, to: next), userVersion: 0, durableTo: 17)
      graph = next
    }
    starts.append(bytes.count)
    bytes += writer.seal()
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

  /// A number in a record's header, at its place: 16 is the commit, 24 what was on the disk.
  private func journal(_ number: UInt8, at place: Int, ofRecord record: Int) -> [UInt8] {
    var (bytes, starts) = journal()
    bytes[starts[record] + place] = number
    bytes.believe()
    return bytes
  }

  @Test func aSoundJournalPasses() throws {
    var bytes = journal().bytes
    let before = bytes
    bytes.believe()
    #expect(bytes == before)
    let (commit, end) = try end(bytes)
    #expect(commit == 19)
    #expect(end == .sealed)
  }

  @Test(arguments: [
    (place: 16, record: 1, number: UInt8(20), "that of another"), (24, 1, 19, "before it was written"),
    (24, 1, 16, "older than the snapshot"), (16, 2, 18, "a seal is that of another"),
    (24, 2, 18, "a seal is that of another"),
  ])
  func aRecordThatSaysWhatNoWriterSaysIsDamage(place: Int, record: Int, number: UInt8, words: String) throws {
    let (commit, end) = try end(journal(number, at: place, ofRecord: record))
    #expect(commit == UInt64(17 + record))
    guard case .damaged(let error) = end else {
      Issue.record("It ended as \(String(describing: end)).")
      return
    }
    #expect(error.reason.contains(words))
  }

  @Test func aHeaderAloneCanBeRead() throws {
    let bytes = journal().bytes
    #expect(try reading(bytes) { raw throws(CodecError) in try JournalHeader(reading: raw) } == Fixed.journal)
  }
}
