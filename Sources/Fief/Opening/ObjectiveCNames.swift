import FiefSessions
import Foundation

// Names that Swift code gets from Realm's Objective-C library through `import Realm`. The module `Realm` re-exports
// them.

/// The base class of all model classes.
public typealias RLMObjectBase = ObjectBase
/// A token that keeps an observation alive.
public typealias RLMNotificationToken = NotificationToken
/// The kind of a property.
public typealias RLMPropertyType = PropertyType
/// The threshold of a logger.
public typealias RLMLogLevel = LogLevel
/// A receiver of the library's messages.
public typealias RLMLogger = Logger
/// An object identifier.
public typealias RLMObjectId = ObjectId
/// A decimal number.
public typealias RLMDecimal128 = Decimal128
/// The error that opening and writing throw.
public typealias RLMError = Realm.Error

/// Returns the path of a file with the given name in the folder of `default.realm`.
///
///     let realm = try Realm(fileURL: URL(fileURLWithPath: RLMRealmPathForFile("dogs.realm")))
///
/// - Parameter fileName: the name of the file. It need not exist.
public func RLMRealmPathForFile(_ fileName: String) -> String {
  DefaultLocation.folder.appendingPathComponent(fileName, isDirectory: false).path
}
