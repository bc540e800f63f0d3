import FiefGraph
import FiefRuntime
import Foundation

/// The contents of the two data files of a store (S1), read and found sound.
struct StoredPair {
  /// The header of the snapshot.
  var snapshot: SnapshotHeader
  /// The snapshot's size in bytes.
  var snapshotSize: Int
  /// The journal; nil if it does not exist, which is valid only for a copy that stands alone.
  var journal: StoredJournal?
  /// The newest version.
  var graph: Graph
  /// The application's schema number in it.
  var userVersion: UInt64
  /// The versions from the snapshot on, if they are kept.
  var earlier: VersionHistory?
  /// When the snapshot's version was replaced; nil if it is the newest, or the journal has no times.
  var replaced: UInt64?
  /// When the files were read. Commits without times count as made then.
  var readAt: UInt64 = 0

  /// The newest version's number.
  var version: UInt64 { graph.version }

  /// The snapshot's version, as the history beside it sees it.
  var anchor: HistoryAnchor {
    HistoryAnchor(
      store: snapshot.store, version: snapshot.version, generation: snapshot.generation,
      isExpected: journal?.header.history ?? 0 != 0)
  }

  /// The generation that the files of an opening for writing must exceed.
  var generation: UInt64 { max(snapshot.generation, journal?.header.generation ?? 0) }

  /// Whether opening for writing uses both files unchanged: the store was closed in order (S12).
  var isContinued: Bool {
    snapshot.generation != Generation.alone && journal?.end == .sealed && journal?.lastCommit == version
  }

  /// Whether opening for writing is impossible although both files are sound: it needs files of a generation beyond the
  /// last.
  var isAtItsEnd: Bool { !isContinued && generation >= FileHeader.lastNumber }
}

/// The contents of a journal.
struct StoredJournal {
  /// All bytes of the file.
  var bytes: [UInt8]
  /// Its header.
  var header: JournalHeader
  /// The position of the next commit: behind the last one, over the seal if there is one.
  var length: Int
  /// The number of its commits.
  var commits: Int
  /// The last commit; the base if the journal has no commits.
  var lastCommit: UInt64
  /// The last commit that its records state to be durable; the base if they state nothing.
  var durableTo: UInt64
  /// How the journal ends.
  var end: JournalEnd
  /// The writer of its next record.
  var continuation: JournalWriter
}

extension StoredJournal {
  /// Scans a journal to its end, or to damage.
  ///
  /// - Parameters:
  ///   - key: the key of the file; nil for a plain one.
  ///   - check: called with the header.
  ///   - body: called with each commit, in order; nil if none is to be decoded.
  init(
    scanning bytes: [UInt8], key: FileKey?, checking check: (JournalHeader) throws -> Void = { _ in },
    forEach body: ((CommitRecord) throws -> Void)? = nil
  ) throws {
    try unsafe self.init(bytes, { try unsafe JournalScanner($0, key: key) }, checking: check, forEach: body)
  }

  /// Scans a journal whose contents are not looked at.
  init(withoutKey bytes: [UInt8], checking check: (JournalHeader) throws -> Void = { _ in }) throws {
    try unsafe self.init(bytes, { try unsafe JournalScanner(withoutKey: $0) }, checking: check, forEach: nil)
  }

  private init(
    _ bytes: [UInt8], _ scan: (UnsafeRawBufferPointer) throws -> JournalScanner,
    checking check: (JournalHeader) throws -> Void, forEach body: ((CommitRecord) throws -> Void)?
  ) throws {
    self = try unsafe bytes.withUnsafeBytes { raw in
      var scanner = try unsafe scan(raw)
      try check(scanner.header)
      var commits = 0
      var (length, continuation) = (scanner.length, scanner.continuation)
      while let record = unsafe scanner.next(raw) {
        guard record.kind == .commit else { continue }
        (length, continuation) = (scanner.length, scanner.continuation)
        commits += 1
        try unsafe body?(CommitRecord(record, in: raw))
      }
      return StoredJournal(
        bytes: bytes, header: scanner.header, length: length, commits: commits, lastCommit: scanner.lastCommit,
        durableTo: scanner.durableTo, end: scanner.end ?? .clean, continuation: continuation)
    }
  }
}

