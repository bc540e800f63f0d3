/// Why a store could not do what it was asked: what happened, to which file, where in it, and what now.
///
///     do { … } catch let error where error.code == .alreadyOpen { … }
///
/// Whatever throws it says in its documentation what is still true afterwards; in any case no file was changed that
/// was refused.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of trouble.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A file or folder is not there.
    case fileNotFound
    /// The system does not let us.
    case filePermissionDenied
    /// A file is in the way that must not be overwritten.
    case fileExists
    /// There is a folder or a device where a file is expected.
    case fileAccess
    /// The disk, a quota or a limit of file sizes is exhausted.
    case outOfDiskSpace
    /// The file is none of this library's.
    case invalidDatabase
    /// The file is of a format that this library does not know.
    case unsupportedFileFormatVersion
    /// Another opening, of this process or another, holds the store.
    case alreadyOpen
    /// Bytes that were once written whole are not what they were, or files are missing that belong together.
    case damaged
    /// The store does not take commits (any more).
    case storeIsReadOnly
    /// A commit may or may not survive; the store does not take further ones until it is opened again.
    case commitOutcomeUnknown
    /// The store was closed.
    case closed
    /// The system failed in another way.
    case fileOperationFailed
  }

  /// What kind of trouble it is.
  public var code: Code
  /// One or two sentences: what happened, and what to do.
  public var message: String
  /// The file concerned, if one is.
  public var file: String?
  /// Where in the file, in bytes from its beginning, if at a certain place.
  public var offset: Int?
  /// The system's number for why (`errno`), if the system was the reason.
  public var systemCode: Int32?
  /// The process that holds the store, for `alreadyOpen`, if it could be found out.
  public var holder: Int32?

  /// An error from its parts.
  public init(
    _ code: Code, _ message: String, file: String? = nil, offset: Int? = nil, systemCode: Int32? = nil,
    holder: Int32? = nil
  ) {
    self.code = code
    self.message = message
    self.file = file
    self.offset = offset
    self.systemCode = systemCode
    self.holder = holder
  }

  /// A failure of the system, for users: its code's meaning, unless another is given, and a sentence before it.
  init(_ failure: FileFailure, _ beginning: String, code: Code? = nil) {
    self.init(
      code ?? failure.meaning, "\(beginning): \(failure).", file: failure.path, systemCode: failure.code)
  }

  /// The sentence.
  public var description: String { message }
}
