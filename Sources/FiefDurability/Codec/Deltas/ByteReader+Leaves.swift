import FiefGraph
import FiefRuntime
import FiefValues
import Foundation

extension ByteReader {
  /// Reads the values and nulls of one column, for `count` rows; `count` is not 0.
  mutating func leaf(count: Int) throws(CodecError) -> Leaf {
    let start = self
    let first = try byte()
    guard let tag = LeafTag(rawValue: first & ~LeafTag.hasNulls) else {
      throw start.wrong(.malformed, "there is no such form of column")
    }
    var nulls = Bitmap256()
    if first & LeafTag.hasNulls != 0 {
      nulls = try bitmap()
      if !(nulls - Bitmap256(prefix: count)).isEmpty {
        throw start.wrong(.malformed, "a row that is not there is null")
      }
    }
    switch tag {
    case .emptyCollections:
      if try unsafe read(count).contains(where: { $0 != 0 }) {
        throw start.wrong(.malformed, "an empty collection has elements")
      }
      return Leaf(values: .collection(ContiguousArray(repeating: nil, count: count)), nulls: nulls)
    case .lists: return Leaf(values: .collection(try collections(count: count, .list)), nulls: nulls)
    case .sets: return Leaf(values: .collection(try collections(count: count, .set)), nulls: nulls)
    case .dictionaries: return Leaf(values: .collection(try dictionaries(count: count)), nulls: nulls)
    default: return Leaf(values: try values(tag, count: count), nulls: nulls)
    }
  }

  /// Reads a run of `count` values that are not collections.
  private mutating func values(_ tag: LeafTag, count: Int) throws(CodecError) -> LeafValues {
    switch tag {
    case .int8: return .int8(try integers(count, Int8.self))
    case .int16: return .int16(try integers(count, Int16.self))
    case .int32: return .int32(try integers(count, Int32.self))
    case .int64: return .int64(try integers(count, Int64.self))
    case .float:
      let bits = try numbers(count, UInt32.self)
      return .float(ContiguousArray(bits.lazy.map(Float.init(bitPattern:))))
    case .double:
      let bits = try numbers(count, UInt64.self)
      return .double(ContiguousArray(bits.lazy.map(Double.init(bitPattern:))))
    case .string: return .string(try strings(count))
    case .data:
      let lengths = try lengths(count)
      var array: ContiguousArray<Data> = []
      array.reserveCapacity(count)
      for length in lengths { unsafe array.append(Data(try read(length))) }
      return .data(array)
    case .date: return .date(try items(count, of: 12) { reader throws(CodecError) in try reader.date() })
    case .objectId: return .objectId(try items(count, of: 12) { reader throws(CodecError) in try reader.objectId() })
    case .uuid: return .uuid(try items(count, of: 16) { reader throws(CodecError) in try reader.uuid() })
    case .decimal: return .decimal(try items(count, of: 16) { reader throws(CodecError) in try reader.decimal() })
    case .any: return .any(try items(count, of: 1) { reader throws(CodecError) in try reader.value() })
    default: throw wrong(.malformed, "collections cannot hold collections")
    }
  }

  /// Reads a run of items, each of at least `size` bytes.
  private mutating func items<Item>(
    _ count: Int, of size: Int, _ next: (inout ByteReader) throws(CodecError) -> Item
  ) throws(CodecError) -> ContiguousArray<Item> {
    guard count <= left / size else {
      throw wrong(.truncated, "\(count) values are announced and \(left) bytes are there")
    }
    var array: ContiguousArray<Item> = []
    array.reserveCapacity(count)
    for _ in 0..<count { array.append(try next(&self)) }
    return array
  }

  /// Reads a run of numbers of one width.
  private mutating func numbers<Number: FixedWidthInteger>(
    _ count: Int, _ type: Number.Type
  ) throws(CodecError) -> ContiguousArray<Number> {
    let bytes = try unsafe read(count, of: MemoryLayout<Number>.size)
    // All threads share the storage of an array without capacity, and filling it would write its count.
    if count == 0 { return [] }
    return unsafe ContiguousArray(unsafeUninitializedCapacity: count) { buffer, written in
      unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
      #if _endian(big)
        for index in 0..<count { buffer[index] = Number(littleEndian: buffer[index]) }
      #endif
      written = count
    }
  }

  /// Reads a run of integers in the narrowest width that holds all of them.
  private mutating func integers<Number: FixedWidthInteger & SignedInteger>(
    _ count: Int, _ type: Number.Type
  ) throws(CodecError) -> ContiguousArray<Number> {
    let start = self
    let array = try numbers(count, type)
    if IntegerRun.width(of: array) != MemoryLayout<Number>.size {
      throw start.wrong(.notCanonical, "integers are written wider than they need")
    }
    return array
  }

