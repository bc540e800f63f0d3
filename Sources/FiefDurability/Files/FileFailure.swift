import Foundation

/// A system call that failed: the operation, the path, and the system's error number.
///
/// File systems throw it. Users see a `StoreError` instead, whose code comes from `FileFailure.meaning`.
package struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The operations that can fail.
  package enum Operation: String, Hashable, Sendable, CaseIterable {
    // Each operation is what its name says.
    case open, read, write, truncate, synchronize, lock, rename, link, remove, inspect
    case synchronizeFolder = "synchronize the folder"
    /// The application's cipher, which is no call of the system, failed before anything was written.
    case encrypt
  }

  /// The operation that failed.
  package var operation: Operation
  /// The path of the file or folder.
  package var path: String
  /// The system's error number (`errno`); 0 if the system did not fail.
  package var code: Int32
  /// The reason, if the system did not fail.
  var detail: String?

  /// Creates a failure from its parts.
  package init(_ operation: Operation, at path: String, _ code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// The failure as a phrase.
  package var description: String {
    let cause = detail ?? "\(phrase) (errno \(code))"
    return "could not \(operation.rawValue) \(path): \(cause)"
  }

  /// A copy of this failure for a file that has another name by now.
  func of(_ path: String) -> FileFailure {
    var failure = self
    failure.path = path
    return failure
  }

  /// Whether a signal interrupted the call, so that it can simply be repeated.
  var isInterruption: Bool { code == EINTR }

  /// Whether the file system has no second names for files.
  package var isWithoutSecondNames: Bool {
    operation == .link && [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(code)
  }

  private var phrase: String {
    if operation == .open && code == ELOOP { return "it is a symbolic link, which is not followed here" }
    return unsafe String(cString: strerror(code))
  }
}
