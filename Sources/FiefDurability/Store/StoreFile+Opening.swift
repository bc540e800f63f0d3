import FiefGraph
import Foundation

extension StoreFile {
  /// Opens the store at `path` for writing; creates it if it does not exist, unless `isCreating` is false.
  ///
  ///     let (file, stored) = try StoreFile.open("dogs.realm")
  ///
  /// The returned version is on the disk, whatever happened before (S12). A new store holds the empty graph as version
  /// 0.
  ///
  /// - Parameters:
  ///   - path: The path of the snapshot; the other files are beside it. Links are followed.
  ///   - isCreating: Whether to create a store that does not exist.
  ///   - seed: Returns the contents of a new store. It is called under the store's lock, so only one process calls it,
  ///     and once.
  ///   - fileMode: The permissions of new files that neither replace a file nor have one of the store beside them, for
  ///     as long as the store is open; nil for the defaults of the process (`umask`). Other new files get the
  ///     permissions of the file that they replace or that is beside them. Without effect on Windows and WASI.
  ///   - history: How many earlier versions the store keeps; nil for none.
  ///   - key: The key of the store; nil for a plain one.
  ///   - patience: For a store that other processes may open: how long to wait for them, in milliseconds. The caller
  ///     calls `share` when its first commit is made. Nil for a store that is open alone.
  ///   - isWriting: Whether a store that other processes have open is read in their turn, so that the caller may commit
  ///     before it calls `share`. Otherwise a write of another process does not hold the opening up; then `mayCommit`
  ///     is false.
  ///   - system: The file system.
  ///   - report: Receives the error that ends the writing while the timer synchronizes or seals, as no call may do.
  /// - Returns: the store, and the version in it.
  /// - Throws: `fileNotFound` when the store does not exist and is not to be created; `fileOperationFailed` when its
  ///   folder does not exist; `fileAccess`, `invalidDatabase`, `unsupportedFileFormatVersion` for a file that is not a
  ///   store of this library, which stays unchanged to the byte; `wrongKey`; `damaged`; `alreadyOpen` with the process
  ///   that holds the store; and other errors of the system.
  /// - Complexity: linear in the files; after a crash the journal is also written again.
  package static func open(
    _ path: String, creating isCreating: Bool = true, seed: Seed? = nil, fileMode: UInt16? = nil,
    history: HistoryLimits? = nil, key: FileKey? = nil, sharingWithin patience: Int? = nil,
    inTurn isWriting: Bool = false, on system: any FileSystem = RealFileSystem(),
    reporting report: @escaping @Sendable (StoreError) -> Void = { _ in }
  ) throws(StoreError) -> (file: StoreFile, stored: StoredVersion) {
    let system = PatientFileSystem(system: system, newFileMode: fileMode, key: key)
    let paths = try StorePaths(resolving: path, system)
    // A file that is not a store of this library gets no lock file beside it.
    let isThere = try paths.checkOurs(system)
    guard isThere || isCreating else { throw StoreError.noStore(at: paths.snapshot) }
    if isThere { try paths.checkName(system) } else { try paths.checkNewName(system) }
    var opening = Opening(
      paths: paths, isThere: isThere, isCreating: isCreating, seed: seed, history: history, patience: patience,
      isWriting: isWriting, system: system, report: report)
    do throws(StoreError) { return try opening.run() } catch {
      opening.giveUp()
      guard error.code == .outOfDiskSpace, isThere else { throw error }
      throw error.adding(
        "The store was not closed in order, so opening it for writing writes it anew beside the old files, which are "
          + "as they were: make room for as much as they take, and open it again. Opening it for reading needs no "
          + "room.")
    }
  }

  /// Returns the contents of a new store, or throws.
  package typealias Seed = () throws(StoreError) -> StoredVersion
}

/// An opening under way: the files that are open so far, which are closed if it fails.
private struct Opening {
  let paths: StorePaths
  let isThere: Bool
  let isCreating: Bool
  let seed: StoreFile.Seed?
  let history: HistoryLimits?
  let patience: Int?
  let isWriting: Bool
  let system: any FileSystem
  let report: @Sendable (StoreError) -> Void
  var lock: StoreLock?
  var sharing: StoreSharing?
  var snapshotFile: (any OpenFile)?
  var journalFile: (any OpenFile)?

  /// Closes all files and releases the lock. A lock file that was created here is removed again: it would stay with the
  /// permissions of files that were refused, say.
  func giveUp() {
    journalFile?.close()
    snapshotFile?.close()
    if let lock, lock.isNew { lock.remove(paths, system) }
    lock?.release()
  }

