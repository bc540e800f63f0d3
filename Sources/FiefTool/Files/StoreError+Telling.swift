import FiefDurability
import Foundation

extension StoreError {
  /// Says on standard error what is the matter with the file.
  ///
  /// - Returns: what that means for whoever started the program.
  func told(to terminal: Terminal) -> ExitCode {
    terminal.complain("fief: \(message)")
    return switch code {
    case .fileNotFound: .noFile
    case .invalidDatabase, .unsupportedFileFormatVersion, .damaged, .fileAccess: .unsound
    // A folder that is not there is told as the system tells it.
    case _ where systemCode == ENOENT: .noFile
    case .filePermissionDenied, .fileExists, .outOfDiskSpace, .alreadyOpen, .storeIsReadOnly, .commitOutcomeUnknown,
      .closed, .fileOperationFailed:
      .unreadable
    }
  }
}
