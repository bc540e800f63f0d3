import FiefGraph

/// The base of model classes whose objects live until they are deleted.
///
///     class Dog: Object {
///       @Persisted(primaryKey: true) var id: ObjectId
///       @Persisted var name = ""
///     }
///
/// An instance is plain and unmanaged at first, and free to use anywhere. `realm.add(dog)` makes it managed: from then
/// on it shows what the realm has, may be changed only in write transactions, and belongs to the realm's thread, queue
/// or actor.
open class Object: ObjectBase {
  /// The name of the primary key, when it is not declared by `@Persisted(primaryKey: true)`.
  open class func primaryKey() -> String? { nil }

  /// The names of indexed properties, when they are not declared by `@Persisted(indexed: true)`.
  open class func indexedProperties() -> [String] { [] }

  /// The indexes over several properties.
  open class func compoundIndexes() -> [CompoundIndex] { [] }

  override class var olderPrimaryKey: String? { primaryKey() }
  override class var olderIndexes: [String] { indexedProperties() }
  override class var declaredCompoundIndexes: [CompoundIndex] { compoundIndexes() }

  // MARK: Properties by name

  /// The classes' own facts, as the object's realm has them: properties, key, name.
  public final var objectSchema: ObjectSchema { ObjectSchema(model) }

  /// The value of a property by its name; nil for null. An enum gives its raw value, a custom type what it is mapped
  /// to, an any-value what it holds.
  ///
  /// Setting it converts as `create` does: numbers between their types when nothing is lost, raw values of enums,
  /// dictionaries for objects, arrays for collections. A value of a wrong type fails the write; on an unmanaged object
  /// it is remembered, and adding the object fails then.
  /// Traps for a name that is no property.
  public final subscript(key: String) -> Any? {
    get { value(named: key) }
    set { setValue(newValue, named: key) }
  }

  /// The value of a property by its name; as the subscript.
  public final func value(forKey key: String) -> Any? { value(named: key) }

  /// The value at the end of a path: names with dots between them. Nil as soon as a link on the way is.
  public final func value(forKeyPath keyPath: String) -> Any? { value(atPath: keyPath) }

  /// Gives a property a value by its name; as the subscript.
  public final func setValue(_ value: Any?, forKey key: String) { setValue(value, named: key) }

  /// Whether both show one row of one realm, or are one instance. (`==` says so only where the class has a primary
  /// key.)
  public final func isSameObject(as object: Object?) -> Bool { isSame(as: object) }
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

  /// The indexes over several properties.
  open class func compoundIndexes() -> [CompoundIndex] { [] }

  override class var olderIndexes: [String] { indexedProperties() }
  override class var declaredCompoundIndexes: [CompoundIndex] { compoundIndexes() }

  // MARK: Properties by name

  /// The classes' own facts, as the object's realm has them: properties, key, name.
  public final var objectSchema: ObjectSchema { ObjectSchema(model) }

  /// The value of a property by its name; nil for null. An enum gives its raw value, a custom type what it is mapped
  /// to, an any-value what it holds.
  ///
  /// Setting it converts as `create` does: numbers between their types when nothing is lost, raw values of enums,
  /// dictionaries for objects, arrays for collections. A value of a wrong type fails the write; on an unmanaged object
  /// it is remembered, and adding the object fails then.
  /// Traps for a name that is no property.
  public final subscript(key: String) -> Any? {
    get { value(named: key) }
    set { setValue(newValue, named: key) }
  }

  /// The value of a property by its name; as the subscript.
  public final func value(forKey key: String) -> Any? { value(named: key) }

  /// The value at the end of a path: names with dots between them. Nil as soon as a link on the way is.
  public final func value(forKeyPath keyPath: String) -> Any? { value(atPath: keyPath) }

  /// Gives a property a value by its name; as the subscript.
  public final func setValue(_ value: Any?, forKey key: String) { setValue(value, named: key) }

  /// Whether both show one row of one realm, or are one instance. (`==` says so only where the class has a primary
  /// key.)
  public final func isSameObject(as object: EmbeddedObject?) -> Bool { isSame(as: object) }
}

/// The base of model classes whose objects are handed over and never read again.
///
/// `realm.create(_:value:)` takes them; no realm keeps a row of one.
open class AsymmetricObject: ObjectBase {  // MARK: Properties by name

  /// The classes' own facts, as the object's realm has them: properties, key, name.
  public final var objectSchema: ObjectSchema { ObjectSchema(model) }

  /// The value of a property by its name; nil for null. An enum gives its raw value, a custom type what it is mapped
  /// to, an any-value what it holds.
  ///
  /// Setting it converts as `create` does: numbers between their types when nothing is lost, raw values of enums,
  /// dictionaries for objects, arrays for collections. A value of a wrong type fails the write; on an unmanaged object
  /// it is remembered, and adding the object fails then.
  /// Traps for a name that is no property.
  public final subscript(key: String) -> Any? {
    get { value(named: key) }
    set { setValue(newValue, named: key) }
  }

  /// The value of a property by its name; as the subscript.
  public final func value(forKey key: String) -> Any? { value(named: key) }

  /// The value at the end of a path: names with dots between them. Nil as soon as a link on the way is.
  public final func value(forKeyPath keyPath: String) -> Any? { value(atPath: keyPath) }

  /// Gives a property a value by its name; as the subscript.
  public final func setValue(_ value: Any?, forKey key: String) { setValue(value, named: key) }
}
