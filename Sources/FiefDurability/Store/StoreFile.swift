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
/// It holds no graph: the caller passes one to each checkpoint. Of each commit it keeps the version, which is one
/// higher than the last, and the number that the application gives its schema (`userVersion`).
///
/// All functions may be called from any thread. Commits must be appended in the order of their versions, so writers
/// that take turns must call `append` in that order. Waiting for durability, checkpoints and all other calls need no
/// order.
///
/// The guarantees and their proofs are in the module's README; the code cites its numbers.
package final class StoreFile: @unchecked Sendable {
  // `@unchecked Sendable` is correct because locks guard all mutable state: `writing`, `door` and `checkpoints` each
  // guard the properties in the sections below. They are taken in this order: checkpoints, writing, door.

  /// How a store responds to a commit.
  enum State {
    /// It accepts commits.
    case writing
    /// It refuses commits, for this reason (S7).
    case readOnly(StoreError)
    /// It was closed.
    case closed
  }

  /// The path of the snapshot: absolute, links followed.
  package var path: String { paths.snapshot }
  /// The identity of the store: drawn when it was created, and equal in all of its files.
  package let store: UUID

  let paths: StorePaths
  let system: any FileSystem
  let barriers: Barriers
  let lock: StoreLock?
  private let process: Int32

  // MARK: Under `checkpoints`: one checkpoint at a time

  let checkpoints = NSLock()
  /// The snapshot file, locked because of hard links (S14).
  var snapshotFile: any OpenFile
  /// The version and generation of the snapshot, and whether a history was written before it.
  var anchor: HistoryAnchor
  /// The size of the snapshot.
  var snapshotSize: Int
  /// How many earlier versions are kept; nil for none.
  let history: HistoryLimits?
  /// The size of the history file; nil if there is none.
  var historySize: Int?

  // MARK: Under `writing`: one append at a time

  let writing = NSLock()
  var journal: JournalFile
  /// The snapshot file, and the file that a checkpoint is about to make the snapshot.
  var snapshotIdentity: FileIdentity
  var arrivingSnapshot: FileIdentity?
  /// The commits since a checkpoint read the journal's length; nil when no checkpoint is under way.
  var late: [CommitRecord]?

  // MARK: Under `door`: the state that threads wait for

  let condition = NSCondition()
  private(set) var state = State.writing
  /// The last commit in the journal.
  private(set) var appended: UInt64
  /// The last synchronized commit.
  private(set) var durable: UInt64
  private var isSynchronizing = false
  /// The journal's length, for `sizes` and `isCheckpointDue`.
  private var journalLength: Int
  private var snapshotLength: Int
  private var historyLength: Int
  private var loss: String?
  private var isCheckpointUnderWay = false
  /// Whether a round of tending is scheduled, and the last commit at the previous round.
  private var isTended = false
  private var tended: UInt64
  private var tendingReports: (failure: @Sendable (StoreError) -> Void, round: @Sendable () -> Void)?

  /// The queue for checkpoints in the background.
  let background = DispatchQueue(label: "fief.checkpoint", qos: .utility)

  /// The queue on which files are closed that are no longer part of the store.
  private let closing = DispatchQueue(label: "fief.closing", qos: .utility)

  init(_ parts: Parts) {
    store = parts.store
    paths = parts.paths
    system = parts.system
    barriers = parts.barriers
    lock = parts.lock
    process = parts.system.processIdentifier
    snapshotFile = parts.snapshotFile
    snapshotIdentity = parts.snapshotFile.identity
    anchor = parts.anchor
    snapshotSize = parts.snapshotSize
    history = parts.history
    historySize = parts.historySize
    journal = parts.journal
    appended = parts.version
    durable = parts.version
    tended = parts.version
    journalLength = parts.journal.length
    snapshotLength = parts.snapshotSize
    historyLength = parts.historySize ?? 0
  }

  /// The state that an opening passes to the store.
  struct Parts {
    var store: UUID
    var paths: StorePaths
    var system: any FileSystem
    var barriers: Barriers
    var lock: StoreLock?
    var snapshotFile: any OpenFile
    var snapshotSize: Int
    var anchor: HistoryAnchor
    var history: HistoryLimits?
    var historySize: Int?
    var journal: JournalFile
    var version: UInt64
  }

  deinit { releaseFiles() }

  /// Closes a file that has lost its name. The system then frees all of its blocks, which takes as long as writing some
  /// of them. So files of the real system are closed on a queue, and only closing the store waits for that queue.
  func closeBehind(_ file: any OpenFile) {
    guard file.writesBehind, file.workBehind == nil else { return file.close() }
    closing.async { file.close() }
  }

  /// Closes all files and releases the lock. Without a seal before it, this leaves the files as the death of the
  /// process does.
  func releaseFiles() {
    if isOfThisProcess { closing.sync {} }
    journal.file.close()
    snapshotFile.close()
    lock?.release()
  }

  // MARK: Asking

  /// The last commit that the system has.
  package var version: UInt64 { locked { appended } }

  /// The last commit that survives a power failure.
  package var durableVersion: UInt64 { locked { durable } }

  /// Why the store takes no commits, or nil while it does.
  package var refusal: StoreError? {
    locked {
      switch state {
      case .writing: nil
      case .readOnly(let cause): refusalAfter(cause)
      case .closed: closedError
      }
    }
  }

  /// Whether the journal has grown enough to make a checkpoint worthwhile: beyond 4 MiB, and beyond the sizes of the
  /// snapshot and the history, which a checkpoint writes as a whole.
  package var isCheckpointDue: Bool {
    locked { !isCheckpointUnderWay && journalLength > max(Self.smallestDueJournal, snapshotLength, historyLength) }
  }

  /// Returns, once, what the last checkpoint found missing of the history, as a sentence; nil if nothing.
  package func takeLoss() -> String? {
    locked {
      defer { loss = nil }
      return loss
    }
  }

  /// A journal of fewer bytes does not justify a checkpoint.
  static let smallestDueJournal = 4 << 20

  /// The sizes of the snapshot and the journal in bytes.
  package var sizes: (snapshot: Int, journal: Int) { locked { (snapshotLength, journalLength) } }

  func locked<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }
}

