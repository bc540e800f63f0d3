import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// Whole records and blocks in positions other than their own (goal G7).
@Suite(.leavesNoFileOpen) struct SpliceTests {
  static let count = Effort.of(debug: 10, release: 64, night: 512)

  /// Every journal that results from one by removing, repeating, exchanging or replacing a record.
  @Test func noRecordPassesInAnotherPosition() async throws {
    let stage = try JournalStage(seed: Seed(11), commits: Self.count, operations: 1)
    let other = try JournalStage(
      seed: Seed(11), commits: Self.count, operations: 1,
      header: JournalHeader(store: Fixed.otherStore, generation: 3, base: 17))
    let older = try JournalStage(
      seed: Seed(11), commits: Self.count, operations: 1,
      header: JournalHeader(store: Fixed.store, generation: 2, base: 17))
    let records = stage.records + [Array(stage.sealed[stage.open.count...])]
    let head = stage.writer.headerBytes
    let offsets = records.reduce(into: [head.count]) { $0.append($0[$0.count - 1] + $1.count) }
    let bytes = stage.sealed
    let before = bytes.withUnsafeBytes { bytes -> [JournalScanner] in
      guard var scanner = try? JournalScanner(bytes) else { return [] }
      var scanners = [scanner]
      while scanner.next(bytes) != nil { scanners.append(scanner) }
      return scanners
    }
    // `index` is the first record that differs; the records before it are read as usual.
    @Sendable func isRefused(_ spliced: [[UInt8]], from index: Int) -> Bool {
      let changed = Array(bytes[..<offsets[index]]) + spliced.joined()
      return changed.withUnsafeBytes { bytes in
        var scanner = before[index]
        if scanner.next(bytes) != nil { return false }
        // Before the seal, every change is damage. Only if the seal itself is gone can the end look torn.
        if case .damaged? = scanner.end { return true }
        return spliced.last != records.last
      }
    }
    let missed = await Trials.sum(over: 0..<records.count) { part in
      var missed = 0
      for i in part {
        for j in records.indices {
          if i == j {
            if i + 1 < records.count, !isRefused(Array(records[(i + 1)...]), from: i) { missed += 1 }
          } else if i < j {
            var swapped = Array(records[i...])
            swapped.swapAt(0, j - i)
            if !isRefused(swapped, from: i) { missed += 1 }
          }
          // Record j a second time, before record i, and in its position.
          if i != j, !isRefused([records[j]] + records[i...], from: i) { missed += 1 }
          if i != j, !isRefused([records[j]] + records[(i + 1)...], from: i) { missed += 1 }
          for stranger in [other, older] where j < stranger.records.count {
            if !isRefused([stranger.records[j]] + records[(i + 1)...], from: i) { missed += 1 }
          }
        }
      }
      return missed
    }
    #expect(missed == 0)
    Trials.report(
      "all pairs of \(records.count) records: taken out, repeated, exchanged, from another store and generation")
  }

  @Test func noBlockPassesInAnotherPosition() async throws {
    let size = 512
    let header = Fixed.header()
    let bytes = try FlipTests.snapshot(atLeast: size * Self.count, header: header)
    let graph = try Snapshot(bytes).graph
    let strangers = [
      Snapshot.bytes(graph, Fixed.header(store: Fixed.otherStore)), Snapshot.bytes(graph, Fixed.header(generation: 2)),
    ]
    let stops = try SnapshotStops(bytes)
    func index(_ block: Int) -> Range<Int> { 64 + block * size..<64 + (block + 1) * size }
    let full = min(Self.count, stops.count - 1)
    let missed = await Trials.sum(over: 0..<full) { part in
      var missed = 0
      func isRefused(_ changed: [UInt8], _ block: Int) -> Bool {
        changed.withUnsafeBytes { stops.isRefused($0, from: 64 + block * size) }
      }
      for i in part {
        var without = bytes
        without.removeSubrange(64 + i * size..<64 + (i + 1) * size)
        if !isRefused(without, i) { missed += 1 }
        for j in 0..<full where i != j {
          var replaced = bytes
          replaced.replaceSubrange(
            64 + i * size..<64 + (i + 1) * size, with: bytes[64 + j * size..<64 + (j + 1) * size])
          if !isRefused(replaced, i) { missed += 1 }
          if i < j {
            replaced.replaceSubrange(
              64 + j * size..<64 + (j + 1) * size, with: bytes[64 + i * size..<64 + (i + 1) * size])
            if !isRefused(replaced, i) { missed += 1 }
          }
        }
        for stranger in strangers {
          for j in 0..<full {
            var replaced = bytes
            replaced.replaceSubrange(
              64 + i * size..<64 + (i + 1) * size, with: stranger[64 + j * size..<64 + (j + 1) * size])
            if !isRefused(replaced, i) { missed += 1 }
          }
        }
      }
      return missed
    }
    #expect(missed == 0)
    // With the header of another snapshot, all blocks have wrong seeds.
    for stranger in strangers {
      #expect(throws: CodecError.self) { try Snapshot(Array(stranger[..<64]) + bytes[64...]) }
      #expect(throws: CodecError.self) { try Snapshot(Array(bytes[..<(bytes.count - 80)]) + stranger.suffix(80)) }
    }
    Trials.report("all pairs of \(full) blocks")
  }
}
