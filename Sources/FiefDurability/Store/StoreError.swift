/// An error of a store: what happened, to which file, at which offset, and what to do now.
///
///     do { … } catch let error where error.code == .alreadyOpen { … }
///
/// The documentation of each throwing function states what holds afterwards. In any case a refused file is unchanged.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// A file or folder does not exist.
    case fileNotFound
    /// The system denies the access.
    case filePermissionDenied
    /// A file that must not be overwritten is in the way.
    case fileExists
    /// A folder or a device is where a file is expected.
    case fileAccess
    /// The disk is full, or a quota or a file size limit is reached.
    case outOfDiskSpace
    /// The file was not made by this library.
    case invalidDatabase
    /// The file has a format that this library does not know.
    case unsupportedFileFormatVersion
    /// The file is encrypted, and no key or another one was given; or it is not encrypted, and a key was given.
    case wrongKey
    /// Another opening, of this process or another, holds the store.
    case alreadyOpen
    /// Bytes that were once written whole have changed, or one of two files that belong together is missing.
    case damaged
    /// The store takes no commits, or no more.
    case storeIsReadOnly
    /// A commit may or may not survive; the store takes no more commits until it is opened again.
    case commitOutcomeUnknown
    /// The store was closed.
    case closed
    /// The system reported another error.
    case fileOperationFailed
  }

  /// The kind of the error.
  package var code: Code
  /// One or two sentences: what happened, and what to do.
  package var message: String
  /// The file concerned, if there is one.
  package var file: String?
  /// The offset in the file, in bytes from its beginning, if the error has one.
  package var offset: Int?
  /// The system's error number (`errno`), if the system was the cause.
  package var systemCode: Int32?
  /// The process that holds the store, for `alreadyOpen`, if it is known.
  package var holder: Int32?

  /// Creates an error from its parts.
  package init(
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

  /// Creates an error from a failure of the system. The code is the failure's meaning unless one is given; `beginning`
  /// starts the message.
  package init(_ failure: FileFailure, _ beginning: String, code: Code? = nil) {
    self.init(
      code ?? failure.meaning, "\(beginning): \(failure).", file: failure.path,
      systemCode: failure.code == 0 ? nil : failure.code)
  }

  /// The message.
  package var description: String { message }
}
