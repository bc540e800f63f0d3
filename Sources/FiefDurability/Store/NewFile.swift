import Foundation

/// A data file that is written under a temporary name and then renamed (S3).
///
///     dogs.realm.….tmp ──append…──▶ ──synchronize──▶ ──rename──▶ dogs.realm ──synchronize the folder──▶ there for good
///
/// Until the rename no other code uses it, and it can be discarded without a trace. No other code of the library
/// renames a file, so nothing is replaced that was not found to be the store's own (S19).
final class NewFile {
  /// The failure of one of the last steps, and what it means for the file.
  enum Doubt: Error {
    /// The file did not get its name, and was removed.
    case undone(FileFailure)
    /// The file may or may not have its name, now or after a crash.
    case unknown(FileFailure)
  }

  /// The file.
  let file: any OpenFile
  /// Its length in bytes.
  private(set) var length = 0
  // Its length when it was last synchronized.
  private var synchronizedLength = 0
  private let path: String
  private let replaced: FileIdentity?
  private let temporary: String
  private let system: any FileSystem
  private var behind: WriteBehind?

  /// Creates a file that will be at `path`.
  ///
  /// - Parameters:
  ///   - paths: The store of the file. The temporary name is made from its path.
  ///   - replaced: The file at `path`, which the caller found to be the store's own, and which may be replaced; nil if
  ///     nothing is there.
  ///   - models: It gets the permissions, owner and attributes of the first of these files that exists.
  init(
    _ path: String, of paths: StorePaths, replacing replaced: FileIdentity?, like models: [String],
    _ system: any FileSystem
  ) throws(FileFailure) {
    self.path = path
    self.replaced = replaced
    self.system = system
    temporary = paths.temporary(for: path, system)
    file = try system.open(temporary, for: .creating(like: models))
    behind = unsafe file.writesBehind ? WriteBehind(file, path: temporary) : nil
  }

  /// Locks the file. No other opening can hold this lock, because the file is new.
  func lock() throws(FileFailure) {
    guard try file.lock() else { throw FileFailure(.lock, at: temporary, EWOULDBLOCK) }
  }

  /// Appends bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws(FileFailure) {
    if let behind {
      try unsafe behind.append(bytes)
    } else {
      try unsafe file.writeAll(bytes, at: length, path: temporary)
    }
    length += bytes.count
  }

  /// Appends bytes.
  func append(_ bytes: [UInt8]) throws(FileFailure) {
    let result = unsafe bytes.withUnsafeBytes { bytes in Result { () throws(FileFailure) in try unsafe append(bytes) } }
    try result.get()
  }

  /// Whether another thread writes the bytes behind this one.
  var isBehind: Bool { behind != nil }

  /// Makes `finish` process each portion before it is written behind. Traps if bytes were appended before.
  func finishPortions(by finish: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void) {
    guard length == 0 else { fatalError("The end of a file is finished otherwise than its beginning.") }
    behind = unsafe WriteBehind(file, path: temporary, finish: finish)
  }

  /// Returns when all appended bytes are in the file.
  func drain() throws(FileFailure) { try behind?.drain() }

  /// Makes the bytes durable; does nothing if no bytes were appended since the last time.
  func synchronize() throws(FileFailure) {
    try behind?.drain()
    if synchronizedLength == length { return }
    try file.synchronize()
    synchronizedLength = length
  }

  /// Gives the file its name, and makes the name durable. The caller has synchronized all bytes.
  ///
  /// - Returns: the file.
  @discardableResult
  func assignName(synchronizingFolder: Bool = true) throws(Doubt) -> any OpenFile {
    assert(synchronizedLength <= length, "No more bytes are synchronized than were appended.")
    var synchronizeFolder: (() throws(FileFailure) -> Void)?
    do throws(FileFailure) {
      try behind?.drain()
      // Without a free descriptor the name could not be made durable, and it would be unknown whether it is.
      if synchronizingFolder { synchronizeFolder = try system.folder(at: FilePath.parts(of: path).folder) }
      // A file that someone else has put there meanwhile is not replaced.
      if try system.entry(at: path)?.identity != replaced { throw FileFailure(.rename, at: path, EEXIST) }
    } catch {
      discard()
      throw .undone(error)
    }
    do throws(FileFailure) {
      try system.rename(temporary, to: path)
    } catch {
      // The system either refused before it began, or failed in the middle; the rename may even be done (S10).
      guard error.code != EIO, hasNoName else { throw .unknown(error) }
      discard()
      throw .undone(error)
    }
    do throws(FileFailure) {
      try synchronizeFolder?()
      return file
    } catch {
      throw .unknown(error)
    }
  }

  /// Gives the file its name after `check`.
  ///
  /// - Returns: the file.
  /// - Throws: the error of `check` or of the system. The file is closed then, and removed if it did not get its name.
  @discardableResult
  func finish(synchronizingFolder: Bool = true, after check: () throws -> Void = {}) throws -> any OpenFile {
    do {
      try check()
      return try assignName(synchronizingFolder: synchronizingFolder)
    } catch let doubt as Doubt {
      file.close()
      throw doubt.failure
    } catch {
      discard()
      throw error
    }
  }

  /// Whether `path` certainly leads to another file or to none.
  private var hasNoName: Bool {
    do throws(FileFailure) { return try system.entry(at: path)?.identity != file.identity } catch { return false }
  }

  /// Closes the file and removes it.
  func discard() {
    behind?.abandon()
    file.close()
    try? system.remove(temporary)
  }
}

extension NewFile.Doubt {
  /// The system's error.
  var failure: FileFailure {
    switch self {
    case .undone(let failure), .unknown(let failure): failure
    }
  }
}
