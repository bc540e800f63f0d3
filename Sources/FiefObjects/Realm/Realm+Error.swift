import FiefCopying
import FiefDurability
import FiefGraph
import FiefRuntime
import FiefSessions
import FiefValues
import Foundation

extension Realm {
  /// An error of a realm.
  ///
  ///     do {
  ///       let realm = try Realm()
  ///     } catch Realm.Error.fileNotFound {
  ///       …
  ///     } catch let error as Realm.Error where error.code == .schemaMismatch {
  ///       print(error.localizedDescription)
  ///     }
  public struct Error: CustomNSError, LocalizedError, Equatable, CustomStringConvertible, Sendable {
    /// The kinds of errors. Numbers up to 22 are those of Realm.
    ///
    ///     do {
    ///       try realm.write { realm.create(Person.self, value: ["id": 7]) }
    ///     } catch let error as Realm.Error where error.code == .duplicatePrimaryKey {
    ///       print(error.localizedDescription)
    ///     }
    public enum Code: Int, Sendable, CaseIterable {
      /// A failure without a code of its own: an invalid schema, configuration or schema version; a commit outside a
      /// write; too many active versions.
      case fail = 1
      /// A folder or a device is at the path of the file, or the file would have a name that another realm needs.
      case fileAccess = 2
      /// The permissions of the file do not allow the access.
      case filePermissionDenied = 3
      /// A file already exists.
      case fileExists = 4
      /// The file does not exist.
      case fileNotFound = 5
      /// Exists for source compatibility with Realm; never thrown.
      case fileFormatUpgradeRequired = 6
      /// Exists for source compatibility with Realm; never thrown.
      case incompatibleLockFile = 8
      /// Exists for source compatibility with Realm; never thrown.
      case addressSpaceExhausted = 9
      /// The stored schema differs from the application's. The message lists the differences and their remedies: a
      /// higher `schemaVersion`, other declarations, or `deleteRealmIfMigrationNeeded`.
      case schemaMismatch = 10
      /// The file is open in this process or another one, where an operation needs it closed or alone; or another
      /// process is inside a write of it for a minute.
      case alreadyOpen = 12
      /// A string or number is malformed.
      case invalidInput = 13
      /// The disk is full.
      case outOfDiskSpace = 14
      /// Exists for source compatibility with Realm; never thrown.
      case incompatibleSession = 15
      /// The format of the file is unknown.
      case unsupportedFileFormatVersion = 16
      /// Exists for source compatibility with Realm; never thrown.
      case multipleSyncAgents = 17
      /// Exists for source compatibility with Realm; never thrown.
      case subscriptionFailed = 18
      /// An operation on a file failed for a reason without a code of its own.
      case fileOperationFailed = 19
      /// The file is not a realm of this library.
      case invalidDatabase = 20
      /// Exists for source compatibility with Realm; never thrown.
      case incompatibleHistories = 21
      /// Exists for source compatibility with Realm; never thrown.
      case noSubscriptionForWrite = 22
      /// A value does not fit its property, or is an embedded object that has an owner already.
      case invalidValue = 100
      /// An object with this primary key exists.
      case duplicatePrimaryKey = 101
      /// Another object already has this value in a unique index.
      case uniqueConstraint = 102
      /// An object reaches itself where cycles are not allowed.
      case cycle = 103
      /// The object belongs to another realm.
      case objectManagedByAnotherRealm = 104
      /// A delete rule forbids the deletion.
      case deleteDenied = 105
      /// An operation of a write failed: an object does not exist any more, or an embedded object would be left without
      /// its owner.
      case writeFailed = 106
      /// The file is damaged.
      case damaged = 107
      /// The store does not accept writes, or no longer does.
      case storeIsReadOnly = 108
      /// It is unknown whether the commit is durable. The store accepts no further writes until it is opened again.
      case commitOutcomeUnknown = 109
      /// A `RealmStore` was used after its `close()`.
      case storeIsClosed = 110
      /// The realm has no write to undo or redo, or its configuration keeps no history.
      case nothingToUndo = 120
      /// A write cannot be undone or redone, because a later write stands in the way.
      case undoConflict = 121
      /// More documents of asymmetric objects wait for their delivery than the configuration allows.
      case outboxFull = 122
      /// The file is encrypted, and no key or another one was given; or it is not encrypted, and a key was given. The
      /// file is unchanged.
      case wrongKey = 123
    }

