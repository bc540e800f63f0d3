import FiefGraph
import Foundation

/// A durable store, open for writing: the files of a graph, and the promises about them.
///
///     let (file, stored) = try StoreFile.open("dogs.realm")
///     let published = PublishedGraph(stored.graph)
///     …
///     let delta = Delta(from: published.current, to: next)
///     try file.commit(delta, version: next.version, userVersion: 0, durability: .full)
///     try published.publish(transaction)                      // never before (S4)
///
/// It holds no graph: whoever publishes versions gives one when a checkpoint is made. It knows of each commit its
/// version, which is one higher than the last, and the number that the application gives its schema (`userVersion`).
///
/// All functions may be called from any thread. Commits are appended in the order of their versions, so who takes turns
/// among writers calls `append` in that order; waiting for durability, checkpoints and all else need no order.
///
/// What it promises, and why that holds, is in the room's README; the code quotes its numbers.
public final class StoreFile: @unchecked Sendable {
  // `@unchecked Sendable` is true because everything that changes is guarded: what is under `writing`, `door` and
  // `checkpoints` by those locks, and they are taken in this order: checkpoints, writing, door.

  /// What a store does when it is asked for a commit.
  enum State {
    /// It takes it.
    case writing
    /// It does not, because of this (S7).
    case readOnly(StoreError)
    /// It was closed.
    case closed
  }

  /// The path of the snapshot: absolute, links followed.
  public var path: String { paths.snapshot }
  /// Which store it is: drawn when it was created, and the same in all of its files.
  public let store: UUID

  let paths: StorePaths
  let system: any FileSystem
  let barriers: Barriers
  let lock: StoreLock?
  private let process: Int32

  // MARK: Under `checkpoints`: one checkpoint at a time

  let checkpoints = NSLock()
  /// The snapshot file, locked for the sake of hard links (S14).
  var snapshotFile: any OpenFile
  /// The version and size of the snapshot.
  var snapshotVersion: UInt64
  var snapshotSize: Int

  // MARK: Under `writing`: one append at a time

  let writing = NSLock()
  var journal: JournalFile
  /// Which file is the snapshot, and which one a checkpoint is about to make it.
  var snapshotIdentity: FileIdentity
  var arrivingSnapshot: FileIdentity?
  /// The commits that came since a checkpoint looked into the journal; nil while there is none.
  var late: [CommitRecord]?

  // MARK: Under `door`: who waits for what

  let door = NSCondition()
  private(set) var state = State.writing
  /// The last commit that is in the journal.
  private(set) var appended: UInt64
  /// The last commit that is synchronized.
  private(set) var durable: UInt64
  private var isSynchronizing = false
  /// How long the journal is, for those who only ask.
  private var journalLength: Int
  private var snapshotLength: Int
  private var isCheckpointUnderWay = false
  /// Whether someone will look after the commits that nobody waits for, and what was the last commit when someone
  /// looked last.
  private var isTended = false
  private var tended: UInt64

  /// The queue on which checkpoints are made that nobody waits for.
  let background = DispatchQueue(label: "fief.checkpoint", qos: .utility)

  /// The queue on which files are closed that are no part of the store any more.
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
    snapshotVersion = parts.snapshotVersion
    snapshotSize = parts.snapshotSize
    journal = parts.journal
    appended = parts.version
    durable = parts.version
    tended = parts.version
    journalLength = parts.journal.length
    snapshotLength = parts.snapshotSize
  }

  /// What an opening hands over.
  struct Parts {
    var store: UUID
    var paths: StorePaths
    var system: any FileSystem
    var barriers: Barriers
    var lock: StoreLock?
    var snapshotFile: any OpenFile
    var snapshotVersion: UInt64
    var snapshotSize: Int
    var journal: JournalFile
    var version: UInt64
  }

  deinit { releaseFiles() }

  /// Closes a file that has lost its name. The system then gives back all of its blocks, which takes as long as writing
  /// some of them; so files of the system are closed on a queue, which nobody waits for until the store is closed.
  func closeBehind(_ file: any OpenFile) {
    guard file.writesBehind, file.workBehind == nil else { return file.close() }
    closing.async { file.close() }
  }

  /// Lets go of all files and of the lock; without a seal, that is as a process that dies does.
  func releaseFiles() {
    if isOfThisProcess { closing.sync {} }
    journal.file.close()
    snapshotFile.close()
    lock?.release()
  }

  // MARK: Asking

  /// The last commit that was handed to the system.
  public var version: UInt64 { locked { appended } }

  /// The last commit that survives a power failure.
  public var durableVersion: UInt64 { locked { durable } }

  /// Why the store takes no commits, or nil while it does.
  public var refusal: StoreError? {
    locked {
      switch state {
      case .writing: nil
      case .readOnly(let cause): refusalAfter(cause)
      case .closed: closedError
      }
    }
  }

  /// Whether the journal has grown so much that a checkpoint is worth its while: beyond 4 MiB and beyond the snapshot.
  public var isCheckpointDue: Bool {
    locked { !isCheckpointUnderWay && journalLength > max(Self.smallestDueJournal, snapshotLength) }
  }

  /// A journal of less bytes is not worth a checkpoint.
  static let smallestDueJournal = 4 << 20

  /// How many bytes the snapshot and the journal have.
  public var sizes: (snapshot: Int, journal: Int) { locked { (snapshotLength, journalLength) } }

  func locked<Result>(_ body: () -> Result) -> Result {
    door.lock()
    defer { door.unlock() }
    return body()
  }
}