  /// Reads a width, and lengths in it, which must be the narrowest that holds all of them. Whether the bytes exist is
  /// checked when they are taken.
  private mutating func lengths(_ count: Int) throws(CodecError) -> ContiguousArray<Int> {
    let start = self
    switch try byte() {
    case 1: return try run(of: count, UInt8.self, from: start).lengths
    case 2: return try run(of: count, UInt16.self, from: start).lengths
    case 4: return try run(of: count, UInt32.self, from: start).lengths
    case 8: return try run(of: count, UInt64.self, from: start).lengths
    default: throw start.wrong(.malformed, "there is no such width of lengths")
    }
  }

  /// Reads lengths of one width. One must not be below the lowest that needs the width.
  private mutating func run<Number>(
    of count: Int, _ type: Number.Type, from start: ByteReader
  ) throws(CodecError) -> LengthRun<Number> {
    let run = unsafe LengthRun<Number>(try read(count, of: MemoryLayout<Number>.size), count)
    let most = UInt64(run.most)
    guard most <= UInt64(Int.max) else { throw start.wrong(.truncated, "a length is more than there can be") }
    let narrower = MemoryLayout<Number>.size * 4
    guard count > 0 && (narrower < 8 || most >> UInt64(narrower) > 0) else {
      throw start.wrong(.notCanonical, "lengths are written wider than they need")
    }
    return run
  }

  // MARK: Strings

  private mutating func strings(_ count: Int) throws(CodecError) -> CompactStrings {
    let start = self
    switch try byte() {
    case 1: return try strings(try run(of: count, UInt8.self, from: start))
    case 2: return try strings(try run(of: count, UInt16.self, from: start))
    case 4: return try strings(try run(of: count, UInt32.self, from: start))
    case 8: return try strings(try run(of: count, UInt64.self, from: start))
    default: throw start.wrong(.malformed, "there is no such width of lengths")
    }
  }

  private mutating func strings<Number>(_ lengths: LengthRun<Number>) throws(CodecError) -> CompactStrings {
    // A run of ASCII is UTF-8 wherever it is divided. Most runs are, so most strings need no look of their own.
    let total = lengths.total(limit: left + 1)
    let run = unsafe peek(total)
    let isASCII = unsafe run?.isASCII ?? false
    if isASCII, let run = unsafe run, let short = SmallString.Maker.available {
      _ = try unsafe read(total)
      if lengths.most > 15 {
        return unsafe .any(Self.texts(of: run, lengths, short) { unsafe String(decoding: $0, as: UTF8.self) })
      }
      return unsafe .small(
        Self.texts(of: run, lengths, short) {
          guard let small = unsafe SmallString(short: String(decoding: $0, as: UTF8.self)) else {
            fatalError("A text of at most 15 bytes is short.")
          }
          return small
        })
    }
    var array: ContiguousArray<String> = []
    array.reserveCapacity(lengths.count)
    for index in 0..<lengths.count {
      let start = offset
      let bytes = try unsafe read(lengths[index])
      let string = unsafe String(decoding: bytes.bindMemory(to: UInt8.self), as: UTF8.self)
      // Invalid UTF-8 is repaired, and then has other bytes. (Validating directly costs more: the standard library does
      // that for a generic sequence, and looks its type up each time.)
      guard unsafe isASCII || string.hasBytes(bytes) else {
        throw CodecError(in: subject, .malformed, at: start, "a text is not UTF-8")
      }
      array.append(string)
    }
    return CompactStrings(array)
  }

  /// The strings of a run of ASCII, whose lengths together are those of the run. The short ones are made of their bytes
  /// without a call: most strings are short, and their calls took a third of the time in which a file is opened.
  ///
  /// - Parameter make: makes the others, and those at the end of the run.
  @inline(__always)
  private static func texts<Number, Text>(
    of run: UnsafeRawBufferPointer, _ lengths: LengthRun<Number>, _ short: SmallString.Maker,
    _ make: (UnsafeRawBufferPointer) -> Text
  ) -> ContiguousArray<Text> {
    assert(lengths.count > 0, "All threads share the storage of an array without capacity.")
    return unsafe ContiguousArray(unsafeUninitializedCapacity: lengths.count) { texts, written in
      let first = unsafe texts.baseAddress.unsafelyUnwrapped
      var position = 0
      for index in 0..<lengths.count {
        let length = lengths[index]
        if unsafe !short.initialize(first + index, ascii: run, at: position, count: length) {
          let bytes = unsafe UnsafeRawBufferPointer(rebasing: run[position..<position &+ length])
          unsafe (first + index).initialize(to: make(bytes))
        }
        position &+= length
      }
      assert(position == run.count, "A run consists of its strings.")
      written = lengths.count
    }
  }