  /// Locks and reads the files, and acts by the table of cases in the README.
  mutating func run() throws(StoreError) -> (StoreFile, StoredVersion) {
    if let patience {
      let entered = try StoreSharing.enter(
        paths, hasStore: isThere, patience: patience, keepsVersions: history != nil, system)
      (lock, sharing) = (entered?.lock, entered?.sharing)
    }
    if let sharing, let patience, !sharing.wasAlone {
      return try join(sharing, hasTurn: try takeTurn(of: sharing, patience))
    }
    // It is kept until the opening has ended (`share`).
    _ = try sharing?.retainTurn { _ in }
    if lock == nil { lock = try StoreLock.acquire(paths, hasStore: isThere, system) }
    snapshotFile = try StoreLock.acquireFile(paths.snapshot, of: paths, system)
    journalFile = try StoreLock.acquireFile(paths.journal, of: paths, system)
    guard let pair = try StoredPair.read(paths, system, keeping: history) else { return try create() }
    paths.removeTemporaryFiles(system)
    if pair.snapshot.generation == Generation.alone { return try adopt(pair) }
    let isTimed = history == nil || pair.journal?.header.isTimed ?? false
    return pair.isContinued && isTimed ? try resume(pair) : try writeAnew(pair)
  }

  // MARK: The cases

  /// Handles a store that does not exist (S11).
  private mutating func create() throws(StoreError) -> (StoreFile, StoredVersion) {
    guard isCreating else { throw StoreError.noStore(at: paths.snapshot) }
    // The seed is called before anything is written.
    let seed = try self.seed?()
    let store = UUID(system.randomBits(), system.randomBits())
    paths.removeTemporaryFiles(system)
    var stored = StoredVersion(
      store: store, graph: seed?.graph ?? .empty, userVersion: seed?.userVersion ?? 0, state: .created)
    stored.earlier = history.map { VersionHistory($0) }
    // A journal with a base above 0 must never exist without a snapshot, so a seed first stands alone, like a copy.
    if stored.version > 0 { _ = try newSnapshot(stored, Generation.alone) }
    let generation = try Generation.next(after: Generation.alone, paths, system)
    return try begin(stored, generation: generation, snapshotFirst: false)
  }

  /// Handles a copy that stands alone: it gets files of its own generation (S11).
  private mutating func adopt(_ pair: StoredPair) throws(StoreError) -> (StoreFile, StoredVersion) {
    let generation = try Generation.next(after: pair.generation, paths, system)
    var version = StoredVersion(pair)
    if let journal = pair.journal { version.cutOff?.keptAt = try keepTail(of: journal, pair.version) }
    return try begin(version, generation: generation, snapshotFirst: pair.journal != nil)
  }

  /// Writes a snapshot, and a journal without records.
  ///
  /// - Parameter snapshotFirst: whether there is a journal that may have commits which the old snapshot lacks.
  private mutating func begin(
    _ stored: StoredVersion, generation: UInt64, snapshotFirst: Bool
  ) throws(StoreError) -> (StoreFile, StoredVersion) {
    var stored = stored
    let header = JournalHeader(
      store: stored.store, generation: generation, base: stored.version, isTimed: history != nil)
    if snapshotFirst {
      // The versions before it are not reached from the new snapshot.
      stored.earlier = history.map { VersionHistory($0) }
      let size = try newSnapshot(stored, generation)
      let journal = try newJournal(header) { _ in }
      return opened(stored, journal, snapshotVersion: stored.version, generation: generation, size: size)
    }
    let journal = try newJournal(header) { _ in }
    let size = try newSnapshot(stored, generation)
    return opened(stored, journal, snapshotVersion: stored.version, generation: generation, size: size)
  }

  /// Handles a store that was closed in order.
  private mutating func resume(_ pair: StoredPair) throws(StoreError) -> (StoreFile, StoredVersion) {
    guard let stored = pair.journal, let file = journalFile else {
      fatalError("A store is gone on with that has no journal.")
    }
    let journal = JournalFile(file, path: paths.journal, stored)
    return opened(
      StoredVersion(pair), journal, snapshotVersion: pair.snapshot.version, generation: pair.snapshot.generation,
      size: pair.snapshotSize)
  }

  /// Takes the turn. It is waited for only a moment if reading is all that is wanted.
  ///
  /// - Returns: whether this process has it.
  private func takeTurn(of sharing: StoreSharing, _ patience: Int) throws(StoreError) -> Bool {
    if isWriting { return try sharing.retainTurn { _ in } }
    // A tenth of a second of a minute.
    do throws(StoreError) { return try sharing.retainTurn(within: patience / 600) { _ in } } catch {
      guard error.code == .alreadyOpen else { throw error }
      return false
    }
  }