    /// The kind of failure.
    ///
    ///     if let error = error as? Realm.Error, error.code == .outOfDiskSpace { print("The disk is full.") }
    public let code: Code
    /// The affected file, if any.
    ///
    ///     if let error = error as? Realm.Error { print(error.fileURL?.lastPathComponent ?? "no file") }
    public let fileURL: URL?
    private let message: String
    /// The user info is never changed after initialization.
    private let info: UncheckedBox<[String: Any]>

    /// Creates an error of a kind.
    ///
    ///     throw Realm.Error(.fail, userInfo: [NSLocalizedDescriptionKey: "The kennel is full."])
    ///
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - userInfo: the message under `NSLocalizedDescriptionKey`, the file's path under `NSFilePathErrorKey`, and any
    ///     other values.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
      self.code = code
      message = userInfo[NSLocalizedDescriptionKey] as? String ?? "The operation failed (\(code))."
      fileURL = (userInfo[NSFilePathErrorKey] as? String).map { URL(fileURLWithPath: $0) }
      info = UncheckedBox(userInfo)
    }

    /// Creates an error of a kind with a message.
    package init(_ code: Code, _ message: String, file: URL? = nil) {
      self.code = code
      self.message = message
      fileURL = file
      var values: [String: Any] = [NSLocalizedDescriptionKey: message]
      if let file { values[NSFilePathErrorKey] = file.path }
      info = UncheckedBox(values)
    }

    /// An error without a specific cause.
    public static let callFailed = Error(.fail, "The call failed.")

    /// The message.
    public var errorDescription: String? { message }
    /// The message.
    public var localizedDescription: String { message }
    /// The message.
    public var description: String { message }
    /// The domain of these errors.
    ///
    ///     print(Realm.Error.errorDomain)          // io.realm
    public static var errorDomain: String { "io.realm" }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// The message, the file, and other given values.
    public var errorUserInfo: [String: Any] { info.value }
    /// The message, the file, and other given values.
    ///
    ///     let path = (error as? Realm.Error)?.userInfo[NSFilePathErrorKey] as? String
    public var userInfo: [String: Any] { info.value }

    /// Whether both errors have the same code.
    public static func == (a: Error, b: Error) -> Bool { a.code == b.code }

    /// Converts an error of the kernel; returns other errors unchanged.
    package static func describing(_ error: any Swift.Error) -> any Swift.Error {
      switch error {
      case let error as GraphError: Error(error)
      case let error as ValueError: Error(.invalidInput, "\(error)")
      case let error as CopyError: Error(error)
      case let error as StoreError: Error(error)
      case let error as SessionError: Error(error)
      default: error
      }
    }

    /// The result of `body`. An error of the kernel is converted by `describing`.
    @discardableResult
    package static func translating<Result>(_ body: () throws -> Result) throws -> Result {
      do { return try body() } catch { throw describing(error) }
    }
  }
}

extension Realm.Error {
  /// The error for a source that cannot be copied.
  init(_ error: CopyError) {
    let code: Code =
      switch error.code {
      case .invalidValue: .invalidValue
      case .cycle: .cycle
      case .duplicatePrimaryKey: .duplicatePrimaryKey
      case .managedElsewhere: .objectManagedByAnotherRealm
      }
    self.init(code, error.message)
  }

  /// The error for a name that nothing reads.
  ///
  /// - Parameters:
  ///   - what: what has the name: `document`, `seed`.
  ///   - json: the text of it, for line and byte; nil without one.
  init(_ unknown: UnknownName, in what: String, _ json: Data?) {
    let place = json.flatMap { DocumentParser.place(ofValue: unknown.position, in: [UInt8]($0)) }
    self.init(.invalidValue, "Invalid \(what)\(place.map { " at \($0)" } ?? ""): \(unknown.message)")
  }

  /// The error for an operation that the kernel has refused.
  init(_ error: GraphError) {
    let code: Code =
      switch error.code {
      case .invalidValue: .invalidValue
      case .duplicatePrimaryKey: .duplicatePrimaryKey
      case .uniqueConstraint: .uniqueConstraint
      case .deleteDenied: .deleteDenied
      case .missingObject, .ownership: .writeFailed
      case .invalidSchema, .conflict, .invalidDelta: .fail
      }
    self.init(code, error.message)
  }

