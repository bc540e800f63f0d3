import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// Files that no writer makes and no damage: every checksum in them is right, and what they say contradicts it or themselves.
@Suite(.leavesNoFileOpen) struct ForgedTests {
  /// A snapshot in blocks of 512 bytes whose checksums can be made right again.
  private struct Forgery {
    var bytes: [UInt8]
    private let blockSize = 512

    init(_ graph: Graph) { bytes = Snapshot.bytes(graph, Fixed.header()) }

    private var seed: UInt32 { number(at: 60) }

    /// How many blocks there are, the last of which may be shorter.
    var blocks: Int { (bytes.count - 144 + blockSize - 1) / blockSize }

    private func number(at place: Int) -> UInt32 {
      bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func put(_ number: UInt32, at place: Int) {
      for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: number >> UInt32(8 * byte)) }
    }

    private func seed(of index: Int) -> UInt32 {
      withUnsafeBytes(of: UInt64(index).littleEndian) { CRC32C.checksum($0, after: seed) }
    }

    /// Gives a block its checksum.
    mutating func seal(block index: Int) {
      let start = 64 + index * blockSize
      let block = Array(bytes[start + 4..<min(start + blockSize, bytes.count - 80)])
      put(block.withUnsafeBytes { CRC32C.checksum($0, after: seed(of: index)) }, at: start)
    }

    /// Gives the digest its checksum.
    mutating func sealEnd() {
      let digest = Array(bytes[(bytes.count - 16)..<(bytes.count - 8)])
      put(digest.withUnsafeBytes { CRC32C.checksum($0, after: seed(of: blocks)) }, at: bytes.count - 8)
    }

