import FiefGraph

/// Encodes a journal, record by record; the caller writes the bytes to a file.
///
///     var writer = JournalWriter(header)
///     try file.append(writer.headerBytes)
///     var next = writer                                      // a value: kept only when the bytes are in the file
///     try file.append(next.commit(delta, userVersion: 1, durableTo: synced))
///     writer = next
///
/// `JournalScanner.continuation` creates the writer for an existing journal.
package struct JournalWriter: Sendable {
  /// The header of the journal.
  package let header: JournalHeader
  /// The number of the last commit; the base without one.
  package private(set) var lastCommit: UInt64
  /// The checksum of the header, from which those of the record headers continue.
  let seed: UInt32
  /// The checksum of the last record, from which that of the next one continues.
  private(set) var chain: UInt32
  /// Encrypts the payloads; nil in a plain file.
  let cipher: ContentCipher?

  /// Creates the writer of a new journal.
  ///
  /// - Parameter key: The key of its payloads; nil for a plain file.
  package init(_ header: JournalHeader, key: FileKey? = nil) {
    (self.header, cipher) = header.keyed(key)
    seed = self.header.write(to: ByteWriter())
    chain = seed
    lastCommit = header.base
  }

  init(_ header: JournalHeader, seed: UInt32, chain: UInt32, lastCommit: UInt64, cipher: ContentCipher?) {
    assert(lastCommit >= header.base, "A journal goes on from its base.")
    self.header = header
    self.cipher = cipher
    self.seed = seed
    self.chain = chain
    self.lastCommit = lastCommit
  }

  /// The first bytes of the file.
  package var headerBytes: [UInt8] {
    let writer = ByteWriter()
    _ = header.write(to: writer)
    return unsafe [UInt8](writer.bytes)
  }

  /// Encodes the record of the next commit.
  ///
  /// - Parameters:
  ///   - delta: The changes of the commit; empty when only the application's schema version changes.
  ///   - userVersion: The application's schema version after the commit.
  ///   - durableTo: The last commit that is known to be on the disk, from the base to the commit before this one. Traps
  ///     otherwise: a higher number would turn a torn tail into damage.
  ///   - time: The time of the commit in milliseconds since 1970. Only a journal with times contains it.
  /// - Throws: a failure of the cipher. The writer must not be used again then.
  /// - Complexity: linear in the delta.
  package mutating func commit(
    _ delta: Delta, userVersion: UInt64, durableTo: UInt64, time: UInt64 = 0
  ) throws(FileFailure) -> [UInt8] {
    let isTimed = header.isTimed
    return try commit(durableTo: durableTo) { writer in
      writer.varint(userVersion)
      if isTimed { writer.varint(time) }
      writer.delta(delta) { _ in }
    }
  }

  /// Encodes the record of the next commit with a payload of any bytes, so that tests and fuzzers can reach the code
  /// behind the checksums.
  package mutating func commit(sealing payload: UnsafeRawBufferPointer, durableTo: UInt64) throws(FileFailure)
    -> [UInt8]
  {
    try commit(durableTo: durableTo) { unsafe $0.append(payload) }
  }

  private mutating func commit(
    durableTo: UInt64, _ payload: (ByteWriter) -> Void
  ) throws(FileFailure) -> [UInt8] {
    let writer = ByteWriter(capacity: 1024)
    lastCommit += 1
    guard durableTo < lastCommit else {
      fatalError("Commit \(lastCommit) cannot be written as one that is on the disk up to \(durableTo).")
    }
    try record(.commit, durableTo: durableTo, to: writer) { payload(writer) }
    return unsafe [UInt8](writer.bytes)
  }

  /// Encodes the seal of a clean close. Write it only when all commits are on the disk.
  ///
  /// - Throws: a failure of the cipher. The writer must not be used again then.
  package mutating func seal() throws(FileFailure) -> [UInt8] {
    let writer = ByteWriter()
    try record(.seal, durableTo: lastCommit, to: writer) {}
    return unsafe [UInt8](writer.bytes)
  }

  private mutating func record(
    _ kind: JournalRecord.Kind, durableTo: UInt64, to writer: ByteWriter, _ payload: () -> Void
  ) throws(FileFailure) {
    guard durableTo >= header.base else {
      fatalError(
        "Commit \(header.base) is in the snapshot, and cannot be said to be on the disk up to \(durableTo) only.")
    }
    guard header.key == nil || cipher != nil else {
      fatalError("An encrypted journal was scanned without its key, and cannot be gone on with.")
    }
    assert(durableTo <= lastCommit, "Only a commit that was written can be on the disk.")
    chain = try JournalRecord.write(
      kind, number: lastCommit, stamp: durableTo, seed: seed, after: chain, by: cipher, to: writer, payload)
  }
}

extension JournalRecord {
  /// Writes a record of a journal or a history.
  ///
  /// - Parameters:
  ///   - number: The number of the commit, or of the version.
  ///   - stamp: The durable-to of a commit, or the time of a version.
  ///   - seed: The checksum of the file's header.
  ///   - previous: The checksum of the record before.
  ///   - cipher: Encrypts the payload; nil in a plain file.
  /// - Returns: the checksum of the record.
  /// - Throws: a failure of the cipher.
  static func write(
    _ kind: Kind, number: UInt64, stamp: UInt64, seed: UInt32, after previous: UInt32, by cipher: ContentCipher?,
    to writer: ByteWriter, _ payload: () -> Void
  ) throws(FileFailure) -> UInt32 {
    assert(writer.count == 0, "A record begins where its bytes do.")
    writer.fixed(magic)
    writer.fixed(kind.rawValue)
    writer.fixed(0 as UInt64)
    writer.fixed(number)
    writer.fixed(stamp)
    writer.fixed(0 as UInt32)
    writer.fixed(0 as UInt32)
    if let cipher {
      writer.fixed(0 as UInt64)
      payload()
      try cipher.seal(
        writer, from: headerSize, at: .record(kind: kind.rawValue, number: number, stamp: stamp, chain: previous))
    } else {
      payload()
    }
    let length = writer.count - headerSize
    writer.patch(UInt64(length), at: 8)
    let fields = unsafe UnsafeRawBufferPointer(rebasing: writer.bytes.prefix(headerChecksum))
    unsafe writer.patch(CRC32C.checksum(fields, after: seed), at: headerChecksum)
    for _ in 0..<padding(length) { writer.append(0 as UInt8) }
    let chain = unsafe chain(writer.bytes, after: previous)
    writer.fixed(chain)
    writer.fixed(endMark)
    assert(
      writer.count == headerSize + length + padding(length) + trailerSize,
      "A record has the size that its header announces.")
    return chain
  }

  /// The checksum of a record's header and payload, continued from the record before.
  ///
  /// - Parameter record: The record to the end of the zeros behind its payload. The header's own checksum is omitted:
  ///   bytes followed by their checksum have the same effect on another checksum, whatever the bytes are. So the header
  ///   would have no effect on the chain.
  static func chain(_ record: UnsafeRawBufferPointer, after previous: UInt32) -> UInt32 {
    let fields = unsafe CRC32C.checksum(
      UnsafeRawBufferPointer(rebasing: record.prefix(headerChecksum)), after: previous)
    return unsafe CRC32C.checksum(UnsafeRawBufferPointer(rebasing: record.dropFirst(headerSize)), after: fields)
  }
}
