public import FiefGraph
import FiefRuntime
public import FiefSessions

/// A value in the form in which the kernel stores it.
public typealias _StoredValue = FiefGraph.Value
package typealias StoredValue = FiefGraph.Value

/// A type that a schema can name. Applications do not conform to it.
public protocol _RealmSchemaDiscoverable {}

/// A type with a stored form. Applications do not conform to it; `CustomPersistable` does so for them.
public protocol _HasPersistedType {
  /// The type that stores hold for this one: the raw value's type for an enum, the mapped type for a custom type.
  associatedtype PersistedType
}

/// A type that `@Persisted` can declare. Applications do not conform to it themselves: `PersistableEnum`,
/// `CustomPersistable` and the model classes do.
///
/// `_encode` and `_decode` convert between a value and its stored form. Collections, access by names and the planner
/// need no more. `_load` and `_save` do the same for a property of a managed object, without the stored form on the
/// way. `Optional` conforms once for all types.
public protocol _Persistable: _RealmSchemaDiscoverable, _HasPersistedType, _ObjcBridgeable {
  /// The type in which an unmanaged object holds a value.
  associatedtype _Storage = Self

  /// The facts that the schema needs.
  static var _facts: _TypeFacts { get }

  /// The stored form of a value, or the object or collection to add for it.
  static func _encode(_ value: Self) -> _PropertyContent
  /// Converts a stored value, such as an element of a collection; nil for null, and for a value that the type does not
  /// have.
  static func _decode(_ value: _StoredValue, _ context: _StoreContext) -> Self?
  /// The value that null is read as; nil for types that have none.
  static func _absent() -> Self?

  /// Reads the property of a managed object.
  static func _load(_ object: ObjectBase, _ index: Int) -> Self
  /// Reads the property of a managed object; nil where `_decode` would be nil.
  static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> Self?
  /// Writes the property of a managed object; nil is null. Traps outside a write; a bad value fails the write.
  static func _save(_ value: Self?, to object: ObjectBase, _ index: Int)

  /// Makes the storage of a value.
  static func _wrap(_ value: Self) -> _Storage
  /// Reads the value out of a storage.
  static func _unwrap(_ storage: _Storage) -> Self
  /// Assigns to an unmanaged property.
  static func _assign(_ value: Self, to storage: inout _Storage?, of owner: ObjectBase?, _ index: Int)
  /// The value of a property that was never assigned one.
  static func _makeDefault() -> Self
  /// The value of a property of a tracing object: an object or a collection records what is read of it. Nil for a type
  /// that makes no value of the default of its stored type.
  static func _standIn() -> Self?

  /// Converts an untyped value; nil when its type is wrong or it is out of range.
  static func _fromAny(_ value: Any) -> Self?
  /// The stored form of an untyped value; nil when its type is wrong or it is out of range.
  static func _encodeAny(_ value: Any) -> _PropertyContent?
  /// The value as code that reads by property name sees it: the stored value of an enum or a custom type, the content
  /// of an any-value; nil for null.
  static func _plain(_ value: Self) -> Any?
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _Persistable {
  public static func _decode(_ value: _StoredValue, _ context: _StoreContext) -> Self? { nil }
  @inlinable public static func _absent() -> Self? { nil }

  @inlinable
  public static func _load(_ object: ObjectBase, _ index: Int) -> Self {
    guard let value = _loadOrNil(object, index) ?? _absent() else { object.cannotRead(index, as: Self.self) }
    return value
  }

  @inlinable
  public static func _assign(_ value: Self, to storage: inout _Storage?, of owner: ObjectBase?, _ index: Int) {
    storage = _wrap(value)
  }

  public static func _standIn() -> Self? { _makeDefault() }
  public static func _encodeAny(_ value: Any) -> _PropertyContent? { _fromAny(value).map { _encode($0) } }
  public static func _plain(_ value: Self) -> Any? { value }

  /// Converts a stored value. Traps for one that the type does not have.
  @inlinable
  public static func _fromStored(_ value: _StoredValue, _ context: _StoreContext) -> Self {
    guard let result = _decode(value, context) ?? _absent() else { cannotRead(value, as: Self.self) }
    return result
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _Persistable where _Storage == Self {
  @inlinable public static func _wrap(_ value: Self) -> Self { value }
  @inlinable public static func _unwrap(_ storage: Self) -> Self { storage }
}

/// A type that may be optional in a declaration.
public protocol _PersistableInsideOptional: _Persistable {}

/// A type whose properties hold links: objects and collections of them.
public protocol _LinkHolding {}

/// The context for reading stored values: the session that makes accessors for links.
@frozen
public struct _StoreContext {
  @usableFromInline let session: Session
  /// The class that links are expected to point at; nil when it is unknown.
  @usableFromInline let target: ClassBinding?

  @usableFromInline
  package init(_ session: Session, target: ClassBinding? = nil) {
    self.session = session
    self.target = target
  }
}

/// A value on its way into a store, or an object that must be added first.
public enum _PropertyContent {
  /// A value; links in it belong to the target store.
  case value(_StoredValue)
  /// A link to an object, managed or not.
  case object(ObjectBase)
  /// A list, set or map: that of a property, or a list or map inside an any-value.
  case collection(AnyObject)

  /// The object, which this holds; nil for all else.
  var borrowedObject: Borrowed<ObjectBase>? {
    if case .object(let object) = self { unsafe Borrowed(object) } else { nil }
  }

  /// The stored value; nil for all else.
  package var stored: StoredValue? { if case .value(let value) = self { value } else { nil } }
}

@usableFromInline
func cannotRead<Wanted>(_ value: _StoredValue, as type: Wanted.Type) -> Never {
  fatalError(
    "Could not convert stored value \(value) to '\(Wanted.self)': declare it optional, or store only what the type "
      + "knows."
  )
}

@usableFromInline
func hasNoDefault<Wanted>(_ type: Wanted.Type) -> Never {
  fatalError(
    "'\(type)' makes no value of the default of its stored type: give the property a default, or declare it optional.")
}

extension ObjectBase {
  /// Traps because the type of a property does not have the stored value.
  @usableFromInline
  final func cannotRead<Wanted>(_ index: Int, as type: Wanted.Type) -> Never {
    let property = model.properties[index]
    let stored = property.facts.shape == .single ? loadValue(index) : nil
    let value =
      if let link = stored?.linked { link.table.isNested ? "(a list or a dictionary)" : "(an object)" } else {
        stored?.plain.map { "\($0)" } ?? "null"
      }
    fatalError(
      "Could not convert stored value \(value) of '\(model.name).\(property.name)' to the type of the "
        + "property: set it to one that the type knows, in a migrationBlock or through a DynamicObject, or declare the "
        + "property optional, which then reads as nil.")
  }
}
