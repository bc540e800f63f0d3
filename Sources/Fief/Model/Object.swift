import FiefGraph

/// The base of model classes whose objects live until they are deleted.
///
///     class Dog: Object {
///       @Persisted(primaryKey: true) var id: ObjectId
///       @Persisted var name = ""
///     }
///
/// A new instance is unmanaged and may be used on any thread. `realm.add(dog)` makes it managed: from then on it shows
/// the realm's data, can be changed only in write transactions, and belongs to the realm's thread, queue or actor.
open class Object: ObjectBase {
  /// The name of the primary key, unless `@Persisted(primaryKey: true)` declares it.
  open class func primaryKey() -> String? { nil }

  /// The names of indexed properties, unless `@Persisted(indexed: true)` declares them.
  open class func indexedProperties() -> [String] { [] }

  /// The indexes over several properties.
  open class func compoundIndexes() -> [CompoundIndex] { [] }

  override class var olderPrimaryKey: String? { primaryKey() }
  override class var olderIndexes: [String] { indexedProperties() }
  override class var declaredCompoundIndexes: [CompoundIndex] { compoundIndexes() }

  // MARK: Properties by name

  /// The schema of the class as the object's realm has it: properties, primary key, name.
  public final var objectSchema: ObjectSchema { ObjectSchema(model) }

  /// The value of a property by its name; nil for null. An enum returns its raw value, a custom type the value that it
  /// is mapped to, an any-value its content.
  ///
  /// Setting converts as `create` does: numbers between their types when nothing is lost, raw values of enums,
  /// dictionaries for objects, arrays for collections. A value of a wrong type fails the write. An unmanaged object
  /// records the error, and adding the object throws it.
  ///
  /// Traps for an unknown name.
  public final subscript(key: String) -> Any? {
    get { value(named: key) }
    set { setValue(newValue, named: key) }
  }

  /// The value of a property by its name; equals the subscript.
  public final func value(forKey key: String) -> Any? { value(named: key) }

  /// The value at the end of a path of names, separated by dots; nil as soon as a link on the way is nil.
  public final func value(forKeyPath keyPath: String) -> Any? { value(atPath: keyPath) }

  /// Sets a property by its name; equals the subscript.
  public final func setValue(_ value: Any?, forKey key: String) { setValue(value, named: key) }

  /// Whether both are accessors of one row of one realm, or one instance. (`==` compares rows only where the class has
  /// a primary key or both objects are frozen.)
  public final func isSameObject(as object: Object?) -> Bool { isSame(as: object) }
}

/// The base of model classes whose objects belong to exactly one other object and are deleted with it.
///
///     class Address: EmbeddedObject {
///       @Persisted var street: String?
///     }
///     class Person: Object {
///       @Persisted var address: Address?
///     }
open class EmbeddedObject: ObjectBase {
  /// The names of indexed properties, unless `@Persisted(indexed: true)` declares them.
  open class func indexedProperties() -> [String] { [] }

  /// The indexes over several properties.
  open class func compoundIndexes() -> [CompoundIndex] { [] }

  override class var olderIndexes: [String] { indexedProperties() }
  override class var declaredCompoundIndexes: [CompoundIndex] { compoundIndexes() }

  // MARK: Properties by name

  /// The schema of the class as the object's realm has it: properties, name.
  public final var objectSchema: ObjectSchema { ObjectSchema(model) }

  /// The value of a property by its name; nil for null. An enum returns its raw value, a custom type the value that it
  /// is mapped to, an any-value its content.
  ///
  /// Setting converts as `create` does: numbers between their types when nothing is lost, raw values of enums,
  /// dictionaries for objects, arrays for collections. A value of a wrong type fails the write. An unmanaged object
  /// records the error, and adding the object throws it.
  ///
  /// Traps for an unknown name.
  public final subscript(key: String) -> Any? {
    get { value(named: key) }
    set { setValue(newValue, named: key) }
  }

  /// The value of a property by its name; equals the subscript.
  public final func value(forKey key: String) -> Any? { value(named: key) }

  /// The value at the end of a path of names, separated by dots; nil as soon as a link on the way is nil.
  public final func value(forKeyPath keyPath: String) -> Any? { value(atPath: keyPath) }

  /// Sets a property by its name; equals the subscript.
  public final func setValue(_ value: Any?, forKey key: String) { setValue(value, named: key) }

  /// Whether both are accessors of one row of one realm, or one instance. (`==` compares rows only where both objects
  /// are frozen.)
  public final func isSameObject(as object: EmbeddedObject?) -> Bool { isSame(as: object) }
}

/// The base of model classes whose objects are handed to the configuration's `ingestHandler` and never read again.
///
/// `realm.create(_:value:)` accepts them; no realm stores a row for them.
open class AsymmetricObject: ObjectBase {  // MARK: Properties by name

  /// The schema of the class as the object's realm has it: properties, name.
  public final var objectSchema: ObjectSchema { ObjectSchema(model) }

  /// The value of a property by its name; nil for null. An enum returns its raw value, a custom type the value that it
  /// is mapped to, an any-value its content.
  ///
  /// Setting converts as `create` does: numbers between their types when nothing is lost, raw values of enums,
  /// dictionaries for objects, arrays for collections. A value of a wrong type fails the write. An unmanaged object
  /// records the error, and adding the object throws it.
  ///
  /// Traps for an unknown name.
  public final subscript(key: String) -> Any? {
    get { value(named: key) }
    set { setValue(newValue, named: key) }
  }

  /// The value of a property by its name; equals the subscript.
  public final func value(forKey key: String) -> Any? { value(named: key) }

  /// The value at the end of a path of names, separated by dots; nil as soon as a link on the way is nil.
  public final func value(forKeyPath keyPath: String) -> Any? { value(atPath: keyPath) }

  /// Sets a property by its name; equals the subscript.
  public final func setValue(_ value: Any?, forKey key: String) { setValue(value, named: key) }
}
