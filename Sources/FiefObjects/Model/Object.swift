import FiefGraph

/// The base of model classes whose objects live until they are deleted.
///
///     class Dog: Object {
///       @Persisted(primaryKey: true) var id: ObjectId
///       @Persisted var name = ""
///     }
///
///     let dog = Dog()
///     dog.name = "Rex"
///     try realm.write { realm.add(dog) }
///
/// A new instance is unmanaged and may be used on any thread. `realm.add(dog)` makes it managed: from then on it shows
/// the realm's data, can be changed only in write transactions, and belongs to the realm's thread, queue or actor.
open class Object: ObjectBase {
  /// The name of the primary key, unless `@Persisted(primaryKey: true)` declares it. Nil by default.
  ///
  ///     override class func primaryKey() -> String? { "id" }
  open class func primaryKey() -> String? { nil }

  /// The names of indexed properties, unless `@Persisted(indexed: true)` declares them. Empty by default.
  ///
  ///     override class func indexedProperties() -> [String] { ["city"] }
  open class func indexedProperties() -> [String] { [] }

  /// The indexes over several properties; see `CompoundIndex`. Empty by default.
  ///
  ///     override class func compoundIndexes() -> [CompoundIndex] { [CompoundIndex("city", "name")] }
  open class func compoundIndexes() -> [CompoundIndex] { [] }

  override class var legacyPrimaryKey: String? { primaryKey() }
  override class var legacyIndexes: [String] { indexedProperties() }
  override class var declaredCompoundIndexes: [CompoundIndex] { compoundIndexes() }
}

/// The base of model classes whose objects belong to exactly one other object and are deleted with it.
///
///     class Address: EmbeddedObject {
///       @Persisted var street: String?
///     }
///     class Person: Object {
///       @Persisted var address: Address?
///     }
///
///     try realm.write { person.address = Address(value: ["street": "Elm Street"]) }
///
/// Replacing an embedded object, or setting its property to nil, deletes it. An embedded class has no primary key.
open class EmbeddedObject: ObjectBase {
  /// The names of indexed properties, unless `@Persisted(indexed: true)` declares them. Empty by default.
  ///
  ///     override class func indexedProperties() -> [String] { ["city"] }
  open class func indexedProperties() -> [String] { [] }

  /// The indexes over several properties; see `CompoundIndex`. Empty by default.
  ///
  ///     override class func compoundIndexes() -> [CompoundIndex] { [CompoundIndex("city", "street")] }
  open class func compoundIndexes() -> [CompoundIndex] { [] }

  override class var legacyIndexes: [String] { indexedProperties() }
  override class var declaredCompoundIndexes: [CompoundIndex] { compoundIndexes() }
}

/// The base of model classes whose objects are handed to the configuration's `ingestHandler` and never read again.
///
///     class Sighting: AsymmetricObject {
///       @Persisted(primaryKey: true) var id: ObjectId
///       @Persisted var place = ""
///     }
///
///     try realm.write { realm.create(Sighting.self, value: ["place": "Rome"]) }
///
/// `realm.create(_:value:)` accepts them; no realm stores a row for them. The class must have a primary key. It may own
/// embedded objects, and has no links to other objects.
open class AsymmetricObject: ObjectBase {}

extension ObjectBase {
  /// Whether the class is only a base class of models, not a model itself.
  package static var isBaseClass: Bool {
    self == ObjectBase.self || self == Object.self || self == EmbeddedObject.self || self == AsymmetricObject.self
      || self == DynamicObject.self
  }
}
