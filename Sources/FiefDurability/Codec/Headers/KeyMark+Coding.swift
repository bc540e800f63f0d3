// The mark stands behind the header, in 64 bytes:
//
//     0         4                      8            56      60    64
//     │overhead │ length of identifier │ identifier │ zeros │ CRC │

extension KeyMark {
  /// The size of a mark in bytes.
  static let size = 64

  /// Appends the mark.
  ///
  /// - Parameter seed: The checksum of the header.
  func write(to writer: ByteWriter, after seed: UInt32) {
    let start = writer.count
    writer.fixed(UInt32(overhead))
    writer.fixed(UInt32(identifier.count))
    for byte in identifier { writer.append(byte) }
    writer.zeros(Self.longestIdentifier + 4 - identifier.count)
    writer.fixed(
      unsafe CRC32C.checksum(UnsafeRawBufferPointer(rebasing: writer.bytes[start...]), after: seed))
  }

  /// Reads the mark behind a header.
  init(_ reader: inout ByteReader, after seed: UInt32) throws(CodecError) {
    let start = reader
    let bytes = try unsafe reader.read(Self.size)
    let crc = unsafe CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes.dropLast(4)), after: seed)
    var fields = unsafe ByteReader(bytes, reader.subject, at: start.offset)
    let (overhead, length) = (try fields.fixed(UInt32.self), try fields.fixed(UInt32.self))
    let room = try unsafe fields.read(Self.longestIdentifier)
    let zeros = try fields.fixed(UInt32.self)
    guard try fields.fixed(UInt32.self) == crc else {
      throw start.wrong(.checksum, "what it says of its key does not have the checksum that it was written with")
    }
    guard overhead <= Self.highestOverhead, length <= Self.longestIdentifier, zeros == 0,
      unsafe room.dropFirst(Int(length)).allSatisfy({ $0 == 0 })
    else { throw start.wrong(.malformed, "it says of its key what no file can") }
    self.init(identifier: unsafe Array(room.prefix(Int(length))), overhead: Int(overhead))
  }
}