  // MARK: Collections

  /// Reads the number of elements of each collection. Their total is not 0 and not more than the remaining bytes.
  private mutating func counts(_ count: Int) throws(CodecError) -> (counts: ContiguousArray<Int>, total: Int) {
    let start = self
    let counts = try lengths(count)
    var total = 0
    for count in counts {
      guard count <= left - total else {
        throw start.wrong(.truncated, "more elements are announced than there are bytes")
      }
      total += count
    }
    if total == 0 { throw start.wrong(.notCanonical, "empty collections are written as others") }
    return (counts, total)
  }

  private mutating func collections(
    count: Int, _ shape: ColumnShape
  ) throws(CodecError) -> ContiguousArray<StoredCollection?> {
    let (counts, total) = try counts(count)
    let start = self
    guard let tag = LeafTag(rawValue: try byte()) else {
      throw start.wrong(.malformed, "there is no such form of element")
    }
    let run = try values(tag, count: total)
    func split<Element: Storable>(_ all: ContiguousArray<Element>) -> ContiguousArray<StoredCollection?> {
      var next = 0
      return ContiguousArray(
        counts.map { count in
          defer { next += count }
          if count == 0 { return nil }
          let own = OrderedTree(leaf: ContiguousArray(all[next..<next + count]))
          return StoredElements(shape, own, kind: run.kind ?? .any)
        })
    }
    return switch run {
    case .int8, .int16, .int32, .int64: split(Int64.buffer(of: run))
    case .float, .double: split(run.doubles)
    case .string(let texts): split(texts.strings)
    default: split(run.values)
    }
  }

  private mutating func dictionaries(count: Int) throws(CodecError) -> ContiguousArray<StoredCollection?> {
    let (counts, total) = try counts(count)
    let keys = try strings(total)
    let values = try items(total, of: 1) { reader throws(CodecError) in try reader.value() }
    var next = 0
    return ContiguousArray(
      counts.map { count in
        defer { next += count }
        return count == 0
          ? nil
          : StoredDictionary(
            OrderedTree((next..<next + count).lazy.map { DictionaryEntry(key: keys[$0], value: values[$0]) }))
      })
  }
}

extension String {
  /// Whether the string's UTF-8 is `bytes`.
  @inline(__always)
  fileprivate func hasBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let isEqual = unsafe utf8.withContiguousStorageIfAvailable { own in
      guard own.count == bytes.count else { return false }
      guard let a = own.baseAddress, let b = bytes.baseAddress else { return true }
      return unsafe memcmp(a, b, own.count) == 0
    }
    return unsafe isEqual ?? utf8.elementsEqual(bytes)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether all bytes are ASCII. Reads eight at a time.
  fileprivate var isASCII: Bool {
    var bits: UInt64 = 0
    var position = 0
    while position &+ 8 <= count {
      unsafe bits |= loadUnaligned(fromByteOffset: position, as: UInt64.self)
      position &+= 8
    }
    while position < count {
      unsafe bits |= UInt64(self[position])
      position &+= 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }
}

/// Lengths of one width, where they were read.
@safe  // It lies in the bytes of a reader; each index is below `count`.
private struct LengthRun<Number: FixedWidthInteger & UnsignedInteger> {
  private let bytes: UnsafeRawBufferPointer
  let count: Int

  init(_ bytes: UnsafeRawBufferPointer, _ count: Int) {
    assert(bytes.count == count * MemoryLayout<Number>.size, "A run has the bytes of its lengths.")
    unsafe self.bytes = bytes
    self.count = count
  }

  private func number(_ index: Int) -> Number {
    unsafe Number(
      littleEndian: bytes.loadUnaligned(fromByteOffset: index &* MemoryLayout<Number>.size, as: Number.self))
  }

  /// A length, which is at most `Int.max`: the reader has checked them.
  @inline(__always)
  subscript(index: Int) -> Int { Int(truncatingIfNeeded: number(index)) }

  /// The greatest length.
  var most: Number {
    var most: Number = 0
    for index in 0..<count { most = max(most, number(index)) }
    return most
  }

  /// The sum of the lengths; at least `limit` if it is more than that.
  func total(limit: Int) -> Int {
    var total = 0
    for index in 0..<count { total = min(total, limit) &+ min(self[index], limit) }
    return total
  }

  var lengths: ContiguousArray<Int> { ContiguousArray((0..<count).lazy.map { self[$0] }) }
}
