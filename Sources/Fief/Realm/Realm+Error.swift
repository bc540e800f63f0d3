import FiefGraph
import FiefValues
import Foundation

extension Realm {
  /// Why something about a realm failed.
  ///
  ///     do {
  ///       let realm = try Realm()
  ///     } catch Realm.Error.fileNotFound {
  ///       …
  ///     } catch let error as Realm.Error where error.code == .schemaMismatch {
  ///       print(error.localizedDescription)
  ///     }
  public struct Error: CustomNSError, LocalizedError, Equatable, CustomStringConvertible, Sendable {
    /// The kinds of failure. Numbers up to 22 are the original's.
    public enum Code: Int, Sendable, CaseIterable {
      /// Something failed that has no code of its own.
      case fail = 1
      /// A file could not be read or written.
      case fileAccess = 2
      /// The file's permissions do not allow it.
      case filePermissionDenied = 3
      /// A file is there already.
      case fileExists = 4
      /// There is no such file.
      case fileNotFound = 5
      /// The file has an older format that has to be brought up to date first.
      case fileFormatUpgradeRequired = 6
      /// The lock file is of another version.
      case incompatibleLockFile = 8
      /// There is no address space left.
      case addressSpaceExhausted = 9
      /// The stored schema differs from the application's, and the version does not.
      case schemaMismatch = 10
      /// The file is open already.
      case alreadyOpen = 12
      /// A text or number has no meaning where it was given.
      case invalidInput = 13
      /// The disk is full.
      case outOfDiskSpace = 14
      /// Kept for the original's sake.
      case incompatibleSession = 15
      /// The file has a format that is not known.
      case unsupportedFileFormatVersion = 16
      /// Kept for the original's sake.
      case multipleSyncAgents = 17
      /// Kept for the original's sake.
      case subscriptionFailed = 18
      /// An operation on a file failed.
      case fileOperationFailed = 19
      /// The file is none of ours, or cannot be read.
      case invalidDatabase = 20
      /// Kept for the original's sake.
      case incompatibleHistories = 21
      /// Kept for the original's sake.
      case noSubscriptionForWrite = 22
      /// A value does not fit the property that it was meant for.
      case invalidValue = 100
      /// An object with that primary key exists.
      case duplicatePrimaryKey = 101
      /// Another object has a value that a unique index allows once.
      case uniqueConstraint = 102
      /// An object reaches itself where that is not allowed.
      case cycle = 103
      /// The object belongs to another realm.
      case objectManagedByAnotherRealm = 104
      /// A delete rule forbids the delete.
      case deleteDenied = 105
      /// A write could not be done.
      case writeFailed = 106
      /// The file is damaged.
      case damaged = 107
      /// The store takes no writes any more, or never did.
      case storeIsReadOnly = 108
      /// Whether the commit lasts is not known.
      case commitOutcomeUnknown = 109
    }

    /// What kind of failure it is.
    public let code: Code
    /// The file concerned, if one is.
    public let fileURL: URL?
    private let message: String
    private let info: Info

    /// User info is given once and never changed.
    private struct Info: @unchecked Sendable {
      var values: [String: Any] = [:]
    }

    /// An error of a kind.
    ///
    /// - Parameter userInfo: the text under `NSLocalizedDescriptionKey`, the file under `NSFilePathErrorKey`, whatever
    ///   else.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
      self.code = code
      message = userInfo[NSLocalizedDescriptionKey] as? String ?? "The operation failed (\(code))."
      fileURL = (userInfo[NSFilePathErrorKey] as? String).map { URL(fileURLWithPath: $0) }
      info = Info(values: userInfo)
    }

    /// An error of a kind, with its sentence.
    init(_ code: Code, _ message: String, file: URL? = nil) {
      self.code = code
      self.message = message
      fileURL = file
      var values: [String: Any] = [NSLocalizedDescriptionKey: message]
      if let file { values[NSFilePathErrorKey] = file.path }
      info = Info(values: values)
    }

    /// An error without a cause.
    public static let callFailed = Error(.fail, "The call failed.")

    /// The text.
    public var errorDescription: String? { message }
    /// The text.
    public var localizedDescription: String { message }
    /// The text.
    public var description: String { message }
    /// The domain of these errors.
    public static var errorDomain: String { "io.realm" }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// Text, file, and what else was given.
    public var errorUserInfo: [String: Any] { info.values }
    /// Text, file, and what else was given.
    public var userInfo: [String: Any] { info.values }

    /// Whether both are of one kind.
    public static func == (a: Error, b: Error) -> Bool { a.code == b.code }