  /// Converts an error of the store's files.
  package init(_ error: StoreError) {
    let code: Code =
      switch error.code {
      case .fileNotFound: .fileNotFound
      case .filePermissionDenied: .filePermissionDenied
      case .fileExists: .fileExists
      case .fileAccess: .fileAccess
      case .outOfDiskSpace: .outOfDiskSpace
      case .invalidDatabase: .invalidDatabase
      case .unsupportedFileFormatVersion: .unsupportedFileFormatVersion
      case .alreadyOpen: .alreadyOpen
      case .damaged: .damaged
      case .wrongKey: .wrongKey
      case .storeIsReadOnly, .closed: .storeIsReadOnly
      case .commitOutcomeUnknown: .commitOutcomeUnknown
      case .fileOperationFailed: .fileOperationFailed
      }
    self.init(code, error.message, file: error.file.map { URL(fileURLWithPath: $0) })
  }

  /// Converts a refusal by a session or a store.
  ///
  /// - Parameter file: the file to name; by default that of the error.
  package init(_ error: SessionError, file: URL? = nil) {
    let code: Code =
      switch error.code {
      case .fail: .fail
      case .alreadyOpen: .alreadyOpen
      case .filePermissionDenied: .filePermissionDenied
      case .fileOperationFailed: .fileOperationFailed
      case .nothingToUndo: .nothingToUndo
      case .undoConflict: .undoConflict
      case .outboxFull: .outboxFull
      }
    self.init(code, error.message, file: file ?? error.file)
  }
}

extension Realm.Error.Code {
  /// Lets `catch Realm.Error.fileNotFound` match every error with that code. `.invalidInput` also matches the error of
  /// `ObjectId(string:)` and those of other malformed strings.
  ///
  ///     do {
  ///       try Realm.performMigration()
  ///     } catch Realm.Error.schemaMismatch {
  ///       print("The schema has changed: raise its version.")
  ///     }
  public static func ~= (code: Realm.Error.Code, error: any Error) -> Bool {
    // `ObjectId(string:)` throws a `ValueError` of a lower module that does not know realms. It counts as invalid
    // input.
    (error as? Realm.Error)?.code == code || code == .invalidInput && error is ValueError
  }
}

// The codes by their names, for `catch` patterns.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Realm.Error {
  public static let fail: Code = .fail
  public static let fileAccess: Code = .fileAccess
  public static let filePermissionDenied: Code = .filePermissionDenied
  public static let fileExists: Code = .fileExists
  public static let fileNotFound: Code = .fileNotFound
  public static let fileFormatUpgradeRequired: Code = .fileFormatUpgradeRequired
  public static let incompatibleLockFile: Code = .incompatibleLockFile
  public static let addressSpaceExhausted: Code = .addressSpaceExhausted
  public static let schemaMismatch: Code = .schemaMismatch
  public static let alreadyOpen: Code = .alreadyOpen
  public static let invalidInput: Code = .invalidInput
  public static let outOfDiskSpace: Code = .outOfDiskSpace
  public static let incompatibleSession: Code = .incompatibleSession
  public static let unsupportedFileFormatVersion: Code = .unsupportedFileFormatVersion
  public static let multipleSyncAgents: Code = .multipleSyncAgents
  public static let subscriptionFailed: Code = .subscriptionFailed
  public static let fileOperationFailed: Code = .fileOperationFailed
  public static let invalidDatabase: Code = .invalidDatabase
  public static let incompatibleHistories: Code = .incompatibleHistories
  public static let noSubscriptionForWrite: Code = .noSubscriptionForWrite
  public static let invalidValue: Code = .invalidValue
  public static let duplicatePrimaryKey: Code = .duplicatePrimaryKey
  public static let uniqueConstraint: Code = .uniqueConstraint
  public static let cycle: Code = .cycle
  public static let objectManagedByAnotherRealm: Code = .objectManagedByAnotherRealm
  public static let deleteDenied: Code = .deleteDenied
  public static let writeFailed: Code = .writeFailed
  public static let damaged: Code = .damaged
  public static let storeIsReadOnly: Code = .storeIsReadOnly
  public static let commitOutcomeUnknown: Code = .commitOutcomeUnknown
  public static let storeIsClosed: Code = .storeIsClosed
  public static let nothingToUndo: Code = .nothingToUndo
  public static let undoConflict: Code = .undoConflict
  public static let outboxFull: Code = .outboxFull
  public static let wrongKey: Code = .wrongKey
}

/// Whether two errors have the same domain and code. A `Realm.Error` has the domain `io.realm`.
///
///     if error == Realm.Error(.fileNotFound) { print("There is no such file.") }
public func == (a: any Error, b: any Error) -> Bool {
  let (a, b) = (a as NSError, b as NSError)
  return a.domain == b.domain && a.code == b.code
}
