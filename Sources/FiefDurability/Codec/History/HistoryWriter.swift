import FiefGraph

/// Encodes a history, record by record, from the newest version to the oldest.
///
///     var writer = HistoryWriter(HistoryHeader(store: id, generation: 3, version: 12, oldest: 10))
///     try file.append(writer.headerBytes)
///     try file.append(writer.version(Delta(from: graph12, to: graph11), time: …))
///     try file.append(writer.version(Delta(from: graph11, to: graph10), time: …))
package struct HistoryWriter: Sendable {
  /// The header of the history.
  package let header: HistoryHeader
  /// The version of the last record; the header's version without one.
  package private(set) var lastVersion: UInt64
  private let seed: UInt32
  private var chain: UInt32
  /// Encrypts the payloads; nil in a plain file.
  private let cipher: ContentCipher?

  /// Creates the writer of a new history.
  ///
  /// - Parameter key: The key of its payloads; nil for a plain file.
  package init(_ header: HistoryHeader, key: FileKey? = nil) {
    (self.header, cipher) = header.keyed(key)
    seed = self.header.write(to: ByteWriter())
    chain = seed
    lastVersion = header.version
  }

  /// The first bytes of the file.
  package var headerBytes: [UInt8] {
    let writer = ByteWriter()
    _ = header.write(to: writer)
    return unsafe [UInt8](writer.bytes)
  }

  /// Encodes the record of the version before the last one.
  ///
  /// - Parameters:
  ///   - delta: The changes that lead back to it.
  ///   - time: When it was replaced, in milliseconds since 1970.
  /// - Throws: a failure of the cipher.
  /// - Complexity: linear in the delta.
  package mutating func version(_ delta: Delta, time: UInt64) throws(FileFailure) -> [UInt8] {
    try record(time) { writer in writer.delta(delta) { _ in } }
  }

  /// Encodes the record of the version before the last one with a payload that another history has.
  package mutating func version(
    copying payload: UnsafeRawBufferPointer, time: UInt64
  ) throws(FileFailure) -> [UInt8] {
    try record(time) { unsafe $0.append(payload) }
  }

  private mutating func record(_ time: UInt64, _ payload: (ByteWriter) -> Void) throws(FileFailure) -> [UInt8] {
    guard lastVersion > header.oldest else {
      fatalError("A history that ends at version \(header.oldest) cannot lead further back.")
    }
    let writer = ByteWriter(capacity: 1024)
    lastVersion -= 1
    chain = try JournalRecord.write(
      .commit, number: lastVersion, stamp: time, seed: seed, after: chain, by: cipher, to: writer
    ) { payload(writer) }
    return unsafe [UInt8](writer.bytes)
  }
}
