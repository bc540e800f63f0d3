import FiefGraph

/// One commit as it goes into a journal.
struct CommitRecord: Sendable {
  var version: UInt64
  var userVersion: UInt64
  var delta: Delta
}

/// The journal that commits are appended to: a file, how long it is good, and what its next record goes on from.
///
///     ├── header ──┬── record ──┬── record ──┤ length           what is behind is no part of it, but for a seal
///
/// A journal that was closed in order is gone on with over its seal, not behind it: so whatever a session does to the
/// file and undoes again, the next one finds no seal, and does not take on trust what may never have reached the disk
/// (S12). Its length and its writer change together, and only when the bytes are in the file. It is used under the
/// store's `writing` lock; synchronizing alone needs none.
final class JournalFile {
  let file: any OpenFile
  let path: String
  /// Up to where it is good.
  private(set) var length: Int
  /// Whether it ends in a seal.
  private(set) var isSealed: Bool
  /// Whether that seal is still to be synchronized.
  private(set) var isSealPending = false
  private var writer: JournalWriter

  init(_ file: any OpenFile, path: String, length: Int, isSealed: Bool, writer: JournalWriter) {
    self.file = file
    self.path = path
    self.length = length
    self.isSealed = isSealed
    self.writer = writer
  }

  /// The last version of which it has a record; the snapshot's, if it has none.
  var lastCommit: UInt64 { writer.lastCommit }
  /// The version that its first record comes after.
  var base: UInt64 { writer.header.base }
  /// Its generation.
  var generation: UInt64 { writer.header.generation }

  /// Adds a commit.
  ///
  /// - Throws: what the system says; the file may then have more bytes than `length`.
  func append(_ commit: CommitRecord, durableTo: UInt64) throws(FileFailure) {
    var next = writer
    let bytes = next.commit(
      commit.delta, userVersion: commit.userVersion, durableTo: min(max(durableTo, base), lastCommit))
    do throws(FileFailure) { try file.writeAll(bytes, at: length, path: path) } catch { throw error.of(path) }
    length += bytes.count
    writer = next
    isSealed = false
  }

  /// Says that all commits are durable: writes a seal behind the last of them, which the next commit is written over
  /// (S6).
  ///
  /// - Throws: what the system says; the file may then have more bytes than `length`.
  func seal() throws(FileFailure) {
    var next = writer
    let bytes = next.seal()
    do throws(FileFailure) { try file.writeAll(bytes, at: length, path: path) } catch { throw error.of(path) }
    isSealed = true
    isSealPending = true
  }

  /// Notes that the seal, if it is still there, was synchronized.
  func noteSealSynchronized() { isSealPending = false }

  /// Cuts off what a failed append may have left, for good (S5); a seal too.
  func cutOff() throws(FileFailure) {
    isSealed = false
    do throws(FileFailure) {
      try file.truncate(to: length)
      try file.synchronize()
    } catch {
      throw error.of(path)
    }
  }

  /// Makes everything durable.
  func synchronize() throws(FileFailure) {
    // The file was opened under another name, which is of no use to anyone now.
    do throws(FileFailure) { try file.synchronize() } catch { throw error.of(path) }
  }
}

/// A journal that is being written anew, beside the one that counts (S9, S12).
final class NewJournal {
  private let file: NewFile
  private let path: String
  private var writer: JournalWriter

  /// Begins the journal of a store.
  init(
    _ header: JournalHeader, _ paths: StorePaths, _ system: any FileSystem, _ barriers: Barriers
  ) throws(FileFailure) {
    let file = try NewFile(paths.journal, like: paths.snapshot, system, barriers)
    self.file = file
    path = paths.journal
    writer = JournalWriter(header)
    do throws(FileFailure) {
      if barriers.contains(.storeIsLocked) { try file.lock() }
      try file.append(writer.headerBytes)
    } catch {
      file.discard()
      throw error
    }
  }

  /// The last version of which it has a record.
  var lastCommit: UInt64 { writer.lastCommit }

  /// Adds a commit. All before it will be durable when the file has its name, so the record may say so.
  func append(_ commit: CommitRecord) throws(FileFailure) {
    try file.append(writer.commit(commit.delta, userVersion: commit.userVersion, durableTo: writer.lastCommit))
  }

  /// Makes the bytes durable.
  func synchronize() throws(FileFailure) { try file.synchronize() }

  /// Makes the file the journal.
  func takeName(synchronizingFolder: Bool) throws(NewFile.Doubt) -> JournalFile {
    try file.takeName(synchronizingFolder: synchronizingFolder)
    return JournalFile(file.file, path: path, length: file.length, isSealed: false, writer: writer)
  }

  /// Gives it up.
  func discard() { file.discard() }

  /// Lets go of it after an error.
  func given(up error: any Error) -> any Error { file.given(up: error) }
}
