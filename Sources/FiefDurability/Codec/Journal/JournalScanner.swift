/// Goes over the records of a journal.
///
///     var scanner = try JournalScanner(bytes)
///     while let record = try scanner.next(bytes) { graph = try graph.applying(record.change(in: bytes).delta) }
///     switch scanner.end { … }
///
/// It checks each record before it hands it out, and where it finds no record it finds out why: see `JournalEnd`. What
/// a record holds is not looked at.
///
/// It is a value, and does not keep the bytes: a copy taken between two records goes on from there.
public struct JournalScanner: Sendable {
  /// The header of the journal.
  public let header: JournalHeader
  /// How many bytes the header and all records so far have.
  public private(set) var length = JournalHeader.size
  /// The number of the last commit so far; the snapshot's when there was none.
  public private(set) var lastCommit: UInt64
  /// Up to which commit the records so far know that the journal was on the disk.
  public private(set) var durableTo: UInt64
  /// How the journal ends; nil while there are records left.
  public private(set) var end: JournalEnd?
  private let seed: UInt32
  private var chain: UInt32
  private var isSealed = false

  /// Reads the header.
  ///
  /// - Throws: `CodecError` when the header is missing, not one of ours, of a newer format, or damaged.
  public init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
    (header, seed) = try JournalHeader.read(bytes)
    chain = seed
    lastCommit = header.base
    durableTo = header.base
  }

  /// What writes the next record, when the file was cut to `length`.
  public var continuation: JournalWriter {
    JournalWriter(header, seed: seed, chain: chain, lastCommit: lastCommit)
  }

  /// The next record; nil when there is none, and `end` says why.
  ///
  /// - Parameter bytes: The whole file, the same in each call.
  /// - Complexity: linear in the record; at the end of a journal that ends otherwise than in order, linear in what is
  ///   left.
  public mutating func next(_ bytes: UnsafeRawBufferPointer) -> JournalRecord? {
    guard end == nil else { return nil }
    if bytes.count <= length {
      end =
        bytes.count < length
        ? .torn(reason: "the file is shorter than it was", commits: 0) : isSealed ? .sealed : .clean
      return nil
    }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[length...])
    switch RecordReading(rest, seed: seed, chain: chain) {
    case .whole(let found, let newChain):
      if let problem = misplacement(of: found) {
        // It goes on from the record before: it was written here.
        end = .damaged(CodecError(.journal, .malformed, at: UInt64(length), problem))
        return nil
      }
      let range = length..<length + found.size
      let payload = length + JournalRecord.headerSize
      chain = newChain
      lastCommit = found.commit
      durableTo = max(durableTo, found.durableTo)
      isSealed = found.kind == .seal
      length = range.upperBound
      return JournalRecord(
        kind: found.kind, commit: found.commit, durableTo: found.durableTo, range: range,
        payload: payload..<payload + found.length)
    case .oneBitOff:
      end = .damaged(
        CodecError(
          .journal, .checksum, at: UInt64(length), "one bit of the record behind commit \(lastCommit) is not as it was")
      )
    case .senseless(let reason): end = .damaged(CodecError(.journal, .malformed, at: UInt64(length), reason))
    case .broken(let reason): end = classify(reason, rest)
    }
    return nil
  }

  /// What is wrong with a record that is whole, and not the one that comes next; nil if it is.
  private func misplacement(of found: RecordHeader) -> String? {
    switch found.kind {
    case .commit:
      let (next, overflow) = lastCommit.addingReportingOverflow(1)
      if found.commit > FileHeader.lastNumber { return "a commit has a number that none can have" }
      if overflow || found.commit != next { return "the record behind commit \(lastCommit) is that of another" }
      if found.durableTo >= found.commit { return "a commit says that it was on the disk before it was written" }
    case .seal:
      if found.commit != lastCommit || found.durableTo != lastCommit { return "a seal is that of another commit" }
      if found.length != 0 { return "a seal has contents" }
    }
    return found.durableTo < header.base ? "a record is older than the snapshot" : nil
  }

  /// What it means that no record stands at the beginning of `rest`: damage if a header in it knows that the next
  /// commit was on the disk, or that the journal was closed in order behind the last one; a torn tail otherwise.
  private func classify(_ reason: String, _ rest: UnsafeRawBufferPointer) -> JournalEnd {
    // A seal in the very place may be one that was being written.
    let place = RecordHeader.first(in: rest, seed: seed) { header, place in
      header.durableTo > lastCommit || place > 0 && header.kind == .seal && header.durableTo == lastCommit
    }
    guard let place else { return .torn(reason: reason, commits: commitsAnnounced(in: rest)) }
    return .damaged(
      CodecError(
        .journal, .checksum, at: UInt64(length),
        "\(reason), and the record at byte \(length + place) knows that it was on the disk"))
  }

  /// How many commits behind the last one the headers in `rest` tell of, where no whole record goes on from it. Linear.
  private func commitsAnnounced(in rest: UnsafeRawBufferPointer) -> Int {
    // A commit takes at least this many bytes: what says more has a number that is none.
    let most = UInt64(rest.count / (JournalRecord.headerSize + JournalRecord.trailerSize)) + 1
    var count: UInt64 = 0
    _ = RecordHeader.first(in: rest, seed: seed) { header, _ in
      let ahead = header.commit &- lastCommit
      if header.commit > lastCommit && ahead <= most { count = max(count, ahead) }
      return false
    }
    return Int(count)
  }

  /// How many commits the headers behind the last whole record tell of; 0 when the journal does not end in damage or a
  /// torn tail.
  ///
  /// - Parameter bytes: The whole file.
  public func commitsBehind(_ bytes: UnsafeRawBufferPointer) -> Int {
    bytes.count > length ? commitsAnnounced(in: UnsafeRawBufferPointer(rebasing: bytes[length...])) : 0
  }
}
