import FiefGraph
import Foundation

/// A durable store, open for writing: the files of a graph, with their guarantees.
///
///     let (file, stored) = try StoreFile.open("dogs.realm")
///     let published = PublishedGraph(stored.graph)
///     …
///     let delta = Delta(from: published.current, to: next)
///     try file.commit(delta, version: next.version, userVersion: 0, durability: .full)
///     try published.publish(transaction)                      // never before (S4)
///
///     StoreFile ─┬─ site        what never changes: names, lock, process
///                ├─ snapshot    the snapshot and the history, for one checkpoint at a time
///                ├─ log         the journal, for one append at a time
///                ├─ progress    what is appended and durable, who waits, and whether commits are taken
///                └─ sizes       how large the files are, and what the last checkpoint missed
///
/// Of each commit it keeps the version, which is one higher than the last, and the number that the application gives
/// its schema (`userVersion`). The graph of a version is passed to each checkpoint.
///
/// All functions may be called from any thread. Commits must be appended in the order of their versions, so writers
/// that take turns must call `append` in that order. Waiting for durability, checkpoints and all other calls need no
/// order. Locks are taken in this order: snapshot, log, progress or sizes.
///
/// The guarantees and their proofs are in the module's README; the code cites its numbers.
package final class StoreFile: Sendable {
  let site: StoreSite
  let snapshot: Locked<SnapshotFiles>
  let log: Locked<CommitLog>
  let progress: CommitProgress
  let sizesOfFiles: Locked<FileSizes>
  let watch: JournalWatch
  /// The queue for checkpoints in the background.
  let background = DispatchQueue(label: "fief.checkpoint", qos: .utility)
  /// The queue on which files are closed that are no longer part of the store.
  private let closing = DispatchQueue(label: "fief.closing", qos: .utility)

  init(at site: StoreSite, _ snapshot: SnapshotFiles, journal: JournalFile, _ graph: Graph) {
    self.site = site
    watch = JournalWatch(site.paths.journal, site.system, whileAlone: site.sharing.map { (site.paths.lock, $0) })
    self.snapshot = Locked(snapshot)
    log = Locked(
      CommitLog(
        journal: journal, snapshot: snapshot.file.identity, snapshotGeneration: snapshot.anchor.generation))
    progress = CommitProgress(site.paths, graph, journal: journal.file) { [sharing = site.sharing] in
      sharing?.note(lostAfter: $0)
    }
    sizesOfFiles = Locked(
      FileSizes(snapshot: snapshot.size, journal: journal.length, history: snapshot.historySize ?? 0))
  }

  deinit { release(log.withLock(\.journal.file), snapshot.withLock(\.file)) }

  /// Closes a file that has lost its name. The system then frees all of its blocks, which takes as long as writing some
  /// of them. So files of the real system are closed on a queue, and only closing the store waits for that queue.
  func closeBehind(_ file: any OpenFile) {
    guard file.writesBehind, file.workBehind == nil else { return file.close() }
    closing.async { file.close() }
  }

  /// Closes all files and releases the lock. Without a seal before it, this leaves the files as the death of the
  /// process does.
  func release(_ journal: any OpenFile, _ snapshot: any OpenFile) {
    watch.end()
    if site.isOfThisProcess { closing.sync {} }
    journal.close()
    snapshot.close()
    site.lock.release()
  }

  // MARK: Asking

  /// The path of the snapshot: absolute, links followed.
  package var path: String { site.paths.snapshot }

  /// The identity of the store: drawn when it was created, and equal in all of its files.
  package var store: UUID { site.store }

  /// The last commit that the system has.
  package var version: UInt64 { progress.versions.appended }

  /// The last commit that survives a power failure.
  package var durableVersion: UInt64 { progress.versions.durable }

  /// Why the store takes no commits, or nil while it does.
  package var refusal: StoreError? { progress.refusal }

  /// Why a commit may be lost: the error of `waitUntilDurable`. Nil while it may still become durable, or is.
  package func failure(of version: UInt64) -> StoreError? { progress.failure(of: version) }

  /// The contents of the last durable version, and the number of the last commit, when the store takes no more commits;
  /// nil while it does, and if a commit was appended or applied without contents.
  package var remains: (contents: Graph, appended: UInt64)? { progress.remains }

  /// Whether the journal has grown enough to make a checkpoint worthwhile: by more than 4 MiB, and by more than the
  /// sizes of the snapshot and the history, which a checkpoint writes as a whole. It has grown since the last
  /// checkpoint or the last one in the background that failed.
  package var isCheckpointDue: Bool {
    sizesOfFiles.withLock {
      !$0.areChanging && $0.journal - $0.journalAtFailure > max(Self.smallestDueJournal, $0.snapshot, $0.history)
    }
  }

  /// A journal of fewer bytes does not justify a checkpoint.
  static let smallestDueJournal = 4 << 20

  /// The sizes of the snapshot and the journal in bytes.
  package var sizes: (snapshot: Int, journal: Int) { sizesOfFiles.withLock { ($0.snapshot, $0.journal) } }

  /// Returns, once, what the last checkpoint found missing of the history, as a sentence; nil if nothing.
  package func takeLoss() -> String? {
    sizesOfFiles.withLock { sizes in
      defer { sizes.loss = nil }
      return sizes.loss
    }
  }

  /// The last commit that is appended, and the last that is durable.
  ///
  /// - Throws: an error unless the store takes commits from this process.
  @discardableResult
  func checkWriting() throws(StoreError) -> (appended: UInt64, durable: UInt64) {
    let versions = try progress.versionsForWriting()
    guard site.isOfThisProcess else {
      throw StoreError(
        .alreadyOpen,
        "The store \(path) belongs to process \(site.process), of which this one is a fork: open it here when it is "
          + "closed there.",
        file: path, holder: site.process)
    }
    return versions
  }

  /// Throws, and ends the writing, when a name of the store leads to another file than the one that is open here, or to
  /// no file (S16).
  ///
  /// - Parameters:
  ///   - arriving: a file that may already have the name of the snapshot.
  ///   - adopted: returns the snapshot of another process, if the one under the name can be accepted.
  /// - Returns: the size of the journal.
  @discardableResult func checkNames(
    snapshot: FileIdentity, arriving: FileIdentity? = nil, journal: FileIdentity,
    orElse adopted: () throws(StoreError) -> FileIdentity? = { () throws(StoreError) in nil }
  ) throws(StoreError) -> Int {
    let paths = site.paths
    var size = 0
    for (name, identity) in [(paths.lock, site.lock.identity), (paths.snapshot, snapshot), (paths.journal, journal)] {
      let entry = try occupant(of: name)
      let found = entry?.identity
      size = entry?.size ?? 0
      if found == identity || name == paths.snapshot && found != nil && found == arriving { continue }
      if name == paths.snapshot, found != nil {
        // Another checkpoint may name its snapshot between two looks.
        let accepted = try adopted()
        if accepted == found { continue }
        if let accepted, try accepted == occupant(of: name)?.identity { continue }
      }
      let cause = StoreError(
        .storeIsReadOnly,
        "The store \(path) takes no more commits: its file \(name) was \(found == nil ? "taken away" : "replaced") "
          + "while it was open. Close it, put back what belongs there, and open it again.", file: name)
      progress.end(cause)
      throw cause
    }
    return size
  }

  private func occupant(of name: String) throws(StoreError) -> FileEntry? {
    do throws(FileFailure) { return try site.system.entry(at: name) } catch {
      throw StoreError(error, "The store \(path) does not find its files")
    }
  }
}

