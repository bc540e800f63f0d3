import FiefCopying
public import FiefGraph

/// An application's type that a store represents by another type.
///
///     struct Email: CustomPersistable {
///       var address: String
///       init(persistedValue: String) { address = persistedValue }
///       var persistableValue: String { address }
///     }
///
///     class Person: Object {
///       @Persisted var email: Email?
///     }
///
/// The type can be mapped to any type that is stored unchanged (also optional), to a `PersistableEnum`, and to an
/// embedded class. A property whose type is mapped to a class need not be optional. The type can be an element of
/// collections. It can be a primary key or indexed if the type that it is mapped to can.
///
/// The conversions run at every read and write, and must be pure. Values are hashed in their stored form; a type that
/// is not `Equatable` has to say what `==` is.
public protocol CustomPersistable: _CustomPersistable {
  /// The type that is stored.
  associatedtype PersistedType
  /// Makes the value from its stored form.
  init(persistedValue: PersistedType)
  /// The stored form of the value.
  var persistableValue: PersistedType { get }
}

/// An application's type that a store represents by another type, some of whose values cannot be converted back.
///
///     enum Direction: FailableCustomPersistable {
///       case left, right
///       init?(persistedValue: String) {
///         switch persistedValue {
///         case "L": self = .left
///         case "R": self = .right
///         default: return nil
///         }
///       }
///       var persistableValue: String { self == .left ? "L" : "R" }
///     }
///
/// A stored value that cannot be converted reads as nil where the property is optional, and traps where it is not. It
/// comes from other versions of the program, from `create`, or from an assignment by name, which store what they are
/// given; an unmanaged object holds nil instead. The same rule holds for the property's default, which is converted
/// from the stored type's default: give such properties an explicit default.
public protocol FailableCustomPersistable: _CustomPersistable {
  /// The type that is stored.
  associatedtype PersistedType
  /// Makes the value from its stored form; nil when that has no meaning.
  init?(persistedValue: PersistedType)
  /// The stored form of the value.
  var persistableValue: PersistedType { get }
}

/// A type that custom types can be mapped to: a type that is stored unchanged, an optional of one, or an embedded
/// class. Applications do not conform to it.
public protocol _CustomPersistedType: _Persistable, Hashable {}

extension Optional: _CustomPersistedType where Wrapped: _PersistableScalar {}
extension EmbeddedObject: _CustomPersistedType {}

/// The common base of both kinds of custom type. Applications conform to one of those.
public protocol _CustomPersistable: _RealmCollectionValueInsideOptional, _RealmFreeValue
where PersistedType: _CustomPersistedType, _Storage == Self {
  /// Makes the value from its stored form; nil when that has no meaning.
  static func _fromPersisted(_ value: PersistedType) -> Self?
  /// The stored form of the value. It is not `persistableValue`, which an application may declare for a type that
  /// conforms already, such as `URL`.
  var _persisted: PersistedType { get }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CustomPersistable {
  @inlinable public static func _fromPersisted(_ value: PersistedType) -> Self? { Self(persistedValue: value) }
  @inlinable public var _persisted: PersistedType { persistableValue }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FailableCustomPersistable {
  @inlinable public static func _fromPersisted(_ value: PersistedType) -> Self? { Self(persistedValue: value) }
  @inlinable public var _persisted: PersistedType { persistableValue }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _CustomPersistable {
  public static var _facts: _TypeFacts { PersistedType._facts.mapped }

  /// Hashes the stored form: an embedded object by its values that are no links or collections.
  public func hash(into hasher: inout Hasher) {
    // Each conversion makes an object of its own, and those of equal values differ.
    guard PersistedType.self is EmbeddedObject.Type, let object = _persisted as? EmbeddedObject else {
      return _persisted.hash(into: &hasher)
    }
    for property in object.model.properties where property.facts.shape == .single && property.facts.kind != .link {
      hasher.combine(property.plainValue(in: object) as? AnyHashable)
    }
  }

  @inlinable
  public static func _encode(_ value: Self) -> _PropertyContent { PersistedType._encode(value._persisted) }

  @inlinable
  public static func _decode(_ value: _StoredValue, _ context: _StoreContext) -> Self? {
    PersistedType._decode(value, context).flatMap(_fromPersisted)
  }

  @inlinable public static func _absent() -> Self? { PersistedType._absent().flatMap(_fromPersisted) }

  @inlinable
  public static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> Self? {
    PersistedType._loadOrNil(object, index).flatMap(_fromPersisted)
  }

  @inlinable
  public static func _load(_ object: ObjectBase, _ index: Int) -> Self {
    guard let value = _fromPersisted(PersistedType._load(object, index)) else {
      object.cannotRead(index, as: Self.self)
    }
    return value
  }

  @inlinable
  public static func _save(_ value: Self?, to object: ObjectBase, _ index: Int) {
    PersistedType._save(value?._persisted, to: object, index)
  }

  @inlinable
  public static func _makeDefault() -> Self {
    guard let value = _fromPersisted(PersistedType._makeDefault()) else { hasNoDefault(Self.self) }
    return value
  }

  public static func _standIn() -> Self? { _fromPersisted(PersistedType._makeDefault()) }

  public static func _fromAny(_ value: Any) -> Self? {
    if let value = DynamicValue.cast(value, to: Self.self) { return value }
    // The stored link may be null; the property then reads as the default.
    if DynamicValue.isNull(value) && _facts.isMapped { return _makeDefault() }
    return PersistedType._fromAny(value).flatMap(_fromPersisted)
  }

  public static func _plain(_ value: Self) -> Any? { PersistedType._plain(value._persisted) }

  /// The stored form of a value of the type that this one is mapped to, although it may have no meaning.
  static func persistedContent(of value: Any) -> _PropertyContent? { PersistedType._encodeAny(value) }
}