extension StoredPair {
  /// Reads both files; changes nothing (S13).
  ///
  /// - Returns: nil if there is no store, or an interrupted creation (S11).
  /// - Throws: an error for a fault in the files, by the table of cases in the README.
  static func read(
    _ paths: StorePaths, _ system: any FileSystem, keeping limits: HistoryLimits? = nil
  ) throws(StoreError) -> StoredPair? {
    let (found, journalBytes) = try paths.openContents(system)
    guard let (file, size) = found else {
      guard let journalBytes else { return nil }
      try check(alone: journalBytes, paths)
      return nil
    }
    defer { file.close() }
    // Bytes are decoded first, and then their rows are put in place.
    WorkMeter.current?.begin(.reading, of: size + (journalBytes?.count ?? 0), passes: 2)
    let snapshot = try read(snapshot: file, size, paths, system.key)
    guard let journalBytes else {
      guard snapshot.header.generation == Generation.alone else {
        throw StoreError(
          .damaged,
          "The journal \(paths.journal) is missing: it holds the commits after version \(snapshot.header.version) of "
            + "\(paths.snapshot). A realm that is moved or renamed takes its journal along: put it there, under that "
            + "name. recover(from:to:) saves the snapshot alone, and loses those commits.",
          file: paths.journal)
      }
      return StoredPair(
        snapshot: snapshot.header, snapshotSize: size, graph: snapshot.graph,
        userVersion: snapshot.header.userVersion, earlier: limits.map { VersionHistory($0) })
    }
    return try replay(
      journalBytes, over: snapshot, size: size, paths, system, keeping: limits.map { VersionHistory($0) })
  }

  /// Judges a journal without a snapshot: without commits it is an interrupted creation, with commits it is damage.
  private static func check(alone journal: [UInt8], _ paths: StorePaths) throws(StoreError) {
    let stored = try asStoreError("The journal could not be read", at: paths.journal) {
      let stored = try StoredJournal(withoutKey: journal)
      if case .damaged(let error) = stored.end { throw error }
      return stored
    }
    // A creation synchronizes its journal, which is only a header, before the journal gets its name. So bytes behind
    // the header were written later.
    let tail = journal[min(stored.length, journal.count)...]
    let hasTail = tail.contains { $0 != 0 }
    // A journal with a base above 0 was created beside a snapshot of that version.
    guard stored.commits > 0 || hasTail || stored.header.base > 0 else { return }
    let contents =
      stored.commits > 0
      ? "holds commits \(stored.header.base + 1) to \(stored.lastCommit)"
      : hasTail ? "holds \(tail.count) bytes behind its header" : "goes on from version \(stored.header.base)"
    throw StoreError(
      .damaged,
      "The snapshot \(paths.snapshot) is missing, and its journal \(paths.journal) \(contents), which cannot be read "
        + "without it. Put the file back; if nothing is missed, remove what "
        + "is left of the store by deleteFiles(for:).", file: paths.snapshot)
  }

  private static func read(
    snapshot file: any OpenFile, _ size: Int, _ paths: StorePaths, _ key: FileKey?
  ) throws(StoreError) -> Snapshot {
    let large = try asStoreError("The snapshot could not be read", at: paths.snapshot) {
      try Snapshot.inParts(of: file, size: size, key: key)
    }
    if let large { return large }
    let bytes = try asStoreError("The store could not be read", at: paths.snapshot) {
      try file.readWhole(path: paths.snapshot)
    }
    do throws(StoreError) {
      return try asStoreError("The snapshot could not be read", at: paths.snapshot) {
        try unsafe bytes.withUnsafeBytes { try unsafe Snapshot(reading: $0, key: key) }
      }
    } catch {
      var error = error
      let isOurs = unsafe bytes.suffix(BlockScanner.trailerSize).withUnsafeBytes {
        unsafe SnapshotHeader.isRepeated(in: $0)
      }
      if error.code == .invalidDatabase && isOurs {
        error = StoreError(
          .damaged, "The snapshot \(paths.snapshot) is damaged at byte 0: it does not begin as it was written.",
          file: paths.snapshot, offset: 0)
      }
      guard error.code == .damaged else { throw error }
      let scan = unsafe bytes.withUnsafeBytes { unsafe SnapshotScan($0, key: key) }
      let rows = scan.delta.tables.reduce(0) { $0 + $1.inserted.reduce(0) { $0 + $1.rows.count } }
      throw error.adding(
        "\(scan.soundBlockCount) of its \(scan.blockCount) blocks are whole, with \(rows) rows; recover(from:to:) "
          + "saves what can be saved.")
    }
  }

