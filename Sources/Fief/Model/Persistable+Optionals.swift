import FiefCopying
public import FiefGraph

// Optional properties: every requirement forwards to the wrapped type.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: _RealmSchemaDiscoverable where Wrapped: _RealmSchemaDiscoverable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
  public typealias PersistedType = Wrapped.PersistedType?
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: _Persistable where Wrapped: _PersistableInsideOptional {
  public typealias _Storage = Wrapped._OptionalStorage

  public static var _facts: _TypeFacts { Wrapped._optionalFacts }
  public static var _access: _FieldAccess { Wrapped._optionalAccess }

  @inlinable public static func _wrap(_ value: Wrapped?) -> _Storage { Wrapped._wrapOptional(value) }
  @inlinable public static func _unwrap(_ storage: _Storage) -> Wrapped? { Wrapped._unwrapOptional(storage) }
  @inlinable public static func _makeDefault() -> Wrapped? { nil }

  @inlinable
  public static func _assign(
    _ value: Wrapped?, to storage: inout _Storage?, _ owner: ObjectBase?, _ index: Int
  ) {
    storage = Wrapped._wrapOptional(value)
  }

  @inlinable
  public static func _load(_ object: ObjectBase, _ index: Int) -> Wrapped? { Wrapped._loadOptional(object, index) }

  @inlinable
  public static func _save(_ value: Wrapped?, _ object: ObjectBase, _ index: Int) {
    Wrapped._saveOptional(value, object, index)
  }

  public static func _trace(_ object: ObjectBase, _ index: Int) -> Wrapped? { Wrapped._traceOptional(object, index) }

  @inlinable
  public static func _fromStored(_ value: _StoredValue, _ context: _StoreContext) -> Wrapped? {
    value.isNull ? nil : Wrapped._fromStoredOptional(value, context)
  }

  @inlinable
  public static func _content(_ value: Wrapped?) -> _PropertyContent { value.map(Wrapped._content) ?? .value(.null) }

  public static func _plain(_ value: Wrapped?) -> Any? { value.flatMap(Wrapped._plain) }

  public static func _fromAny(_ value: Any) -> Wrapped?? {
    guard let inner = DynamicValue.present(value) else { return .some(nil) }
    return Wrapped._fromAnyInsideOptional(inner) ?? (Represented.isNull(inner) ? .some(nil) : nil)
  }
}

extension Optional: _LinkHolding where Wrapped: _LinkHolding {}
