import FiefGraph

/// One commit as it goes into a journal.
struct CommitRecord: Sendable {
  var version: UInt64
  var userVersion: UInt64
  var delta: Delta
  /// When it was made, in milliseconds since 1970; nil if it came from a journal without times.
  var time: UInt64?
  /// The number of bytes that it takes in the journal from which it was read.
  var size = 0
}

/// The journal that commits are appended to: its file, the length of its valid part, and the writer of its next record.
///
///     ├── header ──┬── record ──┬── record ──┤ length           what is behind is no part of it, but for a seal
///
/// The next commit overwrites the seal of a journal that was closed in order. So a session that changes the file and
/// undoes the change leaves no seal, and the next session does not trust bytes that may never have reached the disk
/// (S12). The length and the writer change together, and only when the bytes are in the file. An append has the
/// journal to itself; synchronizing its file needs no lock.
struct JournalFile {
  let file: any OpenFile
  let path: String
  /// The length of the valid part.
  private(set) var length: Int
  /// Whether it ends in a seal.
  private(set) var isSealed: Bool
  /// Whether that seal is not yet synchronized.
  private(set) var isSealPending = false
  /// The size of the file as this process knows it, with the seal; nil if it does not know it, or if another record
  /// could take the place of the seal and have its size.
  var knownSize: Int? { isSealed && writer.header.key != nil ? nil : size }
  private var size: Int?
  /// The bytes behind the last record, if the journal ends in a seal.
  private var rest: [UInt8] = []
  private var writer: JournalWriter

  init(_ file: any OpenFile, path: String, length: Int, writer: JournalWriter) {
    self.file = file
    self.path = path
    self.length = length
    self.writer = writer
    isSealed = false
    size = length
  }

  /// The journal that was read from a file.
  init(_ file: any OpenFile, path: String, _ stored: StoredJournal) {
    self.init(file, path: path, length: stored.length, writer: stored.continuation)
    isSealed = stored.end == .sealed
    // Without the seal, other bytes behind the last record are news.
    if isSealed { (size, rest) = (stored.bytes.count, Array(stored.bytes[stored.length...])) }
  }

  /// The version of its last record; the base if it has no records.
  var lastCommit: UInt64 { writer.lastCommit }
  /// The version before its first record.
  var base: UInt64 { writer.header.base }
  /// Its generation.
  var generation: UInt64 { writer.header.generation }
  /// Whether commits need their times.
  var isTimed: Bool { writer.header.isTimed }
  /// Whether there was a history when it was begun.
  var hasHistory: Bool { writer.header.history != 0 }

