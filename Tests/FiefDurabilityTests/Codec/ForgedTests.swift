import FiefDurability
import FiefFuzzing
import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// Files that neither a writer nor damage produces: every checksum in them is right, and their contents contradict it
/// or themselves.
@Suite(.leavesNoFileOpen) struct ForgedTests {
  /// A snapshot in blocks of 512 bytes whose checksums can be recomputed.
  private struct Forgery {
    var bytes: [UInt8]
    private let blockSize = 512

    init(_ graph: Graph) { bytes = Snapshot.bytes(graph, Fixed.header()) }

    private var seed: UInt32 { number(at: 60) }

    /// The number of blocks; the last one may be shorter.
    var blocks: Int { (bytes.count - 144 + blockSize - 1) / blockSize }

    private func number(at offset: Int) -> UInt32 {
      bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func put(_ number: UInt32, at offset: Int) {
      for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: number >> UInt32(8 * byte)) }
    }

    private func seed(of index: Int) -> UInt32 {
      withUnsafeBytes(of: UInt64(index).littleEndian) { CRC32C.checksum($0, after: seed) }
    }

    /// Recomputes the checksum of a block.
    mutating func seal(block index: Int) {
      let start = 64 + index * blockSize
      let block = Array(bytes[start + 4..<min(start + blockSize, bytes.count - 80)])
      put(block.withUnsafeBytes { CRC32C.checksum($0, after: seed(of: index)) }, at: start)
    }

    /// Recomputes the checksum of the digest.
    mutating func sealEnd() {
      let digest = Array(bytes[(bytes.count - 16)..<(bytes.count - 8)])
      put(digest.withUnsafeBytes { CRC32C.checksum($0, after: seed(of: blocks)) }, at: bytes.count - 8)
    }

    /// Recomputes the digest in the end.
    mutating func digestEnd() {
      let digest = Array(bytes[..<(bytes.count - 80)]).withUnsafeBytes { XXH64.digest($0) }
      put(UInt32(truncatingIfNeeded: digest), at: bytes.count - 16)
      put(UInt32(truncatingIfNeeded: digest >> 32), at: bytes.count - 12)
      sealEnd()
    }

    /// The error with which it is refused.
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
    forgery.digestEnd()
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

  /// A snapshot of several blocks, the last of which is full.
  private func fullToItsEnd() throws -> Forgery {
    func ending(in count: Int) throws -> Forgery {
      Forgery(try Self.names(50, last: String(repeating: "x", count: count)))
    }
    // Long enough that the lengths already take two bytes, so each further character adds one byte.
    let rest = try (ending(in: 300).bytes.count - 144) % 512
    let forgery = try ending(in: 300 + (512 - rest) % 512)
    #expect((forgery.bytes.count - 144) % 512 == 0)
    return forgery
  }

  @Test func anEmptyLastBlockBehindAnotherIsRefused() throws {
    var forgery = try fullToItsEnd()
    #expect(forgery.refusal == nil)
    // The last block is marked as not the last, and an empty last block follows it.
    let last = forgery.blocks - 1
    #expect(last > 0)
    forgery.put(500, at: 64 + last * 512 + 4)
    forgery.seal(block: last)
    forgery.bytes.insert(
      contentsOf: [0, 0, 0, 0, 0, 0, 0, 0x80, 0xFF, 0xFF, 0xFF, 0xFF], at: forgery.bytes.count - 80)
    forgery.seal(block: last + 1)
    forgery.digestEnd()
    #expect(forgery.refusal?.code == .notCanonical)
    #expect(forgery.refusal?.reason.contains("is empty") == true, "\(String(describing: forgery.refusal))")
    let bytes = forgery.bytes
    #expect(bytes.withUnsafeBytes { SnapshotScan($0) }.damages.count == 1)
  }