// MARK: - The door: what is appended, what is durable, and whether more is taken

extension StoreFile {
  var closedError: StoreError {
    StoreError(.closed, "The store \(path) was closed: open it again.", file: path)
  }

  private func refusalAfter(_ cause: StoreError) -> StoreError {
    // If no disk has failed, the cause itself is the full explanation.
    if cause.code == .storeIsReadOnly { return cause }
    return StoreError(
      .storeIsReadOnly,
      "The store \(path) takes no more commits, because its disk failed: close it and open it again to find out what "
        + "it holds. (\(cause.message))",
      file: cause.file ?? path, systemCode: cause.systemCode)
  }

  /// The error for commits that may or may not survive.
  ///
  /// - Parameters:
  ///   - commits: names the commits in the message.
  ///   - cause: the failure of the disk.
  ///   - remedy: how to find out what the store holds.
  func outcomeUnknown(
    of commits: String, after cause: StoreError, _ remedy: String = "close the store and open it again"
  ) -> StoreError {
    StoreError(
      .commitOutcomeUnknown,
      "The outcome of \(commits) of \(path) is unknown, because its disk failed: \(remedy) to find out. "
        + "(\(cause.message))",
      file: cause.file ?? path, systemCode: cause.systemCode)
  }

  /// Whether this process opened the store, and is not a fork of that process.
  var isOfThisProcess: Bool { system.processIdentifier == process }

  /// Throws unless the store takes commits from this process.
  func checkWriting() throws(StoreError) {
    if let refusal { throw refusal }
    guard isOfThisProcess else {
      throw StoreError(
        .alreadyOpen,
        "The store \(path) belongs to process \(process), of which this one is a fork: open it here when it is closed "
          + "there.",
        file: path, holder: process)
    }
  }

  /// Records that a commit is in the journal.
  ///
  /// - Returns: whether no round of tending was scheduled yet (`tend`).
  func note(appended version: UInt64, journalLength: Int) -> Bool {
    locked {
      appended = version
      self.journalLength = journalLength
      defer { isTended = true }
      return !isTended
    }
  }

