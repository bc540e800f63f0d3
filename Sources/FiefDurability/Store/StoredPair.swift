import FiefGraph
import Foundation

/// What the two data files of a store say together (S1), read and found sound.
struct StoredPair {
  /// What the snapshot's header says.
  var snapshot: SnapshotHeader
  /// How many bytes the snapshot has.
  var snapshotSize: Int
  /// The journal; nil when there is none, which is right for a copy alone.
  var journal: StoredJournal?
  /// The newest version.
  var graph: Graph
  /// The application's number of its schema in it.
  var userVersion: UInt64

  /// The newest version's number.
  var version: UInt64 { graph.version }

  /// The generation after which the files come that opening for writing makes.
  var generation: UInt64 { max(snapshot.generation, journal?.header.generation ?? 0) }

  /// Whether opening for writing goes on with both files as they are: the store was closed in order (S12).
  var isGoneOnWith: Bool {
    snapshot.generation != Generation.alone && journal?.end == .sealed && journal?.lastCommit == version
  }

  /// Whether opening for writing is impossible, though both files are sound: it needs files of a generation that there
  /// is not.
  var isAtItsEnd: Bool { !isGoneOnWith && generation >= FileHeader.lastNumber }
}

/// What a journal says.
struct StoredJournal {
  /// The bytes, all of them.
  var bytes: [UInt8]
  /// Its header.
  var header: JournalHeader
  /// Where the next commit goes: behind the last one, over the seal if there is one.
  var length: Int
  /// How many commits it has.
  var commits: Int
  /// The last of them; the base, if there is none.
  var lastCommit: UInt64
  /// How it ends; not damaged.
  var end: JournalEnd
  /// What writes its next record.
  var continuation: JournalWriter

  /// Calls `body` with each commit, in order.
  func forEach(_ body: (CommitRecord) throws -> Void) throws {
    try bytes.withUnsafeBytes { bytes in
      var scanner = try JournalScanner(bytes)
      while let record = scanner.next(bytes) {
        if record.kind == .commit { try body(CommitRecord(record, in: bytes)) }
      }
    }
  }
}

extension StoredPair {
  /// What stands under the names of a store.
  enum Finding {
    /// No store, or a creation that was cut off (S11).
    case nothing
    /// A store.
    case pair(StoredPair)
  }

  /// Reads both files; changes nothing (S13).
  ///
  /// - Throws: whatever is wrong with them, by the table of cases in the README.
  static func read(
    _ paths: StorePaths, _ system: any FileSystem, _ barriers: Barriers, for purpose: OpenPurpose = .reading
  ) throws(StoreError) -> Finding {
    let snapshotBytes = try bytes(paths.snapshot, system)
    let journalBytes = try bytes(paths.journal, system)
    guard let snapshotBytes else {
      guard let journalBytes else { return .nothing }
      return try nothing(besides: journalBytes, paths)
    }
    let snapshot = try read(snapshot: snapshotBytes, paths)
    guard let journalBytes else {
      guard snapshot.header.generation == Generation.alone else {
        throw StoreError(
          .damaged,
          "The journal \(paths.journal) is missing: commits after version \(snapshot.header.version) of \(paths.snapshot) may "
            + "be lost with it. Put the file back, or save the snapshot by recover(from:to:).", file: paths.journal)
      }
      return .pair(
        StoredPair(
          snapshot: snapshot.header, snapshotSize: snapshotBytes.count, graph: snapshot.graph,
          userVersion: snapshot.header.userVersion))
    }
    return .pair(
      try replay(journalBytes, over: snapshot, size: snapshotBytes.count, paths, barriers))
  }

  /// The bytes of a file; nil when there is none.
  private static func bytes(_ path: String, _ system: any FileSystem) throws(StoreError) -> [UInt8]? {
    try asStoreError("The store could not be read", path) {
      let file: any OpenFile
      do throws(FileFailure) { file = try system.open(path, for: .reading) } catch {
        if error.meaning == .fileNotFound { return nil }
        throw error
      }
      defer { file.close() }
      return try file.readWhole(path: path)
    }
  }

  /// A journal without a snapshot: a creation that was cut off if it has no commits, and damage if it has.
  private static func nothing(besides journal: [UInt8], _ paths: StorePaths) throws(StoreError) -> Finding {
    let stored = try asStoreError("The journal could not be read", paths.journal) { try read(journal: journal) }
    // A creation synchronizes its journal, header and no more, before that has a name: what stands behind was written
    // later.
    let tail = journal[min(stored.length, journal.count)...]
    let hasTail = tail.contains { $0 != 0 }
    // A journal that goes on from a version was made beside a snapshot that had it.
    guard stored.commits > 0 || hasTail || stored.header.base > 0 else { return .nothing }
    let contents =
      stored.commits > 0
      ? "holds commits \(stored.header.base + 1) to \(stored.lastCommit)"
      : hasTail ? "holds \(tail.count) bytes behind its header" : "goes on from version \(stored.header.base)"
    throw StoreError(
      .damaged,
      "The snapshot \(paths.snapshot) is missing, and its journal \(paths.journal) \(contents), which cannot be read without "
        + "it. Put the file back; if nothing is missed, remove what "
        + "is left of the store by deleteFiles(for:).", file: paths.snapshot)
  }

