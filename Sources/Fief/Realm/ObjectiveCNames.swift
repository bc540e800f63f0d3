import Foundation

// Names that Swift code takes from Realm's Objective-C library, by `import Realm`. The module of that name passes them
// on.

/// Every object of a model class.
public typealias RLMObjectBase = ObjectBase
/// What keeps an observation alive.
public typealias RLMNotificationToken = NotificationToken
/// The kind of a property.
public typealias RLMPropertyType = PropertyType
/// How much a logger lets through.
public typealias RLMLogLevel = LogLevel
/// An identifier.
public typealias RLMObjectId = ObjectId
/// A decimal number.
public typealias RLMDecimal128 = Decimal128
/// What opening and writing throw.
public typealias RLMError = Realm.Error

/// Where a file of that name lies beside `default.realm`.
public func RLMRealmPathForFile(_ fileName: String) -> String {
  DefaultLocation.folder.appendingPathComponent(fileName, isDirectory: false).path
}
