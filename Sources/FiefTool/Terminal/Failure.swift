import Fief
import FiefDurability
import FiefQueries
import FiefRealmFiles
import Foundation

/// An error that ends a command: a sentence for standard error, and an exit code.
struct Failure: Error {
  let message: String
  let code: ExitCode

  init(_ message: String, _ code: ExitCode) {
    self.message = message
    self.code = code
  }

  /// The failure for an error of the library or of the system.
  ///
  /// - Parameter file: the file that was used, for errors that do not name it.
  init(describing error: any Error, file: String? = nil) {
    let prefix = file.map { "\($0): " } ?? ""
    switch error {
    case let error as Failure: self = error
    case let error as StoreError:
      let code = Self.code(Realm.Error(error).code)
      // A missing folder is reported with the error code of the system.
      self.init(error.message, code == .unreadable && error.systemCode == ENOENT ? .noFile : code)
    case let error as QueryError: self.init("Invalid query: \(error.description.printable)", .usage)
    case let error as RealmFileError: self.init(prefix + error.message, .unsound)
    case let error as Realm.Error: self.init(error.localizedDescription, Self.code(error.code))
    case let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile:
      self.init("There is no file \(error.filePath ?? file ?? "of that name").", .noFile)
    default: self.init(prefix + error.localizedDescription, .unreadable)
    }
  }

  private static func code(_ code: Realm.Error.Code) -> ExitCode {
    switch code {
    case .fileNotFound: .noFile
    case .invalidDatabase, .unsupportedFileFormatVersion, .damaged, .fileAccess, .wrongKey: .unsound
    case .invalidValue: .badData
    default: .unreadable
    }
  }
}
