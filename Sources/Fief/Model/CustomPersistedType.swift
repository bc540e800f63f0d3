public import FiefGraph

/// A type that custom types can be mapped to: a type that is stored unchanged, an optional of one, or an embedded
/// class. Applications do not conform to it.
///
/// The requirements repeat those of `_Persistable` for optional properties of custom types: an optional that is mapped
/// to an optional cannot use the requirements of `Optional`.
public protocol _CustomPersistedType: _Persistable, Hashable {
  /// Whether a value can be written directly into a new row.
  static var _isScalar: Bool { get }
  /// Writes a value into a new row.
  static func _fill(_ value: Self?, _ row: _RowFiller) throws
  /// `_facts` for a property whose type is mapped to this one.
  static var _mappedFacts: _TypeFacts { get }
  /// `_facts` for an optional property whose type is mapped to this one.
  static var _mappedOptionalFacts: _TypeFacts { get }
  /// `_load` that returns nil for null.
  static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> Self?
  /// `_save` that stores null for nil.
  static func _saveOrNil(_ value: Self?, _ object: ObjectBase, _ index: Int)
  /// `_fromStored` that returns nil for null.
  static func _fromStoredOrNil(_ value: _StoredValue, _ context: _StoreContext) -> Self?
}

/// One cell of a row under construction.
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

  /// The stored link may be null; the property then reads as the default of its type.
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