  /// Begins a round of tending.
  ///
  /// - Returns: the last commit of the previous round, and whether no commit came since.
  func beginTending() -> (old: UInt64, isIdle: Bool) {
    locked {
      defer { tended = appended }
      return (tended, tended == appended)
    }
  }

  /// Ends the tending unless a commit came since.
  ///
  /// - Returns: whether it ended.
  func endTending(after version: UInt64) -> Bool {
    locked {
      if appended == version { isTended = false }
      return !isTended
    }
  }

  /// Sets what the timer reports, on its thread.
  ///
  /// - Parameters:
  ///   - failure: receives the error that ends the writing while the timer synchronizes or seals.
  ///   - round: called at the end of each round. The second one after a commit finds it durable, or the store refuses
  ///     commits.
  package func reportTending(
    failure: @escaping @Sendable (StoreError) -> Void, round: @escaping @Sendable () -> Void
  ) {
    locked { tendingReports = (failure, round) }
  }

  /// Reports the end of a round of the timer, and whether it has ended the writing.
  func noteTended(_ failure: StoreError?) {
    let reports = locked { tendingReports }
    if let failure { reports?.failure(failure) }
    reports?.round()
  }

  /// Makes the store refuse commits (S7); later causes are ignored.
  func endWriting(_ cause: StoreError) {
    locked {
      if case .writing = state { state = .readOnly(cause) }
      condition.broadcast()
    }
  }

  /// Makes the store refuse everything from now on.
  ///
  /// - Returns: the previous state.
  func noteClosed() -> State {
    locked {
      defer { state = .closed }
      condition.broadcast()
      return state
    }
  }

  /// Waits until no thread synchronizes, and keeps others from synchronizing while `body` runs.
  func alone<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    condition.lock()
    while isSynchronizing { condition.wait() }
    isSynchronizing = true
    condition.unlock()
    defer {
      locked {
        isSynchronizing = false
        condition.broadcast()
      }
    }
    return try body()
  }

  /// Records that all appended commits are durable in a journal of that length.
  func noteSwitch(journalLength: Int, snapshotLength: Int, historyLength: Int) {
    locked {
      durable = appended
      self.journalLength = journalLength
      self.snapshotLength = snapshotLength
      self.historyLength = historyLength
    }
  }

  /// Records what is missing of the history.
  func note(loss: String?) { locked { self.loss = loss } }

  /// Records up to which version commits are durable, and wakes waiting threads.
  func note(durable version: UInt64) {
    locked {
      durable = max(durable, version)
      condition.broadcast()
    }
  }

  /// Records whether a checkpoint is under way.
  func note(checkpointUnderWay: Bool) { locked { isCheckpointUnderWay = checkpointUnderWay } }

  /// Returns when `version` is durable. One of the waiting threads synchronizes for all of them.
  func waitUntilDurable(_ version: UInt64, synchronize: () throws(FileFailure) -> Void) throws(StoreError) {
    condition.lock()
    while true {
      if durable >= version { break }
      guard version <= appended else {
        condition.unlock()
        fatalError("Version \(version) is waited for, and was not appended: append it first.")
      }
      switch state {
      case .writing: break
      case .readOnly(let cause):
        condition.unlock()
        throw outcomeUnknown(of: "commit \(version)", after: cause)
      case .closed:
        condition.unlock()
        throw closedError
      }
      if isSynchronizing {
        condition.wait()
        continue
      }
      isSynchronizing = true
      let target = appended
      condition.unlock()
      var failure: FileFailure?
      do throws(FileFailure) { try synchronize() } catch { failure = error }
      condition.lock()
      isSynchronizing = false
      if let failure {
        if barriers.contains(.failedSynchronizationEndsWriting) {
          if case .writing = state { state = .readOnly(StoreError(failure, "The journal could not be synchronized")) }
        } else {
          condition.broadcast()
          condition.unlock()
          throw StoreError(failure, "The journal could not be synchronized", code: .commitOutcomeUnknown)
        }
      } else if case .writing = state {
        durable = max(durable, target)
      } else if !barriers.contains(.cutOffIsAlone) {
        // With the barrier, a store whose writing has ended meanwhile must not report the commits as durable.
        durable = max(durable, target)
      }
      condition.broadcast()
    }
    condition.unlock()
  }
}