// MARK: - The door: what is appended, what is durable, and whether more is taken

extension StoreFile {
  var closedError: StoreError {
    StoreError(.closed, "The store \(path) was closed: open it again.", file: path)
  }

  private func refusalAfter(_ cause: StoreError) -> StoreError {
    // The cause says all of it when no disk has failed.
    if cause.code == .storeIsReadOnly { return cause }
    return StoreError(
      .storeIsReadOnly,
      "The store \(path) takes no more commits, because its disk failed: close it and open it again to find out what "
        + "it holds. (\(cause.message))",
      file: cause.file ?? path, systemCode: cause.systemCode)
  }

  /// Whether this is the process that opened the store, and none that was forked off it.
  var isOfThisProcess: Bool { system.processIdentifier == process }

  /// Throws unless commits are taken, by this process.
  func checkWriting() throws(StoreError) {
    if let refusal { throw refusal }
    guard isOfThisProcess else {
      throw StoreError(
        .alreadyOpen,
        "The store \(path) belongs to process \(process), of which this one is a fork: open it here when it is closed there.",
        file: path, holder: process)
    }
  }

  /// Notes that a commit is in the journal.
  ///
  /// - Returns: whether nobody looks after it yet (`tend`).
  func note(appended version: UInt64, journalLength: Int) -> Bool {
    locked {
      appended = version
      self.journalLength = journalLength
      defer { isTended = true }
      return !isTended
    }
  }

  /// Begins a round of looking after commits.
  ///
  /// - Returns: the last commit of the round before, and whether none came since.
  func beginTending() -> (old: UInt64, isIdle: Bool) {
    locked {
      defer { tended = appended }
      return (tended, tended == appended)
    }
  }

  /// Ends looking after commits, unless there came one since.
  ///
  /// - Returns: whether it ended.
  func endTending(after version: UInt64) -> Bool {
    locked {
      if appended == version { isTended = false }
      return !isTended
    }
  }

  /// Takes no more commits (S7); the first cause counts.
  func endWriting(_ cause: StoreError) {
    locked {
      if case .writing = state { state = .readOnly(cause) }
      door.broadcast()
    }
  }

  /// Refuses everything from now on.
  ///
  /// - Returns: what the state was.
  func noteClosed() -> State {
    locked {
      defer { state = .closed }
      door.broadcast()
      return state
    }
  }

  /// Keeps others from synchronizing for the time of `body`, and waits until nobody does.
  func alone<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    door.lock()
    while isSynchronizing { door.wait() }
    isSynchronizing = true
    door.unlock()
    defer {
      locked {
        isSynchronizing = false
        door.broadcast()
      }
    }
    return try body()
  }

  /// Notes that everything that was appended is durable in a journal of that length.
  func noteSwitch(journalLength: Int, snapshotLength: Int) {
    locked {
      durable = appended
      self.journalLength = journalLength
      self.snapshotLength = snapshotLength
    }
  }

  /// Notes up to where commits are durable, for those who wait too.
  func note(durable version: UInt64) {
    locked {
      durable = max(durable, version)
      door.broadcast()
    }
  }

  /// Notes whether a checkpoint is being made.
  func note(checkpointUnderWay: Bool) { locked { isCheckpointUnderWay = checkpointUnderWay } }

  /// Returns when `version` is durable; one of those who wait synchronizes for all of them.
  func waitUntilDurable(_ version: UInt64, synchronize: () throws(FileFailure) -> Void) throws(StoreError) {
    door.lock()
    while true {
      if durable >= version { break }
      guard version <= appended else {
        door.unlock()
        fatalError("Version \(version) is waited for, and was not appended: append it first.")
      }
      switch state {
      case .writing: break
      case .readOnly(let cause):
        door.unlock()
        throw StoreError(
          .commitOutcomeUnknown,
          "Whether commit \(version) of \(path) survives is unknown, because its disk failed: close the store and open it "
            + "again to find out. (\(cause.message))",
          file: cause.file ?? path, systemCode: cause.systemCode)
      case .closed:
        door.unlock()
        throw closedError
      }
      if isSynchronizing {
        door.wait()
        continue
      }
      isSynchronizing = true
      let target = appended
      door.unlock()
      var failure: FileFailure?
      do throws(FileFailure) { try synchronize() } catch { failure = error }
      door.lock()
      isSynchronizing = false
      if let failure {
        if barriers.contains(.failedSynchronizationEndsWriting) {
          if case .writing = state { state = .readOnly(StoreError(failure, "The journal could not be synchronized")) }
        } else {
          door.broadcast()
          door.unlock()
          throw StoreError(failure, "The journal could not be synchronized", code: .commitOutcomeUnknown)
        }
      } else if case .writing = state {
        durable = max(durable, target)
      } else if !barriers.contains(.cutOffIsAlone) {
        // Otherwise a store that has stopped meanwhile knows no better than the disk.
        durable = max(durable, target)
      }
      door.broadcast()
    }
    door.unlock()
  }
}