  /// If the last block is full, surplus bytes are found only behind the end.
  @Test func bytesBehindAFullLastBlockAreRefused() throws {
    var forgery = try fullToItsEnd()
    #expect(forgery.refusal == nil)
    forgery.bytes.append(0)
    #expect(forgery.refusal?.code == .trailing)
    // A file that ends behind a full block that is not the last has lost its end.
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

  /// Replaces the last bytes of the last piece of a change.
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

  @Test func numbersOfMoreBytesThanTheyNeedAreRefused() throws {
    let numbers = try Self.dogs(ColumnType(.int), [.int(5)])
    // The bitmap of the first row, one column, and its values.
    #expect(try change(numbers, endingIn: [0, 0, 1, 1, 5], insteadIn: [0, 0, 1, 1, 6]) == nil)
    for more: [UInt8] in [[0x81, 0], [0x81, 0x80, 0], [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0]] {
      let error = try change(numbers, endingIn: [0, 0, 1, 1, 5], insteadIn: [0, 0] + more + [1, 5])
      #expect(error?.code == .notCanonical)
      #expect(error?.reason == "a number is written in more bytes than it needs")
    }
    // An any-value: a signed number.
    let any = try Self.dogs(ColumnType(.any), [.int(5)])
    let error = try change(any, endingIn: [13, 3, 10], insteadIn: [13, 3, 0x8A, 0])
    #expect(error?.reason == "a number is written in more bytes than it needs")
    let most = [UInt8](repeating: 0xFF, count: 9)
    #expect(try change(any, endingIn: [13, 3, 10], insteadIn: [13, 3] + most + [1]) == nil)
    let tooMuch = try change(any, endingIn: [13, 3, 10], insteadIn: [13, 3] + most + [2])
    #expect(tooMuch?.reason == "a number has more than 64 bits")
  }

  @Test func bitmapsInALongerFormThanTheyNeedAreRefused() throws {
    let one = try Self.dogs(ColumnType(.int), [.int(5)])
    let words = [UInt8](repeating: 0, count: 31)
    for form: [UInt8] in [[1, 0], [32, 1] + words] {
      let error = try change(one, endingIn: [0, 0, 1, 1, 5], insteadIn: form + [1, 1, 5])
      #expect(error?.code == .notCanonical)
      #expect(error?.reason == "a bitmap is written in a longer form than it needs")
    }
    // Row 3 alone is not a prefix, so it is written as its number.
    #expect(try change(one, endingIn: [0, 0, 1, 1, 5], insteadIn: [1, 3, 1, 1, 5]) == nil)
    let wide = try change(one, endingIn: [0, 0, 1, 1, 5], insteadIn: [32, 8] + words + [1, 1, 5])
    #expect(wide?.code == .notCanonical)
    let two = try Self.dogs(ColumnType(.int), [.int(5), .int(6)])
    for bits: [UInt8] in [[3, 1], [3, 3]] {
      let error = try change(two, endingIn: [0, 1, 1, 1, 5, 6], insteadIn: [2] + bits + [1, 1, 5, 6])
      #expect(error?.reason == "the bits of a bitmap do not ascend")
    }
    #expect(try change(one, endingIn: [0, 0, 1, 1, 5], insteadIn: [33, 0, 1, 1, 5])?.code == .malformed)
    // A bitmap without rows, and a null row that does not exist.
    #expect(try change(one, endingIn: [0, 0, 1, 1, 5], insteadIn: [32, 0] + words + [1, 1, 5]) != nil)
    #expect(try change(one, endingIn: [1, 1, 5], insteadIn: [1, 0x81, 0, 1, 5])?.code == .malformed)
  }

  @Test func aDateOfASecondAndMoreOfNanosecondsIsRefused() throws {
    let date = try Self.dogs(ColumnType(.date), [.date(Timestamp(seconds: 7, nanoseconds: 999_999_999))])
    let seconds: [UInt8] = [9, 7, 0, 0, 0, 0, 0, 0, 0]
    let error = try change(
      date, endingIn: seconds + [0xFF, 0xC9, 0x9A, 0x3B], insteadIn: seconds + [0x00, 0xCA, 0x9A, 0x3B])
    #expect(error?.code == .notCanonical)
    #expect(error?.reason == "a date has nanoseconds of more than a second")
  }

  /// Tests strings in a column, where short and long ones are read in different ways, and single strings.
  @Test func aTextThatIsNotUTF8IsRefused() throws {
    for count in [2, 8, 15, 16, 40] {
      let text = [UInt8](repeating: 97, count: count)
      for broken in [text.dropLast() + [0xC3], [0xC3, 0x28] + text.dropFirst(2), [0xED, 0xA0] + text.dropFirst(2)] {
        for (kind, start) in [(ValueKind.string, [7, 1, UInt8(count)]), (.any, [13, 6, UInt8(count)])] {
          let graph = try Self.dogs(ColumnType(kind), [.string(String(repeating: "a", count: count))])
          let error = try change(graph, endingIn: start + text, insteadIn: start + broken)
          #expect(error?.reason == "a text is not UTF-8", "\(kind), \(broken)")
        }
      }
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
    // One splice: at 0, of no elements, with one value.
    let tail: [UInt8] = [1, 1, 0, 0, 1]
    let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: tail) })
    bytes.replaceSubrange(offset + 2..<offset + 4, with: [UInt8](repeating: 0xFF, count: 9) + [1, 5])
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
    #expect(try reading(bytes) { raw throws(CodecError) in try JournalScanner(raw).header } == Fixed.journal)
    bytes[50] = 1
    let crc = bytes[..<60].withUnsafeBytes { CRC32C.checksum($0) }
    for byte in 0..<4 { bytes[60 + byte] = UInt8(truncatingIfNeeded: crc >> UInt32(8 * byte)) }
    let error = #expect(throws: CodecError.self) {
      try reading(bytes) { raw throws(CodecError) in try JournalScanner(raw).header }
    }
    #expect(error?.reason == "the header says more than this format does")
  }
}
