import Foundation

/// A data file on its way to its name (S3).
///
///     dogs.realm.….tmp ──append…──▶ ──synchronize──▶ ──rename──▶ dogs.realm ──synchronize the folder──▶ there for good
///
/// Until the rename nobody knows of it, and it can be given up without a trace.
final class NewFile {
  /// What went wrong on the last steps, and what is known afterwards.
  enum Doubt: Error {
    /// The file has not got its name, and was removed.
    case undone(FileFailure)
    /// The file may or may not have its name, now or after a crash.
    case unknown(FileFailure)
  }

  /// The file.
  let file: any OpenFile
  /// How many bytes it has.
  private(set) var length = 0
  // How many bytes it had when it was last synchronized.
  private var synchronizedLength = 0
  private let path: String
  private let temporary: String
  private let system: any FileSystem
  private let isRenamed: Bool
  private var behind: WriteBehind?

  /// Begins a file that will be at `path`, and whoever may use the file that is there may use it, or, if none is, the
  /// one at `model`.
  init(_ path: String, like model: String, _ system: any FileSystem, _ barriers: Barriers) throws(FileFailure) {
    self.path = path
    self.system = system
    isRenamed = barriers.contains(.filesAreRenamed)
    temporary = isRenamed ? StorePaths.temporary(path, system) : path
    if !isRenamed { try? system.remove(path) }
    file = try system.open(temporary, for: .creating(like: [path, model]))
    behind = file.writesBehind ? WriteBehind(file, path: temporary) : nil
  }

  /// Takes the file's own lock, which nobody else can have.
  func lock() throws(FileFailure) {
    guard try file.lock() else { throw FileFailure(.lock, temporary, EWOULDBLOCK) }
  }

  /// Adds bytes at the end.
  func append(_ bytes: UnsafeRawBufferPointer) throws(FileFailure) {
    if let behind { try behind.append(bytes) } else { try file.writeAll(bytes, at: length, path: temporary) }
    length += bytes.count
  }

  /// Adds bytes at the end.
  func append(_ bytes: [UInt8]) throws(FileFailure) {
    let result = bytes.withUnsafeBytes { bytes in Result { () throws(FileFailure) in try append(bytes) } }
    try result.get()
  }

  /// Whether it is written behind its writer.
  var isBehind: Bool { behind != nil }

  /// Lets `finish` have the last word on each portion that is written behind. Nothing was added before.
  func finishPortions(by finish: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void) {
    guard length == 0 else { fatalError("The end of a file is finished otherwise than its beginning.") }
    behind = WriteBehind(file, path: temporary, finish: finish)
  }

  /// Returns when everything that was added is in the file.
  func drain() throws(FileFailure) { try behind?.drain() }

  /// Makes the bytes durable; nothing is to be done when no bytes came since they were.
  func synchronize() throws(FileFailure) {
    try behind?.drain()
    if synchronizedLength == length { return }
    try file.synchronize()
    synchronizedLength = length
  }

  /// Gives the file its name, and makes the name durable. All bytes were synchronized before.
  func takeName(synchronizingFolder: Bool = true) throws(Doubt) {
    do throws(FileFailure) {
      try behind?.drain()
    } catch {
      discard()
      throw .undone(error)
    }
    do throws(FileFailure) {
      if isRenamed { try system.rename(temporary, to: path) }
    } catch {
      // The system refused before it began, or it began and something broke; it may even be done (S10).
      guard error.code != EIO, hasNoName else { throw .unknown(error) }
      discard()
      throw .undone(error)
    }
    do throws(FileFailure) {
      if synchronizingFolder { try system.synchronizeFolder(FilePath.parts(of: path).folder) }
    } catch {
      throw .unknown(error)
    }
  }

  /// Whether another file, or none, is at `path` for certain.
  private var hasNoName: Bool {
    do throws(FileFailure) { return try system.entry(at: path)?.identity != file.identity } catch { return false }
  }

  /// Lets go of the file after `error`, and removes it if it has not got its name.
  ///
  /// - Returns: the system's failure, where there was one.
  func given(up error: any Error) -> any Error {
    guard let doubt = error as? Doubt else {
      discard()
      return error
    }
    file.close()
    return doubt.failure
  }

  /// Gives the file up.
  func discard() {
    behind?.abandon()
    file.close()
    if isRenamed { try? system.remove(temporary) }
  }
}

extension NewFile.Doubt {
  /// What the system said.
  var failure: FileFailure {
    switch self {
    case .undone(let failure), .unknown(let failure): failure
    }
  }
}
