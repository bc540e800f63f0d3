/// The fields of a record's header whose checksum is correct.
struct RecordHeader {
  let kind: JournalRecord.Kind
  let length: Int
  let commit: UInt64
  let durableTo: UInt64

  /// The size of the record in bytes.
  var size: Int { JournalRecord.headerSize + length + JournalRecord.padding(length) + JournalRecord.trailerSize }

  /// The decrypted payload of a whole record; nil without a cipher.
  ///
  /// - Parameters:
  ///   - record: The bytes of the record.
  ///   - chain: The chain before it.
  ///   - offset: Its place in the file.
  func contents(
    in record: UnsafeRawBufferPointer, after chain: UInt32, by cipher: ContentCipher?, _ subject: CodecError.Subject,
    at offset: UInt64
  ) throws(CodecError) -> [UInt8]? {
    guard let cipher else { return nil }
    let payload = unsafe UnsafeRawBufferPointer(rebasing: record[JournalRecord.headerSize...].prefix(length))
    let opened = try unsafe cipher.open(
      payload, at: .record(kind: kind.rawValue, number: commit, stamp: durableTo, chain: chain), subject, offset: offset
    )
    return unsafe [UInt8](opened.bytes)
  }

  /// Reads the header at the beginning of `bytes`; nil if its checksum is wrong, or its fields are not those of a
  /// record.
  init?(_ bytes: UnsafeRawBufferPointer, seed: UInt32) {
    guard bytes.count >= JournalRecord.headerSize, unsafe Self.syndrome(bytes, seed: seed) == 0 else { return nil }
    unsafe self.init(sound: bytes)
  }

  /// Reads the fields of a header with a correct checksum; nil if they have no meaning.
  init?(sound bytes: UnsafeRawBufferPointer) {
    func number<Number: FixedWidthInteger>(_ offset: Int, _ type: Number.Type) -> Number {
      unsafe Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
    guard number(0, UInt32.self) == JournalRecord.magic,
      let kind = JournalRecord.Kind(rawValue: number(4, UInt32.self)),
      // Far below the maximum, so that adding the sizes around the payload cannot overflow.
      let length = Int(exactly: number(8, UInt64.self)), length < Int.max / 2, number(32, UInt32.self) == 0
    else { return nil }
    self.kind = kind
    self.length = length
    commit = number(16, UInt64.self)
    durableTo = number(24, UInt64.self)
  }

  /// The exclusive or of the stored and the computed checksum; `bytes` has at least 40 bytes.
  static func syndrome(_ bytes: UnsafeRawBufferPointer, seed: UInt32) -> UInt32 {
    let stored = unsafe UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: JournalRecord.headerChecksum, as: UInt32.self))
    return unsafe stored
      ^ CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes.prefix(JournalRecord.headerChecksum)), after: seed)
  }

  /// The position of the first header in `bytes` for which `condition` is true, given the header and its position; nil
  /// if there is no such header.
  ///
  /// Headers may begin at any byte, because damage may have moved records by any distance. Linear: a checksum of 36
  /// bytes is computed only where the magic is.
  static func first(
    in bytes: UnsafeRawBufferPointer, seed: UInt32, where condition: (RecordHeader, Int) -> Bool
  ) -> Int? {
    let magic = JournalRecord.magic
    var position = 0
    while position <= bytes.count - JournalRecord.headerSize {
      if unsafe UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)) == magic,
        let header = unsafe RecordHeader(UnsafeRawBufferPointer(rebasing: bytes[position...]), seed: seed),
        condition(header, position)
      {
        return position
      }
      position += 1
    }
    return nil
  }
}

/// The result of reading a record at a position.
enum RecordReading {
  /// A whole record, and the chain after it.
  case whole(RecordHeader, chain: UInt32)
  /// Bytes that would be a whole record if one bit were different.
  case oneBitOff
  /// Bytes with correct checksums that are not a record: a crash does not leave them.
  case senseless(String)
  /// Any other bytes.
  case broken(String)

  /// Reads the record at the beginning of `bytes`.
  ///
  /// - Complexity: linear in the announced length of the record.
  init(_ bytes: UnsafeRawBufferPointer, seed: UInt32, chain: UInt32) {
    guard bytes.count >= JournalRecord.headerSize else {
      self = .broken("the file ends within a record's header")
      return
    }
    let syndrome = unsafe RecordHeader.syndrome(bytes, seed: seed)
    if syndrome == 0 {
      if let header = unsafe RecordHeader(sound: bytes) {
        unsafe self.init(bytes, header, chain: chain)
      } else {
        self = .senseless("a record's header says what no record can")
      }
      return
    }
    self = .broken("there is no record's header")
    // A header with one flipped bit before a record that is otherwise whole is damage, not the result of a crash.
    guard let bit = CRC32C.flippedBit(syndrome: syndrome, count: JournalRecord.headerChecksum) else { return }
    var repaired = unsafe [UInt8](bytes.prefix(JournalRecord.headerSize))
    repaired[bit >> 3] ^= 1 << UInt8(bit & 7)
    unsafe repaired.withUnsafeBytes { fields in
      guard let header = unsafe RecordHeader(fields, seed: seed), header.size <= bytes.count else { return }
      let payload = unsafe UnsafeRawBufferPointer(
        rebasing: bytes[JournalRecord.headerSize..<header.size - JournalRecord.trailerSize])
      let fieldsChain = unsafe CRC32C.checksum(
        UnsafeRawBufferPointer(rebasing: fields.prefix(JournalRecord.headerChecksum)), after: chain)
      let trailer = unsafe Self.trailer(bytes, header)
      if unsafe CRC32C.checksum(payload, after: fieldsChain) == trailer.chain && trailer.mark == JournalRecord.endMark {
        self = .oneBitOff
      }
    }
  }

  /// Reads the record of a sound header.
  private init(_ bytes: UnsafeRawBufferPointer, _ header: RecordHeader, chain: UInt32) {
    guard header.size <= bytes.count else {
      self = .broken("the file ends within a record")
      return
    }
    let covered = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(header.size - JournalRecord.trailerSize))
    let (storedChain, mark) = unsafe Self.trailer(bytes, header)
    let newChain = unsafe JournalRecord.chain(covered, after: chain)
    let isMarked = mark == JournalRecord.endMark
    switch (newChain == storedChain, isMarked) {
    case (true, true):
      let zeros = unsafe covered.suffix(JournalRecord.padding(header.length))
      self =
        unsafe zeros.allSatisfy { $0 == 0 }
        ? .whole(header, chain: newChain) : .senseless("a record does not have zeros behind its contents")
    case (true, false):
      self =
        (mark ^ JournalRecord.endMark).nonzeroBitCount == 1
        ? .oneBitOff : .broken("a record does not have its end mark")
    case (false, true):
      let count = covered.count - JournalRecord.headerSize
      let isOneBit = CRC32C.flippedBit(syndrome: newChain ^ storedChain, count: count) != nil
      self = isOneBit ? .oneBitOff : .broken("a record does not have its checksum")
    case (false, false): self = .broken("a record does not have its checksum")
    }
  }

  private static func trailer(_ bytes: UnsafeRawBufferPointer, _ header: RecordHeader) -> (chain: UInt32, mark: UInt32)
  {
    func number(_ offset: Int) -> UInt32 {
      unsafe UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    return (number(header.size - 8), number(header.size - 4))
  }
}
