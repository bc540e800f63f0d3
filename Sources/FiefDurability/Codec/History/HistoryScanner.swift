import FiefGraph

/// One whole record of a history: how to get to a version from the one after it.
package struct HistoryRecord: Hashable, Sendable {
  /// The version.
  package let version: UInt64
  /// When it was replaced, in milliseconds since 1970.
  package let time: UInt64
  /// The payload's range in the file.
  package let payload: Range<Int>
  /// The decrypted payload; nil in a plain file, and if the file is scanned without its key.
  let contents: [UInt8]?

  /// Decodes the changes that lead to the version from the one after it. Linear in the payload.
  ///
  /// - Parameter bytes: The file of the record.
  /// - Throws: `CodecError` when the payload is not a change.
  package func delta(in bytes: UnsafeRawBufferPointer) throws(CodecError) -> Delta {
    guard payload.upperBound <= bytes.count else {
      throw CodecError(in: .history, .truncated, at: UInt64(payload.lowerBound), "the file ends within a record")
    }
    return try unsafe ContentCipher.withContents(contents, or: bytes[payload]) { bytes throws(CodecError) in
      try unsafe DeltaCodec.decode(ByteReader(bytes, .history, at: UInt64(payload.lowerBound)))
    }
  }

  /// The payload as it was before it was encrypted.
  ///
  /// - Parameter bytes: The file of the record.
  package func payload(in bytes: [UInt8]) -> [UInt8] { contents ?? Array(bytes[payload]) }
}

/// Reads the records of a history, from the newest version to the oldest.
///
///     var scanner = try HistoryScanner(bytes)
///     while let record = scanner.next(bytes) { graph = try graph.applying(record.delta(in: bytes)) }
///     if let fault = scanner.fault { … }
///
/// It checks each record before it returns it. Records behind a fault are not reached, because each continues from the
/// version of the one before.
package struct HistoryScanner: Sendable {
  /// The header of the history.
  package let header: HistoryHeader
  /// The fault behind the last record; nil until one is found.
  package private(set) var fault: CodecError?
  private var length: Int
  private var lastVersion: UInt64
  private let seed: UInt32
  private var chain: UInt32
  /// Decrypts the payloads; nil in a plain file, and without the key of an encrypted one.
  private let cipher: ContentCipher?

  /// Reads the header.
  ///
  /// - Parameter key: The key of the file; nil for a plain one.
  /// - Throws: `CodecError` when the header is missing, not that of a history, of a newer format, or damaged, and when
  ///   the key is not that of the file.
  package init(_ bytes: UnsafeRawBufferPointer, key: FileKey? = nil) throws(CodecError) {
    let (header, seed) = try unsafe HistoryHeader.read(bytes)
    self.init(header, seed: seed, try header.cipher(reading: key))
  }

  /// Reads the header of a history whose contents are not decrypted.
  package init(withoutKey bytes: UnsafeRawBufferPointer) throws(CodecError) {
    let (header, seed) = try unsafe HistoryHeader.read(bytes)
    self.init(header, seed: seed, nil)
  }

  private init(_ header: HistoryHeader, seed: UInt32, _ cipher: ContentCipher?) {
    (self.header, self.seed, self.cipher) = (header, seed, cipher)
    length = header.length
    chain = seed
    lastVersion = header.version
  }

  /// Reads the next record; nil at the end, and at a fault.
  ///
  /// - Parameter bytes: The whole file, with equal contents in each call.
  /// - Complexity: linear in the record.
  package mutating func next(_ bytes: UnsafeRawBufferPointer) -> HistoryRecord? {
    if fault != nil { return nil }
    if lastVersion == header.oldest {
      if bytes.count > length { fault = wrong(.trailing, "bytes follow the last record") }
      return nil
    }
    guard bytes.count > length else {
      fault = wrong(.truncated, "the records before version \(lastVersion) are missing")
      return nil
    }
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[length...])
    switch unsafe RecordReading(rest, seed: seed, chain: chain) {
    case .whole(let found, let newChain):
      guard found.kind == .commit, found.commit == lastVersion - 1 else {
        fault = wrong(.malformed, "the record before version \(lastVersion) is that of another")
        return nil
      }
      let payload = length + JournalRecord.headerSize
      let contents: [UInt8]?
      do throws(CodecError) {
        contents = try unsafe found.contents(in: rest, after: chain, by: cipher, .history, at: UInt64(length))
      } catch {
        fault = error
        return nil
      }
      (chain, lastVersion) = (newChain, found.commit)
      length += found.size
      return HistoryRecord(
        version: found.commit, time: found.durableTo, payload: payload..<payload + found.length, contents: contents)
    case .oneBitOff: fault = wrong(.checksum, "one bit of a record is not as it was")
    case .senseless(let reason): fault = wrong(.malformed, reason)
    case .broken(let reason): fault = wrong(.checksum, reason)
    }
    return nil
  }

  private func wrong(_ code: CodecError.Code, _ reason: String) -> CodecError {
    CodecError(in: .history, code, at: UInt64(length), reason)
  }
}
