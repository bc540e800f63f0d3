public import FiefCopying
public import FiefGraph
public import FiefRuntime
public import FiefSessions
public import FiefValues
public import Foundation

/// A type in which leaves store values. Applications do not conform to it.
///
/// It stands for `Storable`, whose module the modules of an application do not see: a public enum there takes over the
/// conformance of its stored type, so that has to be declared here.
public protocol _LeafStored: Storable {}

extension Int64: _LeafStored {}
extension Float: _LeafStored {}
extension Double: _LeafStored {}
extension String: _LeafStored {}
extension Data: _LeafStored {}
extension Timestamp: _LeafStored {}
extension Decimal128: _LeafStored {}
extension ObjectId: _LeafStored {}
extension UUID: _LeafStored {}

/// A type whose values are stored unchanged, in a column or as elements of a collection. Applications do not conform to
/// it.
public protocol _PersistableScalar: _PersistableInsideOptional, _CustomPersistedType, _RealmFreeValue
where _Storage == Self {
  /// The type that leaves store for it.
  associatedtype _Stored: _LeafStored = Self
  associatedtype PersistedType = Self

  /// The kind of column.
  static var _kind: ValueKind { get }
  /// The form of the value in a leaf.
  var _stored: _Stored { get }
  /// Converts the content of a leaf; nil when the type has no value for it.
  init?(_stored: _Stored)
  /// Writes the unmanaged value in a wrapper directly into a new row.
  static func _fill(_ field: UnsafeMutableRawPointer, isOptional: Bool, into row: NewRow, _ column: ColumnKey) throws
  /// The unmanaged value in a wrapper, as it would be stored.
  static func _stored(at field: UnsafeMutableRawPointer, isOptional: Bool) -> _StoredValue
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _PersistableScalar {
  public static var _facts: _TypeFacts { _TypeFacts(Self.self) }

  @inlinable
  public static func _load(_ object: ObjectBase, _ index: Int) -> Self {
    object.locate(index)
    let leaf = unsafe object.binding.unsafelyUnwrapped.with { $0.leaf(index) }
    let slot = Int(object.slot)
    let stored = unsafe object.cluster.unsafelyUnwrapped.with {
      _Stored.read($0, leaf: leaf, slot: slot)
    }
    guard let value = Self(_stored: stored) else { object.cannotRead(index, as: Self.self) }
    return value
  }

  @inlinable
  public static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> Self? {
    object.locate(index)
    let leaf = unsafe object.binding.unsafelyUnwrapped.with { $0.leaf(index) }
    let slot = Int(object.slot)
    let stored = unsafe object.cluster.unsafelyUnwrapped.with {
      $0[leaf: leaf].load(_Stored.self, at: slot)
    }
    return stored.flatMap { Self(_stored: $0) }
  }

  @inlinable
  public static func _save(_ value: Self?, to object: ObjectBase, _ index: Int) { object.save(value?._stored, index) }

  @inlinable
  public static func _encode(_ value: Self) -> _PropertyContent { .value(value._stored.value(as: ColumnType(_kind))) }

  @inlinable
  public static func _decode(_ value: _StoredValue, _ context: _StoreContext) -> Self? {
    _Stored(value).flatMap { Self(_stored: $0) }
  }

  public static func _fill(
    _ field: UnsafeMutableRawPointer, isOptional: Bool, into row: NewRow, _ column: ColumnKey
  ) throws {
    if isOptional {
      try row.set(unsafe Persisted<Self?>.unmanaged(at: field)?._stored, column)
    } else {
      try row.set(Optional(unsafe Persisted<Self>.unmanaged(at: field)._stored), column)
    }
  }

  public static func _stored(at field: UnsafeMutableRawPointer, isOptional: Bool) -> _StoredValue {
    let value = unsafe isOptional ? Persisted<Self?>.unmanaged(at: field) : Persisted<Self>.unmanaged(at: field)
    return value.map { $0._stored.value(as: ColumnType(_kind)) } ?? .null
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _PersistableScalar where _Stored == Self {
  @inlinable public var _stored: Self { self }
  @inlinable public init?(_stored: Self) { self = _stored }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _PersistableScalar where Self: _DefaultConstructible {
  @inlinable public static func _makeDefault() -> Self { Self() }
}

extension ObjectBase {
  /// Stores a scalar of a managed object.
  @inlinable
  final func save<Element: Storable>(_ value: Element?, _ index: Int) {
    guard let cell = cellForWriting(index) else { return }
    unsafe session.unsafelyUnwrapped.with { $0.write(value, to: cell) }
  }

  /// The cell of a property that is about to be changed. Traps when a write is not permitted here and now. Nil when the
  /// property may never be changed; the write is then marked as failed.
  @usableFromInline
  final func cellForWriting(_ index: Int) -> Cell? {
    let isReady = unsafe session.unsafelyUnwrapped.with { session in
      if session.writing == nil || !session.isOnExecutor {
        session.checkWriting("Property '\(model.name).\(model.properties[index].name)' was changed", with: self)
      }
      return rowStamp == session.validity.present
    }
    if !isReady && !find() { Misuse.invalidated(self) }
    return unsafe binding.unsafelyUnwrapped.with { binding in
      if binding.primaryKey == index {
        refusePrimaryKey(index)
        return nil
      }
      return Cell(binding.table, key, binding.columns[index])
    }
  }

  private final func refusePrimaryKey(_ index: Int) {
    retainedSession?.fail(
      Realm.Error(
        .invalidValue,
        "Primary key property '\(model.name).\(model.properties[index].name)' cannot be changed after the object is "
          + "managed: create another object instead."))
  }
}
