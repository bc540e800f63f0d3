import FiefDurability
import Foundation

extension StoreError {
  /// Prints the error on standard error.
  ///
  /// - Returns: the exit code for the error.
  func report(to terminal: Terminal) -> ExitCode {
    terminal.complain("fief: \(message)")
    return switch code {
    case .fileNotFound: .noFile
    case .invalidDatabase, .unsupportedFileFormatVersion, .damaged, .fileAccess: .unsound
    // A missing folder is reported with the error code of the system.
    case _ where systemCode == ENOENT: .noFile
    case .filePermissionDenied, .fileExists, .outOfDiskSpace, .alreadyOpen, .storeIsReadOnly, .commitOutcomeUnknown,
      .closed, .fileOperationFailed:
      .unreadable
    }
  }
}