  /// Appends a commit.
  ///
  /// - Throws: the system's error; the file may then have more bytes than `length`.
  mutating func append(_ commit: CommitRecord, durableTo: UInt64) throws(FileFailure) {
    var next = writer
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try next.commit(
        commit.delta, userVersion: commit.userVersion, durableTo: min(max(durableTo, base), lastCommit),
        time: commit.time ?? 0)
      try file.writeAll(bytes, at: length, path: path)
    } catch {
      throw error.of(path)
    }
    length += bytes.count
    size = length
    writer = next
    (isSealed, rest) = (false, [])
  }

  /// Whether there are other bytes behind the last record than those that were read.
  ///
  /// - Parameter size: The size of the file.
  func isChanged(_ size: Int) -> Bool {
    if let knownSize { return size != knownSize }
    // Bytes that cannot be read count as others: who reads on learns why.
    return size != self.size || (try? file.readAll(length..<size)) != rest
  }

  /// Whether the last commit is where this process has read or written it. If it was read without the turn, its append
  /// may have been undone since (S5).
  var holdsItsLastCommit: Bool {
    get throws(FileFailure) {
      guard lastCommit > base else { return true }
      let end = length - JournalRecord.trailerSize
      return try file.readAll(end..<end + 4).elementsEqual(
        (0..<4).map { UInt8(truncatingIfNeeded: writer.chain >> ($0 * 8)) })
    }
  }

  /// Whether the file still begins with this journal's header, and holds its last commit. If not, somebody has written
  /// another journal into it.
  var isInPlace: Bool {
    get throws(FileFailure) {
      let header = headerBytes
      guard try file.readAll(0..<header.count) == header else { return false }
      return try holdsItsLastCommit
    }
  }

  /// Reads the commits that other processes have appended, and goes on behind them. The caller has the turn, or checks
  /// `holdsItsLastCommit` before (S28, S37).
  ///
  /// - Parameter size: The size of the file.
  /// - Returns: the commits, what the records say of the disk, and how the file ends. A torn tail is left where it is.
  /// - Throws: the system's error, or that of a record that holds no change. Nothing is changed then.
  mutating func readOn(to size: Int) throws -> (commits: [CommitRecord], durableTo: UInt64, tail: JournalTail) {
    guard size >= length else { return ([], base, .torn([])) }
    guard size > length else {
      self.size = size
      (isSealed, isSealPending, rest) = (false, false, [])
      return ([], base, .none)
    }
    let bytes = try file.readAll(length..<size)
    let start = UInt64(length)
    func atItsPlace(_ error: CodecError) -> CodecError {
      CodecError(in: error.subject, error.code, at: start + error.offset, error.reason)
    }
    var commits: [CommitRecord] = []
    var scanner = JournalScanner(behind: writer)
    var (end, next) = (0, writer)
    try unsafe bytes.withUnsafeBytes { raw in
      while let record = unsafe scanner.next(raw) {
        guard record.kind == .commit else { continue }
        (end, next) = (scanner.length, scanner.continuation)
        do throws(CodecError) { try unsafe commits.append(CommitRecord(record, in: raw)) } catch {
          throw atItsPlace(error)
        }
      }
    }
    let tail: JournalTail =
      switch scanner.end {
      case .torn: .torn(Array(bytes[end...]))
      case .damaged(let error): .damaged(atItsPlace(error))
      default: .none
      }
    self.size = size
    length += end
    writer = next
    // Whether another process has synchronized its seal is not known.
    var isSealed = scanner.end == .sealed
    // An encrypted record that takes the place of a seal may become whole in as many bytes (`knownSize`).
    if case .torn = tail, self.isSealed, next.header.key != nil { isSealed = true }
    if isSealed != self.isSealed || end > 0 { isSealPending = isSealed }
    self.isSealed = isSealed
    rest = isSealed ? Array(bytes[end...]) : []
    return (commits, scanner.durableTo, tail)
  }

  /// The first bytes of the file.
  var headerBytes: [UInt8] { writer.headerBytes }

  /// Writes a seal behind the last commit, which states that all commits are durable. The next commit overwrites it
  /// (S6).
  ///
  /// - Throws: the system's error; the file may then have more bytes than `length`.
  mutating func seal() throws(FileFailure) {
    var next = writer
    do throws(FileFailure) {
      let bytes = try next.seal()
      try file.writeAll(bytes, at: length, path: path)
      (size, rest) = (length + bytes.count, bytes)
    } catch {
      throw error.of(path)
    }
    isSealed = true
    isSealPending = true
  }

  /// Records that the seal, if it is still there, was synchronized.
  mutating func noteSealSynchronized() { isSealPending = false }

  /// Durably cuts off the bytes that a failed append may have left (S5), and a seal.
  mutating func cutOff() throws(FileFailure) {
    (isSealed, rest) = (false, [])
    size = length
    do throws(FileFailure) {
      try file.truncate(to: length)
      try file.synchronize()
    } catch {
      throw error.of(path)
    }
  }

  /// Makes everything durable.
  func synchronize() throws(FileFailure) {
    // The file was opened under a temporary name, which would not help in an error message.
    do throws(FileFailure) { try file.synchronize() } catch { throw error.of(path) }
  }
}

/// The rest behind the last commit of a journal, besides a seal.
enum JournalTail {
  case none
  /// The rest of an append that was not completed (S29). Without bytes, the file is shorter than it was.
  case torn([UInt8])
  case damaged(CodecError)
}

/// A journal that is being written beside the current one (S9, S12).
final class NewJournal {
  /// The file, which has to be synchronized before it gets its name.
  let file: NewFile
  private let path: String
  private var writer: JournalWriter

  /// Begins the new journal of a store.
  ///
  /// - Parameter replaced: The journal that it will replace; nil without one.
  init(
    _ header: JournalHeader, at paths: StorePaths, replacing replaced: FileIdentity?, on system: any FileSystem
  ) throws(FileFailure) {
    file = try NewFile(paths.journal, of: paths, replacing: replaced, like: [paths.journal, paths.snapshot], system)
    path = paths.journal
    writer = JournalWriter(header, key: system.key)
    do throws(FileFailure) {
      try file.lock()
      try file.append(writer.headerBytes)
    } catch {
      file.discard()
      throw error
    }
  }

  /// The version of its last record; the base if it has no records.
  var lastCommit: UInt64 { writer.lastCommit }

  /// Appends a commit. All commits before it will be durable when the file has its name, so the record states that.
  func append(_ commit: CommitRecord) throws(FileFailure) {
    do throws(FileFailure) {
      try file.append(
        try writer.commit(
          commit.delta, userVersion: commit.userVersion, durableTo: writer.lastCommit, time: commit.time ?? 0))
    } catch {
      throw error.operation == .encrypt ? error.of(path) : error
    }
  }

  /// The journal, when the file has its name.
  var journal: JournalFile {
    JournalFile(file.file, path: path, length: file.length, writer: writer)
  }
}