  /// Applies the journal's commits above the snapshot to it (S1).
  private static func replay(
    _ bytes: [UInt8], over snapshot: Snapshot, size: Int, _ paths: StorePaths,
    _ system: any FileSystem, keeping earlier: VersionHistory?
  ) throws(StoreError) -> StoredPair {
    let now = system.now
    let meter = WorkMeter.current
    var earlier = earlier
    var replaced: UInt64?
    let transaction = Transaction(snapshot.graph)
    var userVersion = snapshot.header.userVersion
    var version = snapshot.header.version
    // One pass: each record is checked, decoded and applied while its bytes are in the cache.
    let journal = try asStoreError("The journal could not be read", at: paths.journal) {
      // Commits that the snapshot already contains are decoded too, because a rewritten journal keeps them (S12).
      try checkKey(ofJournal: bytes, besides: snapshot.header, paths)
      return try StoredJournal(
        scanning: bytes, key: system.key, checking: { try check($0, belongsTo: snapshot.header, paths) }
      ) { commit in
        meter?.advance(by: commit.size)
        let share = meter.map { WorkMeter.Share(commit.size, of: $0, inSteps: commit.delta.stepCount) }
        defer { share?.finish() }
        guard commit.version > version else { return }
        let old = earlier == nil ? nil : transaction.graph.numbered(version)
        // A delta that does not fit makes the journal damaged, and the graph is dropped.
        try transaction.applyFinally(commit.delta, counting: share)
        if version == snapshot.header.version { replaced = commit.time }
        if let old {
          let next = commit.delta.schema == nil ? nil : transaction.graph
          _ = earlier?.add(old, at: commit.time ?? now, replacedBy: next)
        }
        (version, userVersion) = (commit.version, commit.userVersion)
      }
    }
    if case .damaged(let error) = journal.end {
      throw StoreError(error, in: paths.journal).adding(
        "The commits up to \(version) can be read; recover(from:to:) saves them.")
    }
    return StoredPair(
      snapshot: snapshot.header, snapshotSize: size, journal: journal, graph: transaction.graph.numbered(version),
      userVersion: userVersion, earlier: earlier, replaced: replaced, readAt: now)
  }

  /// Throws if a journal does not have the key with which its snapshot was read: then it was not written beside it.
  private static func checkKey(
    ofJournal bytes: [UInt8], besides snapshot: SnapshotHeader, _ paths: StorePaths
  ) throws {
    let journal = try unsafe bytes.withUnsafeBytes { try unsafe JournalScanner(withoutKey: $0) }.header
    guard journal.key != snapshot.key else { return }
    try check(journal, belongsTo: snapshot, paths)
    throw StoreError(
      .damaged,
      "The journal \(paths.journal) was not written beside its snapshot \(paths.snapshot): "
        + "\(phrase(journal.key)), and the snapshot \(phrase(snapshot.key)).", file: paths.journal)
  }

  private static func phrase(_ key: KeyMark?) -> String {
    key.map { "it is encrypted with \($0.phrase)" } ?? "it is not encrypted"
  }

  /// Throws unless the two belong together (S1).
  static func check(
    _ journal: JournalHeader, belongsTo snapshot: SnapshotHeader, _ paths: StorePaths
  ) throws(StoreError) {
    guard journal.store == snapshot.store else {
      throw StoreError(
        .invalidDatabase,
        "The journal \(paths.journal) is of another store than \(paths.snapshot): put the right one beside it. Neither "
          + "was changed.", file: paths.journal)
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