    /// Why it is refused.
    var refusal: CodecError? {
      do throws(CodecError) { _ = try Snapshot(bytes) } catch { return error }
      return nil
    }
  }

  private static func dogs(_ type: ColumnType, _ values: [Value]) throws -> Graph {
    let t = Transaction(.empty)
    let dogs = try t.addTable("Dog")
    let column = try t.addColumn(to: dogs, "value", type)
    for value in values { try t.create(in: dogs) { try $0.set(value, column) } }
    return t.graph
  }

  private static func names(_ count: Int, last: String = "dog") throws -> Graph {
    try dogs(ColumnType(.string), (1..<count).map { .string("dog number \($0)") } + [.string(last)])
  }

  @Test func resealedAsItWasItIsASnapshot() throws {
    var forgery = Forgery(try Self.names(200))
    let before = forgery.bytes
    #expect(forgery.blocks > 3)
    for block in 0..<forgery.blocks { forgery.seal(block: block) }
    forgery.sealEnd()
    #expect(forgery.bytes == before)
    #expect(forgery.refusal == nil)
  }

  @Test func aBlockThatBeginsAPieceBehindItsEndIsRefused() throws {
    var forgery = Forgery(try Self.names(200))
    forgery.put(5000, at: 64 + 8)
    forgery.seal(block: 0)
    #expect(forgery.refusal?.code == .malformed)
    #expect(forgery.refusal?.reason.contains("begins a piece behind its end") == true)
  }

  @Test func aBlockThatBeginsItsFirstPieceElsewhereIsRefused() throws {
    var forgery = Forgery(try Self.names(200))
    forgery.put(3, at: 64 + 8)
    forgery.seal(block: 0)
    #expect(forgery.refusal?.reason.contains("begins its first piece elsewhere") == true)
  }

  @Test func anEndWithoutItsChecksumAndOneWithADigestOfOtherBytesAreRefused() throws {
    var forgery = Forgery(try Self.names(20))
    forgery.bytes[forgery.bytes.count - 12] ^= 1
    #expect(forgery.refusal?.reason.contains("the end does not have the checksum") == true)
    forgery.sealEnd()
    #expect(forgery.refusal?.reason.contains("the whole does not have the digest") == true)
  }

  /// Where the last block is full, what is too much is seen only behind the end.
  @Test func bytesBehindAFullLastBlockAreRefused() throws {
    let length = try #require(
      try (0..<600).first { length in
        (Forgery(try Self.names(20, last: String(repeating: "x", count: length))).bytes.count - 144) % 512 == 0
      })
    var forgery = Forgery(try Self.names(20, last: String(repeating: "x", count: length)))
    #expect(forgery.refusal == nil)
    forgery.bytes.append(0)
    #expect(forgery.refusal?.code == .trailing)
    // And what ends behind a full block that is not the last has lost its end.
    let cut = Array(Forgery(try Self.names(200)).bytes.prefix(64 + 512 * 2))
    let scan = cut.withUnsafeBytes { SnapshotScan($0) }
    #expect(scan.damages.contains { $0.code == .truncated })
  }

  @Test func rowsThatDoNotFitTheirSchemaAreRefused() throws {
    let numbers = try Self.dogs(ColumnType(.int), [.int(1), .int(2)])
    let texts = try Self.dogs(ColumnType(.string), [.string("a")])
    let rows = Delta(from: .empty, to: numbers)
    let mixed = DeltaCodec.encode(Delta(schema: Delta(from: .empty, to: texts).schema, tables: rows.tables))
    let length = 8 + mixed[1..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    let bytes = (mixed + [6] + mixed[1..<length]).withUnsafeBytes { Sealing.snapshot($0, Fixed.header()) }
    let error = #expect(throws: CodecError.self) { try Snapshot(bytes) }
    #expect(error?.code == .unsound)
  }

  /// The last piece of a change, with its last bytes replaced by others.
  private func change(_ graph: Graph, endingIn old: [UInt8], insteadIn new: [UInt8]) throws -> CodecError? {
    var bytes = DeltaCodec.encode(Delta(from: .empty, to: graph))
    #expect(Array(bytes.suffix(old.count)) == old)
    var (start, next) = (0, 0)
    while next < bytes.count {
      start = next
      next += 8 + bytes[start + 1..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    bytes.replaceSubrange((bytes.count - old.count)..., with: new)
    bytes[start + 1] += UInt8(new.count - old.count)
    do throws(CodecError) { _ = try DeltaCodec.decode(bytes) } catch { return error }
    return nil
  }

  @Test func integersAndLengthsThatAreWiderThanTheyNeedAreRefused() throws {
    let numbers = try Self.dogs(ColumnType(.int), [.int(5)])
    #expect(try change(numbers, endingIn: [1, 5], insteadIn: [1, 6]) == nil)
    let wide = try change(numbers, endingIn: [1, 5], insteadIn: [2, 5, 0])
    #expect(wide?.code == .notCanonical)
    #expect(wide?.reason == "integers are written wider than they need")
    let texts = try Self.dogs(ColumnType(.string), [.string("ab")])
    let lengths = try change(texts, endingIn: [7, 1, 2, 97, 98], insteadIn: [7, 2, 2, 0, 97, 98])
    #expect(lengths?.reason == "lengths are written wider than they need")
    for width: UInt8 in [4, 8] {
      let zeros = [UInt8](repeating: 0, count: Int(width) - 1)
      let error = try change(texts, endingIn: [7, 1, 2, 97, 98], insteadIn: [7, width, 2] + zeros + [97, 98])
      #expect(error?.reason == "lengths are written wider than they need")
    }
  }

  @Test func aPositionBeyondAllNumbersIsRefused() throws {
    let t = Transaction(try Self.dogs(ColumnType(.int, shape: .list), []))
    let dogs = try #require(t.graph.table(named: "Dog"))
    let column = try #require(dogs.schema.column(named: "value")).key
    let key = try t.create(in: dogs.schema.key)
    let old = t.graph
    let next = Transaction(old)
    try next.append(.int(7), toList: Cell(dogs.schema.key, key, column))
    var bytes = DeltaCodec.encode(Delta(from: old, to: next.graph))
    // One splice: at 0, of none, with one value.
    let tail: [UInt8] = [1, 1, 0, 0, 1]
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: tail) })
    bytes.replaceSubrange(place + 2..<place + 4, with: [UInt8](repeating: 0xFF, count: 9) + [1, 5])
    let start = try #require(
      bytes.indices.first { bytes[$0] == 5 && bytes[($0 + 2)...].starts(with: [0, 0, 0, 0, 0, 0]) })
    bytes[start + 1] += 9
    do throws(CodecError) {
      _ = try DeltaCodec.decode(bytes)
      Issue.record("It was accepted.")
    } catch {
      #expect(error.reason == "a position is out of range")
    }
  }

  @Test func aJournalHeaderThatSaysMoreThanItsFormatIsRefused() throws {
    var bytes = JournalWriter(Fixed.journal).headerBytes
    #expect(try reading(bytes) { raw throws(CodecError) in try JournalHeader(reading: raw) } == Fixed.journal)
    bytes[50] = 1
    let crc = bytes[..<60].withUnsafeBytes { CRC32C.checksum($0) }
    for byte in 0..<4 { bytes[60 + byte] = UInt8(truncatingIfNeeded: crc >> UInt32(8 * byte)) }
    let error = #expect(throws: CodecError.self) {
      try reading(bytes) { raw throws(CodecError) in try JournalHeader(reading: raw) }
    }
    #expect(error?.reason == "the header says more than this format does")
  }
}
