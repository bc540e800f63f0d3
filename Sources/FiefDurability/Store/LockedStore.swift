import Foundation

/// An encrypted store that is looked at without its key: what its files show, with every checksum in them checked.
struct LockedStore {
  /// The facts that can be known.
  let info: StoreInfo
  /// The checksums that do not fit, and the doubts.
  let report: StoreReport

  /// Reads the files of an encrypted store.
  ///
  /// - Returns: nil for a store that is not encrypted, and if a key is known.
  /// - Throws: `damaged` if not even the facts can be known; other errors of reading.
  init?(_ path: String, _ system: PatientFileSystem) throws(StoreError) {
    guard system.key == nil else { return nil }
    let paths = try StorePaths(resolving: path, system)
    var attempts = 0
    while true {
      attempts += 1
      do throws(StoreError) {
        guard let store = try LockedStore(reading: paths, system) else { return nil }
        self = store
        return
      } catch {
        // A checkpoint came between the readings of the two files (S15). Real damage shows again.
        guard error.code == .damaged, attempts < 5 else { throw error }
      }
    }
  }

  private init?(reading paths: StorePaths, _ system: PatientFileSystem) throws(StoreError) {
    guard try paths.checkOurs(system) else { return nil }
    var (snapshotBytes, journalBytes) = try paths.contents(system)
    guard var scan = Self.scan(snapshotBytes) else { return nil }
    var journal = try Self.journal(journalBytes, scan.header, paths)
    // A journal beside a writer may end in an append, and both files may be replaced between the two reads.
    for pause in [2, 20, 230] where journal.map({ $0.end != .sealed && $0.end != .clean }) ?? false {
      system.pause(milliseconds: pause)
      (snapshotBytes, journalBytes) = try paths.contents(system)
      guard let next = Self.scan(snapshotBytes) else { return nil }
      scan = next
      let before = journal
      journal = try Self.journal(journalBytes, scan.header, paths)
      // A whole record in place of one that was not shows that a writer lives. What is behind it is its next append.
      if let before, let later = journal, case .torn = later.end,
        later.header.generation == before.header.generation, later.length > before.length
      {
        journal?.end = .clean
      }
    }
    let header = scan.header
    guard let key = header.key else { return nil }
    var state = StoredVersion.State.closed
    var cutOff: StoredVersion.CutOff?
    var problems = scan.damages.map(\.description)
    switch journal?.end {
    case .sealed, nil: break
    case .clean: state = .notClosed
    case .torn(_, let commits):
      state = .cutOff
      cutOff = journal.map { StoredVersion.CutOff(bytes: $0.bytes.count - $0.length, commits: commits) }
    case .damaged(let error):
      state = .notClosed
      problems.append(error.description)
    }
    if journal == nil && header.generation != Generation.alone {
      problems.append("The journal \(paths.journal) is missing.")
    }
    let anchor = HistoryAnchor(
      store: header.store, version: header.version, generation: header.generation,
      isExpected: journal?.header.history ?? 0 != 0)
    let history = try asStoreError("The history could not be read", at: paths.history) {
      try StoredHistory(paths, on: system, anchor, replacedAt: nil, isLocked: true)
    }
    info = StoreInfo(
      store: header.store, version: max(header.version, journal?.lastCommit ?? 0), snapshotVersion: header.version,
      userVersion: header.userVersion, snapshotSize: snapshotBytes?.count ?? 0,
      journalSize: journal?.bytes.count ?? 0, journalCommits: journal?.commits ?? 0, historySize: history.bytes.count,
      historyVersions: history.records.count, state: state, cutOff: cutOff, tables: [], documents: 0,
      encryption: StoreInfo.Encryption(key, isLocked: true))
    var doubts = [
      "The store \(paths.snapshot) is encrypted with \(key.phrase), and no key was given: the checksums of its files "
        + "were checked, and its contents were not."
    ]
    if let cutOff { doubts.append(cutOff.description) }
    if let loss = history.loss {
      doubts.append(
        StoredHistory.describe(loss, paths, from: history.records.last?.version ?? header.version))
    }
    report = StoreReport(problems: problems, doubts: doubts, info: info)
  }

  /// The checksums of an encrypted snapshot, and its header.
  private static func scan(_ bytes: [UInt8]?) -> (header: SnapshotHeader, damages: [CodecError])? {
    guard let bytes else { return nil }
    // Most snapshots are plain by their headers. A header that is damaged has a copy, which a scan finds.
    let first = unsafe bytes.withUnsafeBytes { unsafe try? SnapshotHeader.read($0).header }
    if let first, first.key == nil { return nil }
    let scan = unsafe bytes.withUnsafeBytes { unsafe SnapshotScan($0) }
    guard let header = scan.header, header.key != nil else { return nil }
    return (header, scan.damages)
  }

  /// The journal beside it, with the numbers of its records.
  private static func journal(
    _ bytes: [UInt8]?, _ header: SnapshotHeader, _ paths: StorePaths
  ) throws(StoreError) -> StoredJournal? {
    guard let bytes else { return nil }
    return try asStoreError("The journal could not be read", at: paths.journal) {
      try StoredJournal(withoutKey: bytes) { try StoredPair.check($0, belongsTo: header, paths) }
    }
  }
}
