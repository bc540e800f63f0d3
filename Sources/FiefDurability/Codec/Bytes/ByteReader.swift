// Unsafe code, and why it is right: a reader lends out parts of a buffer that its caller holds for as long as the
// reader lives; every part lies between `position` and `end`, because each way forward goes through `take`, which
// compares the count with what is left before anything else.

/// Reads numbers and bytes from a buffer, from front to back; whatever is not there is an error with its place.
///
///     base            position ▶                    end
///     ├──── read ─────┼──────── left ────────────────┤
///
/// It never traps, never reads outside the buffer, and allocates nothing.
struct ByteReader {
  /// What the bytes are read as, for errors.
  let subject: CodecError.Subject
  /// Where in the file the buffer begins.
  let fileOffset: UInt64
  private let bytes: UnsafeRawBufferPointer
  /// How many bytes were read.
  private(set) var position = 0

  init(_ bytes: UnsafeRawBufferPointer, _ subject: CodecError.Subject, at fileOffset: UInt64 = 0) {
    self.bytes = bytes
    self.subject = subject
    self.fileOffset = fileOffset
  }

  /// How many bytes are left.
  @inline(__always)
  var left: Int { bytes.count &- position }

  /// Where the next byte stands in the file.
  var offset: UInt64 { fileOffset &+ UInt64(truncatingIfNeeded: position) }

  /// An error at the present place.
  func wrong(_ code: CodecError.Code, _ reason: String) -> CodecError { CodecError(subject, code, at: offset, reason) }

  /// The next `count` bytes.
  @inline(__always)
  mutating func take(_ count: Int) throws(CodecError) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= left else { throw cut(count) }
    let part = UnsafeRawBufferPointer(rebasing: bytes[position..<position &+ count])
    position &+= count
    return part
  }

  @inline(never)
  private func cut(_ count: Int) -> CodecError {
    wrong(.truncated, "\(count) bytes are announced and \(left) are there")
  }

  /// The next `count` items of `size` bytes each.
  mutating func take(_ count: Int, of size: Int) throws(CodecError) -> UnsafeRawBufferPointer {
    let (total, overflow) = count.multipliedReportingOverflow(by: size)
    if overflow { throw wrong(.truncated, "\(count) items are announced, which is more than there can be") }
    return try take(total)
  }

  /// A number of its type's width, the lowest byte first.
  @inline(__always)
  mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) throws(CodecError) -> Number {
    let part = try take(MemoryLayout<Number>.size)
    return Number(littleEndian: part.loadUnaligned(as: Number.self))
  }

  @inline(__always)
  mutating func byte() throws(CodecError) -> UInt8 {
    guard position < bytes.count else { throw cut(1) }
    let byte = bytes[position]
    position &+= 1
    return byte
  }

  /// A number in groups of seven bits, the lowest first; the last has its highest bit clear and is not zero, unless it
  /// is the only one.
  @inline(__always)
  mutating func varint() throws(CodecError) -> UInt64 {
    let first = try byte()
    return first < 0x80 ? UInt64(first) : try longVarint(first)
  }

  @inline(never)
  private mutating func longVarint(_ first: UInt8) throws(CodecError) -> UInt64 {
    var result = UInt64(first & 0x7F)
    var shift: UInt64 = 7
    while true {
      let next = try byte()
      if shift == 63 && next > 1 { throw wrong(.malformed, "a number has more than 64 bits") }
      result |= UInt64(next & 0x7F) &<< shift
      if next < 0x80 {
        if next == 0 { throw wrong(.notCanonical, "a number is written in more bytes than it needs") }
        return result
      }
      shift &+= 7
    }
  }

  /// A signed number, written as 0, -1, 1, -2, … would be counted.
  @inline(__always)
  mutating func signedVarint() throws(CodecError) -> Int64 {
    let folded = try varint()
    return Int64(bitPattern: folded &>> 1) ^ (0 &- Int64(bitPattern: folded & 1))
  }

  /// A number of things that follow, each of at least `size` bytes: more than the bytes can hold are refused before
  /// anyone makes room for them.
  mutating func count(of what: StaticString, eachAtLeast size: Int = 1) throws(CodecError) -> Int {
    let number = try varint()
    guard number <= UInt64(left / size) else {
      throw wrong(.truncated, "\(number) \(what) are announced and \(left) bytes are there")
    }
    return Int(truncatingIfNeeded: number)
  }

  /// A number that fits 32 bits.
  mutating func number32(_ what: StaticString) throws(CodecError) -> UInt32 {
    guard let number = UInt32(exactly: try varint()) else { throw wrong(.malformed, "\(what) is out of range") }
    return number
  }

  /// Bytes after their count.
  mutating func countedBytes() throws(CodecError) -> UnsafeRawBufferPointer {
    try take(try count(of: "bytes"))
  }

  /// UTF-8 after the number of its bytes.
  mutating func string() throws(CodecError) -> String {
    let bytes = try countedBytes()
    guard let string = String(validating: bytes, as: UTF8.self) else { throw wrong(.malformed, "a text is not UTF-8") }
    return string
  }

  /// Throws unless everything was read.
  func finish(_ what: StaticString) throws(CodecError) {
    if left > 0 { throw wrong(.trailing, "\(what) has \(left) bytes more than it needs") }
  }
}
