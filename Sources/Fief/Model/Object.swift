import FiefGraph

/// The base of model classes whose objects live until they are deleted.
///
///     class Dog: Object {
///       @Persisted(primaryKey: true) var id: ObjectId
///       @Persisted var name = ""
///     }
///
/// An instance is plain and unmanaged at first, and free to use anywhere. `realm.add(dog)` makes it managed: from then on it
/// shows what the realm has, may be changed only in write transactions, and belongs to the realm's thread, queue or actor.
open class Object: ObjectBase {
  /// The name of the primary key, when it is not declared by `@Persisted(primaryKey: true)`.
  open class func primaryKey() -> String? { nil }

  /// The names of indexed properties, when they are not declared by `@Persisted(indexed: true)`.
  open class func indexedProperties() -> [String] { [] }

  override class var olderPrimaryKey: String? { primaryKey() }
  override class var olderIndexes: [String] { indexedProperties() }
}

/// The base of model classes whose objects are part of exactly one other object, and go with it.
///
///     class Address: EmbeddedObject {
///       @Persisted var street: String?
///     }
///     class Person: Object {
///       @Persisted var address: Address?
///     }
open class EmbeddedObject: ObjectBase {
  /// The names of indexed properties, when they are not declared by `@Persisted(indexed: true)`.
  open class func indexedProperties() -> [String] { [] }

  override class var olderIndexes: [String] { indexedProperties() }
}

/// The base of model classes whose objects are handed over and never read again.
///
/// `realm.create(_:value:)` takes them; no realm keeps a row of one.
open class AsymmetricObject: ObjectBase {}
