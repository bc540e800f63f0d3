import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// Files whose end is lost, or was never written (goal G6).
@Suite(.leavesNoFileOpen) struct TruncationTests {
  static let size = Effort.of(debug: 16 << 10, release: 16 << 10, night: 1 << 20)

  /// The positions where the header and each record end.
  private func wholeCommits(_ stage: JournalStage) -> [Int] {
    var ends: [Int] = [JournalHeader.size]
    for record in stage.records { ends.append((ends.last ?? 0) + record.count) }
    return ends
  }

  private func stage() throws -> JournalStage {
    var commits = 30
    while true {
      let stage = try JournalStage(seed: Seed(7), commits: commits, lag: 3, operations: 1)
      if stage.open.count >= Self.size { return stage }
      commits += commits / 2
    }
  }

  @Test func aJournalOfAnyLengthHoldsTheCommitsThatAreWhole() throws {
    let stage = try stage()
    let (bytes, ends) = (stage.open, wholeCommits(stage))
    // A new scanner is needed only where another record has become whole; the records before it read as usual.
    var scanners: [JournalScanner] = []
    try bytes.withUnsafeBytes { bytes in
      var scanner = try JournalScanner(bytes)
      scanners.append(scanner)
      while scanner.next(bytes) != nil { scanners.append(scanner) }
      for length in 0..<bytes.count {
        let cut = UnsafeRawBufferPointer(rebasing: bytes.prefix(length))
        if length < JournalHeader.size {
          #expect(throws: CodecError.self) { try JournalScanner(cut) }
          continue
        }
        let commits = ends.lastIndex { $0 <= length } ?? 0
        var scanner = scanners[commits]
        #expect(scanner.next(cut) == nil)
        if length == ends[commits] {
          #expect(scanner.end == .clean)
        } else {
          guard case .torn? = scanner.end else {
            Issue.record("a journal of \(length) bytes ends \(String(describing: scanner.end))")
            return
          }
          #expect(scanner.length == ends[commits])
        }
      }
    }
    Trials.report("\(bytes.count) lengths of a journal")
  }

  @Test func aTailOfZerosOrNoiseOrAnOlderGenerationIsCutOff() throws {
    let stage = try JournalStage(seed: Seed(8), commits: 40, operations: 1)
    let older = try JournalStage(
      seed: Seed(8), commits: 40, operations: 1, header: JournalHeader(store: Fixed.store, generation: 2, base: 17))
    let (bytes, ends) = (stage.open, wholeCommits(stage))
    var random = Seed(8).random
    let noise = random.bytes(count: bytes.count)
    var tried = 0
    for (name, tail) in [
      ("zeros", [UInt8](repeating: 0, count: bytes.count)), ("noise", noise),
      ("ones", [UInt8](repeating: 255, count: bytes.count)),
      ("older", older.open + noise),
    ] {
      for length in stride(from: JournalHeader.size, to: bytes.count, by: Effort.of(debug: 113, release: 7, night: 1)) {
        let damaged = Array(bytes[..<length]) + tail[length..<bytes.count]
        // The missing bytes may be replaced by equal bytes, such as the end mark of another record.
        let commits = (ends.lastIndex { damaged[..<$0] == bytes[..<$0] }) ?? 0
        let reading = try JournalReading(damaged)
        tried += 1
        // A last record that is whole except for one bit is damaged and not torn. The byte in the position of its last
        // byte differs from it by one bit once in 32.
        let end = commits + 1 < ends.count ? ends[commits + 1] : bytes.count
        let flipped = (ends[commits]..<end).reduce(0) { $0 + (bytes[$1] ^ damaged[$1]).nonzeroBitCount }
        let isCut =
          reading.isTorn || flipped == 1 && reading.isDamaged || ends.contains(damaged.count) && damaged == bytes
        guard reading.commits == commits, isCut else {
          Issue.record("\(name) from byte \(length): \(reading.commits) commits, \(String(describing: reading.end))")
          return
        }
      }
    }
    Trials.report("\(tried) tails")
  }

  @Test func aSealedJournalThatLostItsSealIsReadToItsEndAsIfItWereOpen() throws {
    let stage = try JournalStage(seed: Seed(9), commits: 10)
    let sealed = stage.sealed
    for length in stage.open.count..<sealed.count {
      let reading = try JournalReading(Array(sealed[..<length]))
      #expect(reading.commits == 10)
      #expect(!reading.isDamaged)
    }
  }

  @Test func noTruncatedSnapshotIsRead() async throws {
    let bytes = try FlipTests.snapshot(atLeast: Self.size)
    let stops = try SnapshotStops(bytes)
    let read = await Trials.sum(over: 0..<bytes.count) { part in
      part.count { length in
        // All blocks before the cut one are whole. So most lengths are read from there, and the others from the
        // beginning.
        if length > 4096 && length % 29 != 0 && bytes.count - length > 100 {
          return bytes.withUnsafeBytes { !stops.isRefused($0, cutTo: length) }
        }
        return (try? Snapshot(Array(bytes[..<length]))) != nil
      }
    }
    #expect(read == 0)
    for tail in [[UInt8](repeating: 0, count: 1), [0xFF], Array(bytes.prefix(64)), bytes] {
      #expect(throws: CodecError.self) { try Snapshot(bytes + tail) }
    }
    Trials.report("the lengths of a snapshot of \(bytes.count) bytes")
  }
}
