// Swift code for Realm imports `Realm` next to `RealmSwift` to get names of the Objective-C library. `RealmSwift`
// re-exports this module.
public import Fief
import Foundation

/// The base class of all model classes.
public typealias RLMObjectBase = ObjectBase
/// The class of objects that models inherit from.
public typealias RealmSwiftObject = Object
/// The class of embedded objects that models inherit from.
public typealias RealmSwiftEmbeddedObject = EmbeddedObject
/// The class of asymmetric objects that models inherit from.
public typealias RealmSwiftAsymmetricObject = AsymmetricObject
/// The common base class of lists, sets and maps.
public typealias RLMSwiftCollectionBase = CollectionBase
/// The common base class of lists, sets and maps, under the name that it had before version 10.
public typealias RLMListBase = CollectionBase
/// The common base class of lists, sets and maps, under the name that it had before version 10.
public typealias ListBase = CollectionBase
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
public typealias RLMError = Fief.Realm.Error

/// Returns the path of a file with the given name in the folder of `default.realm`.
///
///     let realm = try Realm(fileURL: URL(fileURLWithPath: RLMRealmPathForFile("dogs.realm")))
///
/// - Parameter fileName: the name of the file. It need not exist.
public func RLMRealmPathForFile(_ fileName: String) -> String {
  DefaultLocation.folder.appendingPathComponent(fileName, isDirectory: false).path
}
