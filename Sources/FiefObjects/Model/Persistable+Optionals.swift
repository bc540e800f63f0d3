import FiefCopying
public import FiefGraph

// Optional properties, of all types. Nil is stored as null.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: _RealmSchemaDiscoverable where Wrapped: _RealmSchemaDiscoverable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
  public typealias PersistedType = Wrapped.PersistedType?
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: _Persistable where Wrapped: _PersistableInsideOptional {
  public typealias _Storage = Wrapped._Storage?

  public static var _facts: _TypeFacts { Wrapped._facts.optional }

  @inlinable
  public static func _encode(_ value: Wrapped?) -> _PropertyContent { value.map(Wrapped._encode) ?? .value(.null) }

  @inlinable
  public static func _decode(_ value: _StoredValue, _ context: _StoreContext) -> Wrapped?? {
    value.isNull ? nil : Wrapped._decode(value, context).map { .some($0) }
  }

  @inlinable public static func _absent() -> Wrapped?? { .some(nil) }

  @inlinable
  public static func _load(_ object: ObjectBase, _ index: Int) -> Wrapped? { Wrapped._loadOrNil(object, index) }

  @inlinable
  public static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> Wrapped?? {
    Wrapped._loadOrNil(object, index).map { .some($0) }
  }

  @inlinable
  public static func _save(_ value: Wrapped??, to object: ObjectBase, _ index: Int) {
    Wrapped._save(value ?? nil, to: object, index)
  }

  @inlinable public static func _wrap(_ value: Wrapped?) -> _Storage { value.map(Wrapped._wrap) }
  @inlinable public static func _unwrap(_ storage: _Storage) -> Wrapped? { storage.map(Wrapped._unwrap) }
  @inlinable public static func _makeDefault() -> Wrapped? { nil }
  public static func _standIn() -> Wrapped?? { .some(Wrapped._standIn()) }

  public static func _fromAny(_ value: Any) -> Wrapped?? {
    guard let inner = DynamicValue.present(value) else { return .some(nil) }
    if let value = Wrapped._fromAny(inner) { return .some(value) }
    return Represented.isNull(inner) ? .some(nil) : nil
  }

  public static func _encodeAny(_ value: Any) -> _PropertyContent? {
    guard let inner = DynamicValue.present(value) else { return .value(.null) }
    if let content = Wrapped._encodeAny(inner) { return content }
    if Represented.isNull(inner) { return .value(.null) }
    // What a custom type has no value for is stored nevertheless, and reads as nil.
    return (Wrapped.self as? any _CustomPersistable.Type)?.persistedContent(of: inner)
  }

  public static func _plain(_ value: Wrapped?) -> Any? { value.flatMap(Wrapped._plain) }
}

extension Optional: _LinkHolding where Wrapped: _LinkHolding {}
