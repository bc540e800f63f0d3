import FiefGraph
import Foundation

extension StoreError {
  /// The error for bytes that the codec refused: damaged ones, or those of a file of another kind.
  init(_ error: CodecError, in file: String) {
    switch error.code {
    case .foreign(let kind):
      let advice =
        switch kind {
        case .originalRealm:
          " Realm.importRealmFile(from:to:) and 'fief import' copy the objects of files that Realm Swift 10 and later "
            + "wrote into a new file."
        default: " It was not changed."
        }
      self.init(
        .invalidDatabase,
        "The file \(file) is not a \(error.subject.rawValue) of this library: it is \(kind.phrase).\(advice)",
        file: file)
    case .empty where error.subject == .journal:
      self.init(
        .invalidDatabase,
        "The journal \(file) is empty: what was in it is lost, and without it the store is not opened. Put it back, or "
          + "save what the snapshot holds by recover(from:to:).", file: file, offset: 0)
    case .empty:
      self.init(
        .invalidDatabase,
        "The file \(file) is empty: it holds no store. If nothing is missed, delete it, and a store is created in its "
          + "place.",
        file: file, offset: 0)
    case .wrongKey:
      self.init(
        .wrongKey,
        "The key of the \(error.subject.rawValue) \(file) is another: \(error.reason). Nothing was changed.", file: file
      )
    case .newerFormat:
      self.init(
        .unsupportedFileFormatVersion,
        "The file \(file) was written by a newer version of this library: \(error.reason). It was not changed.",
        file: file, offset: Int(truncatingIfNeeded: error.offset))
    default:
      self.init(
        .damaged, "The file \(file) is damaged at byte \(error.offset): \(error.reason).", file: file,
        offset: Int(truncatingIfNeeded: error.offset))
    }
  }

  /// The form of an error that users see; see `asStoreError`.
  fileprivate init(_ error: any Error, trying: String, at file: String) {
    switch error {
    case let error as StoreError: self = error
    case let failure as FileFailure: self.init(failure, trying)
    case let error as CodecError: self.init(error, in: file)
    case let error as GraphError:
      self.init(.damaged, "The file \(file) is damaged: a change in it does not fit (\(error)).", file: file)
    default: self.init(.fileOperationFailed, "\(trying): \(error).", file: file)
    }
  }

  /// The error of a store that was closed.
  static func closed(_ path: String) -> StoreError {
    StoreError(.closed, "The store \(path) was closed: open it again.", file: path)
  }

  /// The error for a commit to a store that takes no more of them.
  static func refusal(of path: String, after cause: StoreError) -> StoreError {
    // If no disk has failed, the cause itself is the full explanation.
    if cause.code == .storeIsReadOnly { return cause }
    if cause.code == .damaged {
      return StoreError(.storeIsReadOnly, "The store \(path) takes no more commits. \(cause.message)", file: cause.file)
    }
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
  static func outcomeUnknown(
    of commits: String, in path: String, after cause: StoreError,
    remedy: String = "close the store and open it again"
  ) -> StoreError {
    StoreError(
      .commitOutcomeUnknown,
      "The outcome of \(commits) of \(path) is unknown, because its disk failed: \(remedy) to find out. "
        + "(\(cause.message))",
      file: cause.file ?? path, systemCode: cause.systemCode)
  }

  /// A copy of this error with another sentence at the end of its message.
  func adding(_ sentence: String) -> StoreError {
    var error = self
    error.message += " " + sentence
    return error
  }
}

extension FileFailure {
  /// The meaning of the failure for a store. Only this property interprets the system's error numbers (`errno`).
  package var meaning: StoreError.Code {
    switch code {
    case ENOENT: .fileNotFound
    case EACCES, EPERM, EROFS: .filePermissionDenied
    case EEXIST: .fileExists
    case ENOSPC, EFBIG: .outOfDiskSpace
    case Self.quota: .outOfDiskSpace
    case ELOOP: .fileAccess
    default: .fileOperationFailed
    }
  }

  /// The error number of an exhausted user quota.
  private static let quota: Int32 = {
    #if os(Windows)
      return ENOSPC
    #else
      return EDQUOT
    #endif
  }()
}

/// Runs `body`, and converts the errors that it throws to the form that users see.
///
/// - Parameters:
///   - trying: The beginning of a sentence about the failure, such as "The store could not be read".
///   - file: The file that the bytes come from.
func asStoreError<Result>(_ trying: String, at file: String, _ body: () throws -> Result) throws(StoreError) -> Result {
  do { return try body() } catch { throw StoreError(error, trying: trying, at: file) }
}