  private static func read(snapshot bytes: [UInt8], _ paths: StorePaths) throws(StoreError) -> Snapshot {
    do throws(StoreError) {
      return try asStoreError("The snapshot could not be read", paths.snapshot) {
        try bytes.withUnsafeBytes { try Snapshot(reading: $0) }
      }
    } catch {
      var error = error
      let isOurs = bytes.suffix(BlockScanner.trailerSize).withUnsafeBytes { SnapshotHeader.isRepeated(in: $0) }
      if error.code == .invalidDatabase && isOurs {
        error = StoreError(
          .damaged, "The snapshot \(paths.snapshot) is damaged at byte 0: it does not begin as it was written.",
          file: paths.snapshot, offset: 0)
      }
      guard error.code == .damaged else { throw error }
      let scan = bytes.withUnsafeBytes { SnapshotScan($0) }
      let rows = scan.delta.tables.reduce(0) { $0 + $1.inserted.reduce(0) { $0 + $1.rows.count } }
      throw error.adding(
        "\(scan.soundBlockCount) of its \(scan.blockCount) blocks are whole, with \(rows) rows; recover(from:to:) saves "
          + "what can be saved.")
    }
  }

  /// Looks through a journal; a damaged one throws.
  private static func read(journal bytes: [UInt8]) throws -> StoredJournal {
    try bytes.withUnsafeBytes { raw in
      var scanner = try JournalScanner(raw)
      var commits = 0
      var (length, continuation) = (scanner.length, scanner.continuation)
      while let record = scanner.next(raw) {
        guard record.kind == .commit else { continue }
        (length, continuation) = (scanner.length, scanner.continuation)
        commits += 1
      }
      if case .damaged(let error) = scanner.end { throw error }
      return StoredJournal(
        bytes: bytes, header: scanner.header, length: length, commits: commits, lastCommit: scanner.lastCommit,
        end: scanner.end ?? .clean, continuation: continuation)
    }
  }

  /// The snapshot and the commits of the journal above it (S1).
  private static func replay(
    _ bytes: [UInt8], over snapshot: Snapshot, size: Int, _ paths: StorePaths, _ barriers: Barriers
  ) throws(StoreError) -> StoredPair {
    let transaction = Transaction(snapshot.graph)
    var userVersion = snapshot.header.userVersion
    var version = snapshot.header.version
    // One pass: a record is checked, decoded and applied while its bytes are at hand.
    let journal = try asStoreError("The journal could not be read", paths.journal) {
      try bytes.withUnsafeBytes { raw in
        var scanner = try JournalScanner(raw)
        let header = scanner.header
        if barriers.contains(.pairIsChecked) { try check(header, belongsTo: snapshot.header, paths) }
        var commits = 0
        var (length, continuation) = (scanner.length, scanner.continuation)
        while let record = scanner.next(raw) {
          guard record.kind == .commit else { continue }
          (length, continuation) = (scanner.length, scanner.continuation)
          commits += 1
          // What the snapshot has already is read too: a journal that is written anew keeps it (S12).
          let change = try record.change(in: raw)
          guard record.commit > version else { continue }
          try transaction.apply(change.delta)
          userVersion = change.userVersion
          version = record.commit
        }
        if case .damaged(let error) = scanner.end {
          throw StoreError(error, in: paths.journal).adding(
            "The commits up to \(version) can be read; recover(from:to:) saves them.")
        }
        return StoredJournal(
          bytes: bytes, header: header, length: length, commits: commits, lastCommit: scanner.lastCommit,
          end: scanner.end ?? .clean, continuation: continuation)
      }
    }
    return StoredPair(
      snapshot: snapshot.header, snapshotSize: size, journal: journal, graph: transaction.graph.numbered(version),
      userVersion: userVersion)
  }

  /// Throws unless the two belong together (S1).
  private static func check(
    _ journal: JournalHeader, belongsTo snapshot: SnapshotHeader, _ paths: StorePaths
  ) throws(StoreError) {
    guard journal.store == snapshot.store else {
      throw StoreError(
        .invalidDatabase,
        "The journal \(paths.journal) is of another store than \(paths.snapshot): put the right one beside it. Neither was "
          + "changed.", file: paths.journal)
    }
    guard journal.base <= snapshot.version else {
      throw StoreError(
        .damaged,
        "The snapshot \(paths.snapshot) is of version \(snapshot.version), and its journal goes on from version "
          + "\(journal.base): an older snapshot was put in its place. Put the newer one back, or save the older by "
          + "recover(from:to:).", file: paths.snapshot)
    }
  }
}