/// The parts that do not change while a store is open.
struct StoreSite: Sendable {
  let store: UUID
  let paths: StorePaths
  let system: any FileSystem
  let lock: StoreLock
  /// The part of this process in a store that others may have open; nil in one that is open alone.
  let sharing: StoreSharing?
  /// How many earlier versions are kept; nil for none.
  let history: HistoryLimits?
  /// The process that opened the store.
  let process: Int32
  /// Receives the error that ends the writing while the timer synchronizes or seals.
  let report: @Sendable (StoreError) -> Void

  /// Whether this process opened the store, and is not a fork of that process.
  var isOfThisProcess: Bool { system.processIdentifier == process }
}

/// The snapshot of a store, and the history beside it. A checkpoint has them to itself.
struct SnapshotFiles {
  /// The snapshot file, locked because of hard links (S14).
  var file: any OpenFile
  /// The size of the snapshot.
  var size: Int
  /// The version and generation of the snapshot, and whether a history was written before it.
  var anchor: HistoryAnchor
  /// The size of the history file; nil without one.
  var historySize: Int?
}

/// The target of commits. An append has it to itself.
struct CommitLog {
  var journal: JournalFile
  /// The snapshot file, and the file that a checkpoint is about to make the snapshot.
  var snapshot: FileIdentity
  var arriving: FileIdentity?
  /// The generation of the snapshot that has the name.
  var snapshotGeneration: UInt64
  /// The remarks in the lock file when this process got the turn; nil when it has caught up. Until then, others may
  /// have appended commits.
  var remarks: StoreSharing.Remarks?
  /// Whether this process knew all commits when it had the turn last. If it still is the last one, it knows them now.
  var isComplete = false
  /// Whether the lock file names this process as the one that has the turn (S27).
  var isNoted = false
  /// Whether the last commit was read without the turn, and not compared since.
  var isUnconfirmed = false
  /// The work of other processes that is not yet applied.
  var pending: [Followed] = []
  /// The commits since a checkpoint read the journal's length; nil when no checkpoint is under way.
  var late: [CommitRecord]?
}

extension CommitLog {
  /// The journal as it is known. If the file under the name is another one, or has another size, somebody has appended.
  var known: (identity: FileIdentity, size: Int?) { (journal.file.identity, journal.knownSize) }
}

/// The sizes of a store's files, and whether a checkpoint is about to change them.
struct FileSizes {
  var snapshot: Int
  var journal: Int
  var history: Int
  /// The size of the journal when the last checkpoint in the background failed; 0 if none has failed since the journal
  /// was begun.
  var journalAtFailure = 0
  var areChanging = false
  /// The part of the history that the last checkpoint did not find.
  var loss: String?
}
