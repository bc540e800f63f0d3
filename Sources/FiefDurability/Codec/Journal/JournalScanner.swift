/// Reads the records of a journal, one after the other.
///
///     var scanner = try JournalScanner(bytes)
///     while let record = scanner.next(bytes) { graph = try graph.applying(record.change(in: bytes).delta) }
///     switch scanner.end { … }
///
/// It checks each record before it returns it. At the end it determines how the journal ends: see `JournalEnd`. It does
/// not decode the contents of records.
///
/// It is a value, and does not keep the bytes: a copy made between two records continues from there.
package struct JournalScanner: Sendable {
  /// The header of the journal.
  package let header: JournalHeader
  /// The length of the header and all records so far.
  package private(set) var length: Int
  /// The number of the last commit so far; the base without one.
  package private(set) var lastCommit: UInt64
  /// The highest durable-to of the records so far; the base without one.
  package private(set) var durableTo: UInt64
  /// How the journal ends; nil while records may follow.
  package private(set) var end: JournalEnd?
  private let seed: UInt32
  private var chain: UInt32
  private var isSealed = false
  /// Decrypts the payloads; nil in a plain file, and without the key of an encrypted one.
  private let cipher: ContentCipher?

  /// Reads the header.
  ///
  /// - Parameter key: The key of the file; nil for a plain one.
  /// - Throws: `CodecError` when the header is missing, not that of a journal, of a newer format, or damaged, and when
  ///   the key is not that of the file.
  package init(_ bytes: UnsafeRawBufferPointer, key: FileKey? = nil) throws(CodecError) {
    let (header, seed) = try unsafe JournalHeader.read(bytes)
    self.init(header, seed: seed, try header.cipher(reading: key))
  }

  /// Reads the header of a journal whose contents are not decrypted: the records show their numbers and lengths.
  package init(withoutKey bytes: UnsafeRawBufferPointer) throws(CodecError) {
    let (header, seed) = try unsafe JournalHeader.read(bytes)
    self.init(header, seed: seed, nil)
  }

  /// Reads the records that others have written where a writer would write its next one. The bytes to scan begin there.
  init(behind writer: JournalWriter) {
    (header, seed, chain, cipher) = (writer.header, writer.seed, writer.chain, writer.cipher)
    length = 0
    lastCommit = writer.lastCommit
    durableTo = writer.header.base
  }

  private init(_ header: JournalHeader, seed: UInt32, _ cipher: ContentCipher?) {
    (self.header, self.seed, self.cipher) = (header, seed, cipher)
    length = header.length
    chain = seed
    lastCommit = header.base
    durableTo = header.base
  }

  /// The writer of the next record, if the file is cut to `length`. Without the key of an encrypted file it writes
  /// none.
  package var continuation: JournalWriter {
    JournalWriter(header, seed: seed, chain: chain, lastCommit: lastCommit, cipher: cipher)
  }

  /// Reads the next record; nil at the end, and then `end` is set.
  ///
  /// - Parameter bytes: The whole file, with equal contents in each call.
  /// - Complexity: linear in the record; at the end of a journal without a seal, linear in the remaining bytes.
  package mutating func next(_ bytes: UnsafeRawBufferPointer) -> JournalRecord? {
    guard end == nil else { return nil }
    if bytes.count <= length {
      end =
        bytes.count < length
        ? .torn(reason: "the file is shorter than it was", commits: 0) : isSealed ? .sealed : .clean
      return nil
    }
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[length...])
    switch unsafe RecordReading(rest, seed: seed, chain: chain) {
    case .whole(let found, let newChain):
      let range = length..<length + found.size
      let payload = length + JournalRecord.headerSize
      let contents: [UInt8]?
      do throws(CodecError) {
        contents = try unsafe found.contents(in: rest, after: chain, by: cipher, .journal, at: UInt64(length))
      } catch {
        end = .damaged(error)
        return nil
      }
      if let problem = misplacement(of: found, contents: contents) {
        // The chain continues from the record before, so the record was written here.
        end = .damaged(CodecError(in: .journal, .malformed, at: UInt64(length), problem))
        return nil
      }
      chain = newChain
      lastCommit = found.commit
      durableTo = max(durableTo, found.durableTo)
      isSealed = found.kind == .seal
      length = range.upperBound
      return JournalRecord(
        kind: found.kind, commit: found.commit, durableTo: found.durableTo, range: range,
        payload: payload..<payload + found.length, contents: contents, isTimed: header.isTimed)
    case .oneBitOff:
      end = .damaged(
        CodecError(
          in: .journal, .checksum, at: UInt64(length),
          "one bit of the record behind commit \(lastCommit) is not as it was")
      )
    case .senseless(let reason): end = .damaged(CodecError(in: .journal, .malformed, at: UInt64(length), reason))
    case .broken(let reason): end = unsafe classify(reason, rest)
    }
    return nil
  }

  /// The fault of a whole record that is not the expected next one; nil if it is.
  private func misplacement(of found: RecordHeader, contents: [UInt8]?) -> String? {
    switch found.kind {
    case .commit:
      let (next, overflow) = lastCommit.addingReportingOverflow(1)
      if found.commit > FileHeader.lastNumber { return "a commit has a number that none can have" }
      if overflow || found.commit != next { return "the record behind commit \(lastCommit) is that of another" }
      if found.durableTo >= found.commit { return "a commit says that it was on the disk before it was written" }
    case .seal:
      if found.commit != lastCommit || found.durableTo != lastCommit { return "a seal is that of another commit" }
      let isLocked = header.key != nil && cipher == nil
      if !isLocked && (contents?.count ?? found.length) != 0 { return "a seal has contents" }
    }
    return found.durableTo < header.base ? "a record is older than the snapshot" : nil
  }

  /// Judges `rest`, which does not begin with a record. It is damage if a header in it shows that the next commit was
  /// on the disk, or that the journal was closed in order behind the last one. Otherwise it is a torn tail.
  private func classify(_ reason: String, _ rest: UnsafeRawBufferPointer) -> JournalEnd {
    // A seal at the beginning of `rest` may have been only partly written. One in the contents of the next commit may
    // be a copy: an application may store this file in itself. No copy knows of a later commit.
    var behind = 1
    let position = unsafe RecordHeader.first(in: rest, seed: seed) { header, position in
      if position == 0 && header.kind == .commit && header.commit == lastCommit &+ 1 { behind = header.size }
      return header.durableTo > lastCommit
        || position >= behind && header.kind == .seal && header.durableTo == lastCommit
    }
    guard let position else { return unsafe .torn(reason: reason, commits: commitsAnnounced(in: rest)) }
    return .damaged(
      CodecError(
        in: .journal, .checksum, at: UInt64(length),
        "\(reason), and the record at byte \(length + position) knows that it was on the disk"))
  }

  /// The number of commits behind the last one that the headers in `rest` show, where no whole record follows. Linear.
  private func commitsAnnounced(in rest: UnsafeRawBufferPointer) -> Int {
    // A commit takes at least this many bytes, so a higher number is not valid.
    let most = UInt64(rest.count / (JournalRecord.headerSize + JournalRecord.trailerSize)) + 1
    var count: UInt64 = 0
    _ = unsafe RecordHeader.first(in: rest, seed: seed) { header, _ in
      let ahead = header.commit &- lastCommit
      if header.commit > lastCommit && ahead <= most { count = max(count, ahead) }
      return false
    }
    return Int(count)
  }

  /// The number of commits that the headers behind the last whole record show; 0 unless the journal ends in damage or a
  /// torn tail.
  ///
  /// - Parameter bytes: The whole file.
  package func commitsBehind(_ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe bytes.count > length ? commitsAnnounced(in: UnsafeRawBufferPointer(rebasing: bytes[length...])) : 0
  }
}
