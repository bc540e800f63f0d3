import Foundation

/// A refusal by a session or a store, apart from failures of files.
package struct SessionError: Error, CustomStringConvertible {
  package enum Code: Sendable {
    case fail
    case alreadyOpen
    case filePermissionDenied
    case fileOperationFailed
    case nothingToUndo
    case undoConflict
    case outboxFull
  }

  package let code: Code
  /// A sentence that says what happened, and what to do.
  package let message: String
  /// The file concerned, if there is one.
  package let file: URL?

  package var description: String { message }

  package init(_ code: Code, _ message: String, file: URL? = nil) {
    self.code = code
    self.message = message
    self.file = file
  }
}
