// Unsafe code, and why it is right: a reader lends out parts of a buffer that its caller keeps alive as long as the
// reader. Every part lies between `position` and `end`, because each advance goes through `take`, which first compares
// the count with the remaining bytes, or, for one byte, through `byte`, which compares too.

/// Reads numbers and bytes from a buffer, from front to back. Missing bytes are an error with an offset.
///
///     base            position ▶                    end
///     ├──── read ─────┼──────── left ────────────────┤
///
/// It never traps, never reads outside the buffer, and allocates memory only for the strings that it returns.
@safe  // `init` takes the buffer, so its callers are marked; every read is inside of the buffer.
struct ByteReader {
  /// The kind of data that the bytes are read as, for error messages.
  let subject: CodecError.Subject
  /// The offset of the buffer in the file.
  let fileOffset: UInt64
  private let bytes: UnsafeRawBufferPointer
  /// The number of bytes read so far.
  private(set) var position = 0

  init(_ bytes: UnsafeRawBufferPointer, _ subject: CodecError.Subject, at fileOffset: UInt64 = 0) {
    unsafe self.bytes = bytes
    self.subject = subject
    self.fileOffset = fileOffset
  }

  /// The number of bytes left.
  @inline(__always)
  var left: Int { unsafe bytes.count &- position }

  /// The offset of the next byte in the file.
  var offset: UInt64 { fileOffset &+ UInt64(truncatingIfNeeded: position) }

  /// Creates an error at the current offset.
  func wrong(_ code: CodecError.Code, _ reason: String) -> CodecError {
    CodecError(in: subject, code, at: offset, reason)
  }

  /// Reads the next `count` bytes.
  @inline(__always)
  mutating func read(_ count: Int) throws(CodecError) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= left else { throw cut(count) }
    let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[position..<position &+ count])
    position &+= count
    return unsafe part
  }

  /// The next `count` bytes, which remain to be read; nil if there are fewer.
  func peek(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, count <= left else { return nil }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[position..<position &+ count])
  }

  @inline(never)
  private func cut(_ count: Int) -> CodecError {
    wrong(.truncated, "\(count) bytes are announced and \(left) are there")
  }

  /// Reads the next `count` items of `size` bytes each.
  mutating func read(_ count: Int, of size: Int) throws(CodecError) -> UnsafeRawBufferPointer {
    let (total, overflow) = count.multipliedReportingOverflow(by: size)
    if overflow { throw wrong(.truncated, "\(count) items are announced, which is more than there can be") }
    return try unsafe read(total)
  }

  /// Reads a little-endian number of its type's width.
  @inline(__always)
  mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) throws(CodecError) -> Number {
    let part = try unsafe read(MemoryLayout<Number>.size)
    return unsafe Number(littleEndian: part.loadUnaligned(as: Number.self))
  }

  @inline(__always)
  mutating func byte() throws(CodecError) -> UInt8 {
    guard unsafe position < bytes.count else { throw cut(1) }
    let byte = unsafe bytes[position]
    position &+= 1
    return byte
  }

  /// Reads a number in groups of seven bits, the lowest first. The last byte has its highest bit clear and is not zero,
  /// unless it is the only one.
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

  /// Reads a signed number: 0, 1, 2, 3, … stand for 0, -1, 1, -2, …
  @inline(__always)
  mutating func signedVarint() throws(CodecError) -> Int64 {
    let folded = try varint()
    return Int64(bitPattern: folded &>> 1) ^ (0 &- Int64(bitPattern: folded & 1))
  }

  /// Reads the number of items that follow, each of at least `size` bytes. More items than the remaining bytes can hold
  /// are refused, before memory is allocated for them.
  mutating func count(of what: StaticString, eachAtLeast size: Int = 1) throws(CodecError) -> Int {
    let number = try varint()
    guard number <= UInt64(left / size) else {
      throw wrong(.truncated, "\(number) \(what) are announced and \(left) bytes are there")
    }
    return Int(truncatingIfNeeded: number)
  }

  /// Reads a number that fits 32 bits.
  mutating func number32(_ what: StaticString) throws(CodecError) -> UInt32 {
    guard let number = UInt32(exactly: try varint()) else { throw wrong(.malformed, "\(what) is out of range") }
    return number
  }

  /// Reads bytes after their count.
  mutating func countedBytes() throws(CodecError) -> UnsafeRawBufferPointer {
    try unsafe read(try count(of: "bytes"))
  }

  /// Reads UTF-8 after the number of its bytes.
  mutating func string() throws(CodecError) -> String {
    let bytes = try unsafe countedBytes()
    guard let string = unsafe String(validating: bytes, as: UTF8.self) else {
      throw wrong(.malformed, "a text is not UTF-8")
    }
    return string
  }

  /// Throws unless all bytes were read.
  func finish(_ what: StaticString) throws(CodecError) {
    if left > 0 { throw wrong(.trailing, "\(what) has \(left) bytes more than it needs") }
  }
}
