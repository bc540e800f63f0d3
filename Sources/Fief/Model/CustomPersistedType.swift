public import FiefGraph

/// A type that custom types can be mapped to: what can be stored as it is, an optional of that, or an embedded class.
/// Applications do not conform to it.
///
/// The requirements are those of `_Persistable` once more, for the case that the property of the custom type is
/// optional: an optional that is mapped to an optional cannot ask `Optional` for them.
public protocol _CustomPersistedType: _Persistable {
  /// Whether a value goes into a new row straight away.
  static var _isScalar: Bool { get }
  /// Puts a value into a new row.
  static func _fill(_ value: Self?, _ row: _RowFiller) throws
  /// `_facts`, of a property whose type is mapped to this one.
  static var _mappedFacts: _TypeFacts { get }
  /// The same, of an optional one.
  static var _mappedOptionalFacts: _TypeFacts { get }
  /// `_load`, where null is nil.
  static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> Self?
  /// `_save`, where nil is null.
  static func _saveOrNil(_ value: Self?, _ object: ObjectBase, _ index: Int)
  /// `_fromStored`, where null is nil.
  static func _fromStoredOrNil(_ value: _StoredValue, _ context: _StoreContext) -> Self?
}

/// One cell of a row that is being made.
public struct _RowFiller {
  let row: NewRow
  let column: ColumnKey
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _PersistableScalar {
  public static var _isScalar: Bool { true }
  public static func _fill(_ value: Self?, _ row: _RowFiller) throws { try row.row.set(value?._stored, row.column) }
  public static var _mappedFacts: _TypeFacts { _facts }
  public static var _mappedOptionalFacts: _TypeFacts { _optionalFacts }
  @inlinable public static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> Self? { _loadOptional(object, index) }
  @inlinable
  public static func _saveOrNil(_ value: Self?, _ object: ObjectBase, _ index: Int) {
    _saveOptional(value, object, index)
  }
  @inlinable
  public static func _fromStoredOrNil(_ value: _StoredValue, _ context: _StoreContext) -> Self? {
    _fromStoredOptional(value, context)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: _CustomPersistedType where Wrapped: _PersistableScalar {
  public static var _isScalar: Bool { true }
  public static func _fill(_ value: Wrapped??, _ row: _RowFiller) throws { try Wrapped._fill(value ?? nil, row) }
  public static var _mappedFacts: _TypeFacts { _facts }
  public static var _mappedOptionalFacts: _TypeFacts { _facts }
  @inlinable
  public static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> Wrapped?? {
    Wrapped._loadOptional(object, index).map { .some($0) }
  }
  @inlinable
  public static func _saveOrNil(_ value: Wrapped??, _ object: ObjectBase, _ index: Int) {
    Wrapped._saveOptional(value ?? nil, object, index)
  }
  @inlinable
  public static func _fromStoredOrNil(_ value: _StoredValue, _ context: _StoreContext) -> Wrapped?? {
    Wrapped._fromStoredOptional(value, context).map { .some($0) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension EmbeddedObject: _CustomPersistedType {
  public static var _isScalar: Bool { false }
  public static func _fill(_ value: EmbeddedObject?, _ row: _RowFiller) throws {}

  /// The link may be null in the store; then the property reads as the default of its type.
  public static var _mappedFacts: _TypeFacts {
    var facts = _TypeFacts(.link, target: self)
    facts.isMapped = true
    return facts
  }

  public static var _mappedOptionalFacts: _TypeFacts { _optionalFacts }
  public static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> Self? { _loadOptional(object, index) }

  public static func _saveOrNil(_ value: EmbeddedObject?, _ object: ObjectBase, _ index: Int) {
    object.saveLink(value, index)
  }

  public static func _fromStoredOrNil(_ value: _StoredValue, _ context: _StoreContext) -> Self? {
    _fromStoredOptional(value, context)
  }
}
