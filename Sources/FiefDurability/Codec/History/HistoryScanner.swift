import FiefGraph

/// One whole record of a history: how to get to a version from the one after it.
package struct HistoryRecord: Hashable, Sendable {
  /// The version.
  package let version: UInt64
  /// When it was replaced, in milliseconds since 1970.
  package let time: UInt64
  /// The payload's range in the file.
  package let payload: Range<Int>

  /// Decodes the changes that lead to the version from the one after it. Linear in the payload.
  ///
  /// - Parameter bytes: The file of the record.
  /// - Throws: `CodecError` when the payload is not a change.
  package func delta(in bytes: UnsafeRawBufferPointer) throws(CodecError) -> Delta {
    guard payload.upperBound <= bytes.count else {
      throw CodecError(in: .history, .truncated, at: UInt64(payload.lowerBound), "the file ends within a record")
    }
    let payloadBytes = unsafe UnsafeRawBufferPointer(rebasing: bytes[payload])
    return try unsafe DeltaCodec.decode(ByteReader(payloadBytes, .history, at: UInt64(payload.lowerBound)))
  }
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
  /// The fault behind the last record; nil while there is none.
  package private(set) var fault: CodecError?
  private var length = HistoryHeader.size
  private var lastVersion: UInt64
  private let seed: UInt32
  private var chain: UInt32

  /// Reads the header.
  ///
  /// - Throws: `CodecError` when the header is missing, not that of a history, of a newer format, or damaged.
  package init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
    (header, seed) = try unsafe HistoryHeader.read(bytes)
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
      (chain, lastVersion) = (newChain, found.commit)
      length += found.size
      return HistoryRecord(version: found.commit, time: found.durableTo, payload: payload..<payload + found.length)
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
