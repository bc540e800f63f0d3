import FiefDurability
import FiefFuzzing
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Malicious contents with correct checksums (goal G23).
@Suite(.leavesNoFileOpen) struct HostileTests {
  /// Numbers that break a reader that does not check them.
  static let numbers: [UInt64] = [
    0, 1, 127, 128, 255, 256, 65_535, 65_536, 1 << 20, (1 << 20) + 1, 1 << 31, 1 << 32, 1 << 40, 1 << 56, 1 << 61,
    1 << 62, (1 << 63) - 1, 1 << 63, .max - 1, .max,
  ]

  static func varint(_ number: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  /// A change in which numbers replace some of the bytes.
  static func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<1 + random.below(3) {
      let index = random.below(bytes.count + 1)
      let number = random.element(of: numbers)
      let fixed = withUnsafeBytes(of: number.littleEndian) { Array($0.prefix(1 << random.below(4))) }
      let replacement = random.bool() ? varint(number) : fixed
      let length = random.bool() ? replacement.count : random.below(3)
      bytes.replaceSubrange(index..<min(bytes.count, index + length), with: replacement)
    }
    return bytes
  }

  @Test(arguments: Seeds.first(Effort.of(debug: 5, release: 5, night: 200)))
  func noNumberInAChangeDoesHarm(seed: Seed) throws {
    var store = try RandomStore(seed: seed)
    var random = seed.random
    for _ in 0..<12 { _ = try store.step(operations: 6) }
    let before = store.graph
    let change = DeltaCodec.encode(try store.step(operations: 6))
    let whole = DeltaCodec.encode(Delta(from: .empty, to: store.graph))
    var accepted = 0
    for _ in 0..<100 {
      for (sound, base) in [(change, before), (whole, Graph.empty)] {
        let bytes = Self.damaged(sound, &random)
        guard let delta = try? DeltaCodec.decode(bytes) else { continue }
        accepted += 1
        #expect(DeltaCodec.encode(delta) == bytes)
        if let graph = try? base.applying(delta) { #expect(graph.checkInvariants() == []) }
      }
    }
    Trials.report("200 changes with hostile numbers, of which \(accepted) are changes")
  }

  @Test func aCountThatCannotBeIsRefusedBeforeRoomIsMade() async {
    await #expect(processExitsWith: .success) {
      let before = HostileTests.peakMemory()
      var refused = 0
      for number in HostileTests.numbers.dropFirst(4) {
        // The kind of a piece, and then a count at each position where a decoder allocates memory.
        for kind: UInt8 in 1...6 {
          for prefix: [UInt8] in [
            [], [2], [2, 0], [2, 0, 0], [2, 0, 0, 3], [2, 0, 0, 3, 1], [2, 0, 0, 3, 1, 7], [0, 0, 2],
          ] {
            let contents = prefix + HostileTests.varint(number) + [UInt8](repeating: 1, count: 9)
            let header = UInt64(contents.count) << 8 | UInt64(kind)
            let piece = withUnsafeBytes(of: header.littleEndian) { Array($0) } + contents
            if (try? DeltaCodec.decode(piece)) == nil { refused += 1 }
            // A piece whose announced length exceeds its length.
            let long = withUnsafeBytes(of: (number << 8 | UInt64(kind)).littleEndian) { Array($0) } + contents
            if (try? DeltaCodec.decode(long)) == nil { refused += 1 }
            let file = long.withUnsafeBytes { Sealing.snapshot($0, Fixed.header()) }
            if (try? Snapshot(file)) == nil { refused += 1 }
          }
        }
      }
      Trials.report("\(refused) impossible counts")
      if refused < 2000 { fatalError("Only \(refused) were refused.") }
      let growth = HostileTests.peakMemory() - before
      if growth > 16 << 20 { fatalError("Refusing took \(growth) bytes of memory.") }
    }
  }

  @Test func columnsOfManyTablesTakeNoMoreMemoryThanTheirBytes() async {
    await #expect(processExitsWith: .success) {
      let before = HostileTests.peakMemory()
      // A column with the highest possible number, in each of many tables. Each once took four MiB.
      let tables = (2..<2000).map { number in
        TableSchema(
          key: TableKey(rawValue: UInt32(number)), name: "t\(number)", kind: .ordinary,
          columns: [Column(key: ColumnKey(rawValue: (1 << 20) - 1), name: "c", type: ColumnType(.int))],
          nextColumn: 1 << 20)
      }
      let bytes = DeltaCodec.encode(Delta(schema: Schema(tables: Schema.empty.tables + tables, nextTable: 2000)))
      guard let delta = try? DeltaCodec.decode(bytes) else { fatalError("The schema is refused.") }
      if delta.schema?.tables.count != 2000 { fatalError("The schema is another.") }
      let growth = HostileTests.peakMemory() - before
      if growth > 32 << 20 { fatalError("\(bytes.count) bytes took \(growth) of memory.") }
    }
  }

  /// The peak memory of the process in bytes; 0 where it is not known. The address sanitizer keeps freed memory for a
  /// while, so the peak grows with all allocations and is not known there.
  static func peakMemory() -> Int {
    #if canImport(Glibc)
      if dlsym(nil, "__asan_init") != nil { return 0 }
    #endif
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }

  @Test func everyFileOfOneByteIsRefused() {
    for byte in UInt8.min...UInt8.max {
      #expect(throws: CodecError.self) { try Snapshot([byte]) }
      #expect(throws: CodecError.self) { try JournalReading.refuse([byte]) }
      _ = [byte].withUnsafeBytes { SnapshotScan($0) }
      if byte != 0 { #expect((try? DeltaCodec.decode([byte])) == nil) }
    }
  }

  @Test(arguments: Seeds.first(3))
  func noiseIsRefusedAtEveryPosition(seed: Seed) throws {
    var random = seed.random
    for _ in 0..<200 {
      let noise = random.bytes(count: random.below(300))
      _ = try? DeltaCodec.decode(noise)
      _ = noise.withUnsafeBytes { SnapshotScan($0) }
      #expect((try? Snapshot(noise)) == nil)
      let sealed = noise.withUnsafeBytes { Sealing.snapshot($0, Fixed.header()) }
      if let snapshot = try? Snapshot(sealed) { #expect(Snapshot.bytes(snapshot.graph, snapshot.header) == sealed) }
      let reading = try JournalReading(JournalWriter(Fixed.journal).headerBytes + noise)
      #expect(reading.commits == 0)
      #expect(reading.isTorn || noise.isEmpty)
    }
  }

  @Test func aChainOfAnyDepthIsReadWithoutAnyDepthOfCalls() throws {
    let transaction = Transaction(.empty)
    let node = try transaction.addTable("node", kind: .embedded)
    let next = try transaction.addColumn(to: node, "next", .link(to: node))
    let root = try transaction.addTable("root")
    let first = try transaction.addColumn(to: root, "first", .link(to: node))
    let key = try transaction.create(in: root)
    var cell = Cell(root, key, first)
    for _ in 0..<20_000 { cell = Cell(node, try transaction.createOwned(in: node, by: cell, .value), next) }
    let bytes = Snapshot.bytes(transaction.graph, Fixed.header(blockSize: 1 << 16))
    #expect(try Snapshot(bytes).graph == transaction.graph)
  }
}

extension JournalReading {
  /// Throws unless the header can be read.
  static func refuse(_ bytes: [UInt8]) throws(CodecError) {
    _ = try reading(bytes) { bytes throws(CodecError) in try JournalScanner(bytes) }
  }
}
