/// The fields of a record's header, which has its checksum.
struct RecordHeader {
  let kind: JournalRecord.Kind
  let length: Int
  let commit: UInt64
  let durableTo: UInt64

  /// How many bytes the record has.
  var size: Int { JournalRecord.headerSize + length + JournalRecord.padding(length) + JournalRecord.trailerSize }

  /// The header at the beginning of `bytes`; nil when there is none with its checksum, or none of a record.
  init?(_ bytes: UnsafeRawBufferPointer, seed: UInt32) {
    guard bytes.count >= JournalRecord.headerSize, Self.syndrome(bytes, seed: seed) == 0 else { return nil }
    self.init(sound: bytes)
  }

  /// The fields, whose checksum is right; nil when they mean nothing.
  init?(sound bytes: UnsafeRawBufferPointer) {
    func number<Number: FixedWidthInteger>(_ offset: Int, _ type: Number.Type) -> Number {
      Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
    guard number(0, UInt32.self) == JournalRecord.magic,
      let kind = JournalRecord.Kind(rawValue: number(4, UInt32.self)),
      // Far below the end of all numbers, so that what is around the payload can be added.
      let length = Int(exactly: number(8, UInt64.self)), length < Int.max / 2, number(32, UInt32.self) == 0
    else { return nil }
    self.kind = kind
    self.length = length
    commit = number(16, UInt64.self)
    durableTo = number(24, UInt64.self)
  }

  /// How the checksum that is there differs from the one that should be; `bytes` are 40 or more.
  static func syndrome(_ bytes: UnsafeRawBufferPointer, seed: UInt32) -> UInt32 {
    let stored = UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: JournalRecord.headerChecksum, as: UInt32.self))
    return stored
      ^ CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes.prefix(JournalRecord.headerChecksum)), after: seed)
  }

  /// Where the first header stands in `bytes` of which, and of its place, `condition` is true; nil when there is none.
  ///
  /// Headers begin at any byte here: what was moved may have been moved by any distance. Linear: a checksum of 36 bytes
  /// is computed only where the magic is.
  static func first(
    in bytes: UnsafeRawBufferPointer, seed: UInt32, where condition: (RecordHeader, Int) -> Bool
  ) -> Int? {
    let magic = JournalRecord.magic
    var place = 0
    while place <= bytes.count - JournalRecord.headerSize {
      if UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)) == magic,
        let header = RecordHeader(UnsafeRawBufferPointer(rebasing: bytes[place...]), seed: seed),
        condition(header, place)
      {
        return place
      }
      place += 1
    }
    return nil
  }
}

/// What stands at a place where a record should.
enum RecordReading {
  /// A whole record, and the chain after it.
  case whole(RecordHeader, chain: UInt32)
  /// What would be a whole record if one bit were otherwise.
  case oneBitOff
  /// Bytes that have their checksums and make no record: no crash leaves them.
  case senseless(String)
  /// Nothing of the kind.
  case broken(String)

  /// Looks at the beginning of `bytes`, which is where a record should be.
  ///
  /// - Complexity: linear in the record that the header announces.
  init(_ bytes: UnsafeRawBufferPointer, seed: UInt32, chain: UInt32) {
    guard bytes.count >= JournalRecord.headerSize else {
      self = .broken("the file ends within a record's header")
      return
    }
    let syndrome = RecordHeader.syndrome(bytes, seed: seed)
    if syndrome == 0 {
      if let header = RecordHeader(sound: bytes) {
        self.init(bytes, header, chain)
      } else {
        self = .senseless("a record's header says what no record can")
      }
      return
    }
    self = .broken("there is no record's header")
    // A header that would be one with another bit, before a record that is then whole, is not what a crash leaves.
    guard let bit = CRC32C.flippedBit(syndrome: syndrome, count: JournalRecord.headerChecksum) else { return }
    var repaired = [UInt8](bytes.prefix(JournalRecord.headerSize))
    repaired[bit >> 3] ^= 1 << UInt8(bit & 7)
    repaired.withUnsafeBytes { fields in
      guard let header = RecordHeader(fields, seed: seed), header.size <= bytes.count else { return }
      let payload = UnsafeRawBufferPointer(
        rebasing: bytes[JournalRecord.headerSize..<header.size - JournalRecord.trailerSize])
      let fieldsChain = CRC32C.checksum(
        UnsafeRawBufferPointer(rebasing: fields.prefix(JournalRecord.headerChecksum)), after: chain)
      let trailer = Self.trailer(bytes, header)
      if CRC32C.checksum(payload, after: fieldsChain) == trailer.chain && trailer.mark == JournalRecord.endMark {
        self = .oneBitOff
      }
    }
  }

  /// The record whose header is there.
  private init(_ bytes: UnsafeRawBufferPointer, _ header: RecordHeader, _ chain: UInt32) {
    guard header.size <= bytes.count else {
      self = .broken("the file ends within a record")
      return
    }
    let covered = UnsafeRawBufferPointer(rebasing: bytes.prefix(header.size - JournalRecord.trailerSize))
    let (storedChain, mark) = Self.trailer(bytes, header)
    let newChain = JournalRecord.chain(covered, after: chain)
    let isMarked = mark == JournalRecord.endMark
    switch (newChain == storedChain, isMarked) {
    case (true, true):
      let zeros = covered.suffix(JournalRecord.padding(header.length))
      self =
        zeros.allSatisfy { $0 == 0 }
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
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    return (number(header.size - 8), number(header.size - 4))
  }
}