  /// Handles a store that other processes have open (S26). It keeps the turn, if it has it.
  private mutating func join(
    _ sharing: StoreSharing, hasTurn: Bool
  ) throws(StoreError) -> (StoreFile, StoredVersion) {
    let lost = try asStoreError("The lock file could not be read", at: paths.lock) {
      let remarks = try sharing.remarks()
      if hasTurn && remarks.lost == nil { try sharing.noteTurn() }
      return remarks.lost
    }
    if let lost {
      throw StoreError(
        .storeIsReadOnly,
        "The disk of the store \(paths.snapshot) has failed in another process, after version \(lost.version): close "
          + "it in all processes, and open it again.", file: paths.snapshot, holder: lost.holder)
    }
    var pair = try readWithFiles()
    // Without the turn, bytes behind the last whole record may be an append that is under way.
    if !hasTurn, case .torn? = pair.journal?.end { pair.journal?.end = .clean }
    guard let stored = pair.journal, let journalFile, pair.snapshot.generation != Generation.alone else {
      throw changedByOthers(paths.journal)
    }
    if history != nil && !stored.header.isTimed {
      throw sharing.notAlone("Keeping earlier versions for the first time")
    }
    var version = StoredVersion(pair)
    var journal = JournalFile(journalFile, path: paths.journal, stored)
    version.cutOff?.keptAt = try keepTail(of: stored, pair.version, synchronizingFolder: true)
    do throws(FileFailure) {
      if case .torn = stored.end { try journal.cutOff() } else { try journal.synchronize() }
      // The process that gave the journal its name may have died before the name was durable (S31).
      try system.synchronizeFolder(paths.folder)
    } catch {
      // The system reports it to no opening that comes later (S32).
      if [.synchronize, .synchronizeFolder].contains(error.operation) { sharing.note(lostAfter: stored.durableTo) }
      throw StoreError(error, "The journal could not be synchronized")
    }
    let opened = opened(
      version, journal, snapshotVersion: pair.snapshot.version, generation: pair.snapshot.generation,
      size: pair.snapshotSize)
    opened.0.log.withLock { $0.isUnconfirmed = !hasTurn }
    return opened
  }

  /// Opens and reads both files. A checkpoint of another process may give the snapshot its name meanwhile.
  private mutating func readWithFiles() throws(StoreError) -> StoredPair {
    for attempt in 1... {
      snapshotFile?.close()
      journalFile?.close()
      snapshotFile = try StoreLock.acquireFile(paths.snapshot, of: paths, as: .shared, system)
      journalFile = try StoreLock.acquireFile(paths.journal, of: paths, as: .shared, system)
      do throws(StoreError) {
        guard let pair = try StoredPair.read(paths, system, keeping: history) else {
          throw changedByOthers(paths.snapshot)
        }
        try checkNames()
        return pair
      } catch {
        guard attempt < 5, error.code == .alreadyOpen || error.code == .damaged else { throw error }
      }
    }
    fatalError("The last attempt returns or throws.")
  }

  /// Handles a store that was not closed in order (S12).
  private mutating func writeAnew(_ pair: StoredPair) throws(StoreError) -> (StoreFile, StoredVersion) {
    guard let stored = pair.journal else { fatalError("A store is written anew that has no journal.") }
    let generation = try Generation.next(after: pair.generation, paths, system)
    var version = StoredVersion(pair)
    // The commits above version 0 lead to earlier versions, if these are kept.
    let keepsSnapshot = pair.snapshot.version <= stored.lastCommit && (pair.snapshot.version > 0 || history != nil)
    version.cutOff?.keptAt = try keepTail(of: stored, pair.version)
    guard keepsSnapshot else { return try begin(version, generation: generation, snapshotFirst: true) }
    let header = JournalHeader(
      store: pair.snapshot.store, generation: generation, base: stored.header.base,
      isTimed: stored.header.isTimed || history != nil, history: stored.header.history)
    let key = system.key
    let journal = try newJournal(header) { new in
      func append(_ commit: CommitRecord) throws {
        var commit = commit
        commit.time = commit.time ?? pair.readAt
        try new.append(commit)
      }
      // A cipher may fail now that did not before. Then no commit is left out, but the opening fails.
      let again = try StoredJournal(scanning: stored.bytes, key: key, forEach: append)
      if case .damaged(let error) = again.end { throw error }
      assert(again.lastCommit == stored.lastCommit, "The same bytes hold the same commits.")
    }
    return opened(
      version, journal, snapshotVersion: pair.snapshot.version, generation: pair.snapshot.generation,
      size: pair.snapshotSize)
  }