    /// The error that stands for one of the kernel's; others stay what they are.
    static func describing(_ error: any Swift.Error) -> any Swift.Error {
      switch error {
      case let error as GraphError: Error(error.publicCode, error.message)
      case let error as ValueError: Error(.invalidInput, "\(error)")
      default: error
      }
    }
  }
}

extension GraphError {
  var publicCode: Realm.Error.Code {
    switch code {
    case .invalidValue: .invalidValue
    case .duplicatePrimaryKey: .duplicatePrimaryKey
    case .uniqueConstraint: .uniqueConstraint
    case .deleteDenied: .deleteDenied
    case .missingObject, .ownership: .writeFailed
    case .invalidSchema, .conflict, .invalidDelta: .fail
    }
  }
}

extension Realm.Error.Code {
  /// Lets `catch Realm.Error.fileNotFound` match every error of that kind.
  public static func ~= (code: Realm.Error.Code, error: any Error) -> Bool {
    // What `ObjectId(string:)` throws comes from below, where realms are not known; it is bad input all the same.
    (error as? Realm.Error)?.code == code || code == .invalidInput && error is ValueError
  }
}

extension Realm.Error {
  /// The code of that name, for `catch` patterns.
  public static let fail: Code = .fail
  /// The code of that name, for `catch` patterns.
  public static let fileAccess: Code = .fileAccess
  /// The code of that name, for `catch` patterns.
  public static let filePermissionDenied: Code = .filePermissionDenied
  /// The code of that name, for `catch` patterns.
  public static let fileExists: Code = .fileExists
  /// The code of that name, for `catch` patterns.
  public static let fileNotFound: Code = .fileNotFound
  /// The code of that name, for `catch` patterns.
  public static let fileFormatUpgradeRequired: Code = .fileFormatUpgradeRequired
  /// The code of that name, for `catch` patterns.
  public static let incompatibleLockFile: Code = .incompatibleLockFile
  /// The code of that name, for `catch` patterns.
  public static let addressSpaceExhausted: Code = .addressSpaceExhausted
  /// The code of that name, for `catch` patterns.
  public static let schemaMismatch: Code = .schemaMismatch
  /// The code of that name, for `catch` patterns.
  public static let alreadyOpen: Code = .alreadyOpen
  /// The code of that name, for `catch` patterns.
  public static let invalidInput: Code = .invalidInput
  /// The code of that name, for `catch` patterns.
  public static let outOfDiskSpace: Code = .outOfDiskSpace
  /// The code of that name, for `catch` patterns.
  public static let incompatibleSession: Code = .incompatibleSession
  /// The code of that name, for `catch` patterns.
  public static let unsupportedFileFormatVersion: Code = .unsupportedFileFormatVersion
  /// The code of that name, for `catch` patterns.
  public static let multipleSyncAgents: Code = .multipleSyncAgents
  /// The code of that name, for `catch` patterns.
  public static let subscriptionFailed: Code = .subscriptionFailed
  /// The code of that name, for `catch` patterns.
  public static let fileOperationFailed: Code = .fileOperationFailed
  /// The code of that name, for `catch` patterns.
  public static let invalidDatabase: Code = .invalidDatabase
  /// The code of that name, for `catch` patterns.
  public static let incompatibleHistories: Code = .incompatibleHistories
  /// The code of that name, for `catch` patterns.
  public static let noSubscriptionForWrite: Code = .noSubscriptionForWrite
  /// The code of that name, for `catch` patterns.
  public static let invalidValue: Code = .invalidValue
  /// The code of that name, for `catch` patterns.
  public static let duplicatePrimaryKey: Code = .duplicatePrimaryKey
  /// The code of that name, for `catch` patterns.
  public static let uniqueConstraint: Code = .uniqueConstraint
  /// The code of that name, for `catch` patterns.
  public static let cycle: Code = .cycle
  /// The code of that name, for `catch` patterns.
  public static let objectManagedByAnotherRealm: Code = .objectManagedByAnotherRealm
  /// The code of that name, for `catch` patterns.
  public static let deleteDenied: Code = .deleteDenied
  /// The code of that name, for `catch` patterns.
  public static let writeFailed: Code = .writeFailed
  /// The code of that name, for `catch` patterns.
  public static let damaged: Code = .damaged
  /// The code of that name, for `catch` patterns.
  public static let storeIsReadOnly: Code = .storeIsReadOnly
  /// The code of that name, for `catch` patterns.
  public static let commitOutcomeUnknown: Code = .commitOutcomeUnknown
}

/// Whether two errors are of one domain and code.
public func == (a: any Error, b: any Error) -> Bool {
  let (a, b) = (a as NSError, b as NSError)
  return a.domain == b.domain && a.code == b.code
}
