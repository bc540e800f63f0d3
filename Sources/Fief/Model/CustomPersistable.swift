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
/// A stored value that cannot be converted reads as nil where the property is optional, and traps where it is not. The
/// same rule holds for the property's default, which is converted from the stored type's default: give such properties
/// an explicit default.
public protocol FailableCustomPersistable: _CustomPersistable {
  /// The type that is stored.
  associatedtype PersistedType
  /// Makes the value from its stored form; nil when that has no meaning.
  init?(persistedValue: PersistedType)
  /// The stored form of the value.
  var persistableValue: PersistedType { get }
}

/// The common base of both kinds of custom type. Applications conform to one of those.
public protocol _CustomPersistable: _RealmCollectionValueInsideOptional
where PersistedType: _CustomPersistedType, _Storage == Self, _OptionalStorage == Self? {
  /// Makes the value from its stored form; nil when that has no meaning.
  static func _fromPersisted(_ value: PersistedType) -> Self?
  /// The stored form of the value.
  var persistableValue: PersistedType { get }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CustomPersistable {
  @inlinable public static func _fromPersisted(_ value: PersistedType) -> Self? { Self(persistedValue: value) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FailableCustomPersistable {
  @inlinable public static func _fromPersisted(_ value: PersistedType) -> Self? { Self(persistedValue: value) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _CustomPersistable {
  public static var _facts: _TypeFacts { PersistedType._mappedFacts }
  public static var _optionalFacts: _TypeFacts { PersistedType._mappedOptionalFacts }

  /// Hashes the stored form: an embedded object by its values that are no links or collections.
  public func hash(into hasher: inout Hasher) {
    // Each conversion makes an object of its own, and those of equal values differ.
    if PersistedType._isScalar { return persistableValue.hash(into: &hasher) }
    guard let object = persistableValue as? EmbeddedObject else { return }
    for property in object.model.properties where property.facts.shape == .single && property.facts.kind != .link {
      hasher.combine(property.access.plain(object, property.number) as? AnyHashable)
    }
  }

  @inlinable public static func _wrap(_ value: Self) -> Self { value }
  @inlinable public static func _unwrap(_ storage: Self) -> Self { storage }
  @inlinable public static func _wrapOptional(_ value: Self?) -> Self? { value }
  @inlinable public static func _unwrapOptional(_ storage: Self?) -> Self? { storage }

  @inlinable
  public static func _makeDefault() -> Self {
    guard let value = _fromPersisted(PersistedType._makeDefault()) else { hasNoDefault(Self.self) }
    return value
  }

  @inlinable
  public static func _assign(_ value: Self, to storage: inout Self?, _ owner: ObjectBase?, _ index: Int) {
    storage = value
  }

  @inlinable
  public static func _load(_ object: ObjectBase, _ index: Int) -> Self {
    let persisted = PersistedType._load(object, index)
    guard let value = _fromPersisted(persisted) else { object.cannotRead(index, "\(persisted)") }
    return value
  }

  @inlinable
  public static func _loadOptional(_ object: ObjectBase, _ index: Int) -> Self? {
    PersistedType._loadOrNil(object, index).flatMap(_fromPersisted)
  }

  @inlinable
  public static func _save(_ value: Self, _ object: ObjectBase, _ index: Int) {
    PersistedType._save(value.persistableValue, object, index)
  }

  @inlinable
  public static func _saveOptional(_ value: Self?, _ object: ObjectBase, _ index: Int) {
    PersistedType._saveOrNil(value?.persistableValue, object, index)
  }

  public static func _trace(_ object: ObjectBase, _ index: Int) -> Self {
    object.notePath(index)
    return _makeDefault()
  }

  public static func _traceOptional(_ object: ObjectBase, _ index: Int) -> Self? {
    object.notePath(index)
    return _fromPersisted(PersistedType._makeDefault())
  }

  @inlinable
  public static func _fromStored(_ value: _StoredValue, _ context: _StoreContext) -> Self {
    guard let made = _fromPersisted(PersistedType._fromStored(value, context)) else {
      Fief.cannotRead(value, as: Self.self)
    }
    return made
  }

  @inlinable
  public static func _fromStoredOptional(_ value: _StoredValue, _ context: _StoreContext) -> Self? {
    PersistedType._fromStoredOrNil(value, context).flatMap(_fromPersisted)
  }

  @inlinable
  public static func _content(_ value: Self) -> _PropertyContent { PersistedType._content(value.persistableValue) }

  public static func _plain(_ value: Self) -> Any? { PersistedType._plain(value.persistableValue) }

  public static func _fromAny(_ value: Any) -> Self? {
    if let value = DynamicValue.cast(value, to: Self.self) { return value }
    // The stored link may be null; the property then reads as the default.
    if PersistedType._mappedFacts.isMapped && DynamicValue.isNull(value) { return _makeDefault() }
    return PersistedType._fromAny(value).flatMap(_fromPersisted)
  }

  public static func _fromAnyInsideOptional(_ value: Any) -> Self?? {
    if let value = DynamicValue.cast(value, to: Self.self) { return .some(value) }
    return PersistedType._fromAny(value).map(_fromPersisted)
  }

  public static var _access: _FieldAccess {
    var access = _FieldAccess.general(Self.self)
    access.isForeign = true
    if PersistedType._isScalar {
      unsafe access.fill = { field, row, column in
        let value = unsafe _FieldAccess.value(Self.self, field).persistableValue
        try PersistedType._fill(value, _RowFiller(row: row, column: column))
      }
    }
    return access
  }

  public static var _optionalAccess: _FieldAccess {
    var access = _FieldAccess.general(Self?.self)
    access.isForeign = true
    if PersistedType._isScalar {
      unsafe access.fill = { field, row, column in
        let value = unsafe _FieldAccess.value(Self?.self, field)?.persistableValue
        try PersistedType._fill(value, _RowFiller(row: row, column: column))
      }
    }
    return access
  }
}

@usableFromInline
func hasNoDefault<Wanted>(_ type: Wanted.Type) -> Never {
  fatalError(
    "'\(type)' makes no value of the default of its stored type: give the property a default, or declare it optional.")
}