  /// Saves the bytes that are about to be cut off in a file beside the store, behind the journal's header (S6).
  ///
  /// - Returns: its path; nil if all bytes are zeros, which come from growing the file and not from a commit.
  private func keepTail(
    of journal: StoredJournal, _ version: UInt64, synchronizingFolder isSynchronizing: Bool = false
  ) throws(StoreError) -> String? {
    // A journal that is written anew synchronizes the folder, and no bytes are lost before that.
    guard case .torn = journal.end else { return nil }
    return try paths.keepTail(
      journal.bytes[min(journal.length, journal.bytes.count)...], header: journal.bytes.prefix(journal.header.length),
      behind: version, system, synchronizingFolder: isSynchronizing, checking: checkNames)
  }

  // MARK: Writing files (S3)

  /// Throws when a name of the store leads to another file than the one that was read and locked here, or to none
  /// (S16). A file of another process must not be replaced.
  private func checkNames() throws(StoreError) {
    if let lock { try checkName(paths.lock, is: lock.identity) }
    try checkName(paths.snapshot, is: snapshotFile?.identity)
    try checkName(paths.journal, is: journalFile?.identity)
  }

  private func checkName(_ name: String, is identity: FileIdentity?) throws(StoreError) {
    let found = try asStoreError("The store does not find its files", at: name) { try system.entry(at: name)?.identity }
    if found != identity { throw changedByOthers(name) }
  }

  private func changedByOthers(_ name: String) -> StoreError {
    StoreError(
      .alreadyOpen,
      "The file \(name) was made, taken away or replaced by others while the store \(paths.snapshot) was being opened: "
        + "open it again. What stands there was not changed.", file: name)
  }

  /// Gives a new file its name after `fill`.
  private func finish(_ new: NewFile, named name: String, _ fill: () throws -> Void = {}) throws {
    do {
      try new.finish {
        try fill()
        try checkNames()
      }
    } catch let failure as FileFailure where failure.meaning == .fileExists {
      throw changedByOthers(name)
    }
  }

  private mutating func newJournal(
    _ header: JournalHeader, _ fill: (NewJournal) throws -> Void
  ) throws(StoreError) -> JournalFile {
    let journal = try asStoreError("The journal could not be written", at: paths.journal) {
      let new = try NewJournal(header, at: paths, replacing: journalFile?.identity, on: system)
      try finish(new.file, named: paths.journal) {
        try fill(new)
        try new.file.synchronize()
      }
      return new.journal
    }
    journalFile?.close()
    journalFile = journal.file
    return journal
  }

  private mutating func newSnapshot(_ stored: StoredVersion, _ generation: UInt64) throws(StoreError) -> Int {
    let header = SnapshotHeader(
      store: stored.store, generation: generation, version: stored.version, userVersion: stored.userVersion)
    let new = try asStoreError("The snapshot could not be written", at: paths.snapshot) {
      let new = try NewFile.snapshot(of: stored.graph, header, at: paths, replacing: snapshotFile?.identity, on: system)
      try finish(new, named: paths.snapshot)
      return new
    }
    snapshotFile?.close()
    snapshotFile = new.file
    return new.length
  }

  private func opened(
    _ stored: StoredVersion, _ journal: JournalFile, snapshotVersion: UInt64, generation: UInt64, size: Int
  ) -> (StoreFile, StoredVersion) {
    guard let lock, let snapshotFile else { fatalError("A store was opened whose snapshot was not.") }
    assert(journal.lastCommit == stored.version || snapshotVersion == stored.version, "The files hold the version.")
    var stored = stored
    let anchor = HistoryAnchor(
      store: stored.store, version: snapshotVersion, generation: generation, isExpected: journal.hasHistory)
    if history != nil { stored.beforeSnapshot = EarlierVersions(paths: paths, system: system, anchor: anchor) }
    // If it cannot be looked at now, the next checkpoint looks at it. Without limits it stays until the store is opened
    // again, and has no effect (S18).
    let own = try? paths.ownHistory(of: stored.store, system)
    let historySize = own == nil ? nil : (try? system.entry(at: paths.history))?.size
    let site = StoreSite(
      store: stored.store, paths: paths, system: system, lock: lock, sharing: sharing, history: history,
      process: system.processIdentifier, report: report)
    let snapshot = SnapshotFiles(file: snapshotFile, size: size, anchor: anchor, historySize: historySize)
    return (StoreFile(at: site, snapshot, journal: journal, stored.graph), stored)
  }
}

extension UUID {
  /// The UUID whose bytes are those of two numbers, the lowest byte of each first.
  init(_ first: UInt64, _ second: UInt64) {
    func byte(_ number: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> (index * 8)) }
    self.init(
      uuid: (
        byte(first, 0), byte(first, 1), byte(first, 2), byte(first, 3),
        byte(first, 4), byte(first, 5), byte(first, 6), byte(first, 7),
        byte(second, 0), byte(second, 1), byte(second, 2), byte(second, 3),
        byte(second, 4), byte(second, 5), byte(second, 6), byte(second, 7)
      ))
  }
}
