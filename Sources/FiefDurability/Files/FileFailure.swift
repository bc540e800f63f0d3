import Foundation

/// A system call that failed: which one, on what, and the system's number for why.
///
/// A file system throws it; `StoreError` is what users see, and `FileFailure.meaning` leads from the one to the other.
public struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried.
  public enum Operation: String, Hashable, Sendable, CaseIterable {
    // What the words say.
    case open, read, write, truncate, synchronize, lock, rename, remove, look
    case synchronizeFolder = "synchronize the folder"
  }

  /// What was tried.
  public var operation: Operation
  /// The file or folder.
  public var path: String
  /// The system's number.
  public var code: Int32

  /// A failure from its parts.
  public init(_ operation: Operation, _ path: String, _ code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// The failure in words.
  public var description: String { "could not \(operation.rawValue) \(path): \(words) (errno \(code))" }

  /// The same of a file that has another name by now.
  func of(_ path: String) -> FileFailure { FileFailure(operation, path, code) }

  /// Whether the system was only interrupted, so that the same call can simply be made again.
  var isInterruption: Bool { code == EINTR }

  private var words: String {
    if operation == .open && code == ELOOP { return "it is a symbolic link, which is not followed here" }
    return String(cString: strerror(code))
  }
}
