public import FiefGraph
public import FiefSessions

/// A value in the form in which the kernel stores it.
public typealias _StoredValue = FiefGraph.Value
typealias StoredValue = FiefGraph.Value

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
/// The requirements form two groups. The wrapper calls typed reads and writes directly; code without static types uses
/// `_access`.
public protocol _Persistable: _RealmSchemaDiscoverable, _HasPersistedType, _ObjcBridgeable {
  /// The type in which an unmanaged object holds a value.
  associatedtype _Storage = Self

  /// The facts that the schema needs.
  static var _facts: _TypeFacts { get }
  /// Untyped access to a property of this type.
  static var _access: _FieldAccess { get }

  /// Makes the storage of a value.
  static func _wrap(_ value: Self) -> _Storage
  /// Reads the value out of a storage.
  static func _unwrap(_ storage: _Storage) -> Self
  /// The value of a property that was never assigned one.
  static func _makeDefault() -> Self

  /// Assigns to an unmanaged property.
  static func _assign(
    _ value: Self, to storage: inout _Storage?, _ owner: ObjectBase?, _ index: Int)
  /// Reads the property of a managed object.
  static func _load(_ object: ObjectBase, _ index: Int) -> Self
  /// Writes the property of a managed object. Traps outside a write; a bad value fails the write.
  static func _save(_ value: Self, _ object: ObjectBase, _ index: Int)
  /// Reads the property of a tracing object: records its name and returns a stand-in.
  static func _trace(_ object: ObjectBase, _ index: Int) -> Self

  /// Converts a stored value, such as an element of a collection or a property read by name.
  static func _fromStored(_ value: _StoredValue, _ context: _StoreContext) -> Self
  /// The stored form of a value, or the object or collection to add for it.
  static func _content(_ value: Self) -> _PropertyContent
  /// Converts an untyped value; nil when its type is wrong or it is out of range.
  static func _fromAny(_ value: Any) -> Self?
  /// The value as code that reads by property name sees it: the stored value of an enum or a custom type, the content
  /// of an any-value; nil for null.
  static func _plain(_ value: Self) -> Any?
}

extension _Persistable {
  /// The value unchanged, which is right for most types.
  public static func _plain(_ value: Self) -> Any? { value }
}

/// A type that may be optional in a declaration.
public protocol _PersistableInsideOptional: _Persistable {
  /// The type in which an unmanaged object holds an optional value.
  associatedtype _OptionalStorage = Self?

  /// Makes the storage of an optional value.
  static func _wrapOptional(_ value: Self?) -> _OptionalStorage
  /// Reads the optional value out of a storage.
  static func _unwrapOptional(_ storage: _OptionalStorage) -> Self?
  /// `_load` for an optional property.
  static func _loadOptional(_ object: ObjectBase, _ index: Int) -> Self?
  /// `_save` for an optional property.
  static func _saveOptional(_ value: Self?, _ object: ObjectBase, _ index: Int)
  /// `_trace` for an optional property.
  static func _traceOptional(_ object: ObjectBase, _ index: Int) -> Self?
  /// `_fromStored` for an optional property: nil for null and for values that cannot be read.
  static func _fromStoredOptional(_ value: _StoredValue, _ context: _StoreContext) -> Self?
  /// `_fromAny` for an optional property and a value that is not null. Returns an inner nil for a value that can be
  /// stored but reads as nil.
  static func _fromAnyInsideOptional(_ value: Any) -> Self??
  /// `_facts` for an optional property.
  static var _optionalFacts: _TypeFacts { get }
  /// `_access` for an optional property.
  static var _optionalAccess: _FieldAccess { get }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _PersistableInsideOptional {
  public static func _fromAnyInsideOptional(_ value: Any) -> Self?? { _fromAny(value).map { .some($0) } }
}

/// A type whose properties hold links: objects and collections of them.
public protocol _LinkHolding {}

/// The facts about a property's type that a schema needs.
public struct _TypeFacts: Sendable {
  var kind: ValueKind
  var shape: ColumnShape = .single
  var isOptional = false
  var width: IntegerWidth = .bits64
  /// The type of integers that are read by name: the declared one, or `Int` for a dynamic class.
  var integer: any (FixedWidthInteger & Sendable).Type = Int.self
  /// The class that links point at.
  var target: ObjectBase.Type?
  /// The stored name of that class, where it differs from the class's own name.
  var targetName: String?
  /// Whether it is a link of a dynamic class to an embedded one.
  var embedsDynamically = false
  /// Whether it is a custom type that is mapped to an embedded class. Null then reads as the default, so the property
  /// need not be optional.
  var isMapped = false
  /// Whether it is an enum, which has a value also without a declared default: the first case.
  var isEnumeration = false
  /// Whether the property has no column of its own and shows the other end of one.
  var isBacklinks = false
  /// Why values of the type cannot be persisted; nil when they can.
  var problem: String?
  /// Converts untyped values to elements, for collections.
  var element: ElementReading?

  init(_ kind: ValueKind, target: ObjectBase.Type? = nil) {
    self.kind = kind
    self.target = target
  }
}

/// Converts an untyped value to an element of a collection.
struct ElementReading: @unchecked Sendable {
  // The closure captures nothing but a metatype.
  let take: (Any) -> _PropertyContent?

  init<Element: _Persistable>(_ type: Element.Type) {
    take = { Element._fromAny($0).map(Element._content) }
  }
}

/// The context for reading stored values: the session that makes accessors for links.
@frozen
public struct _StoreContext {
  @usableFromInline let session: Session
  /// The class that links are expected to point at; nil when it is unknown.
  @usableFromInline let target: ClassBinding?

  @usableFromInline
  init(_ session: Session, target: ClassBinding? = nil) {
    self.session = session
    self.target = target
  }
}

/// The elements of a list or a dictionary inside an any-value, as they were when it was read.
public protocol _NestedContents: AnyObject {
  /// The number of elements.
  var count: Int { get }
  /// Whether it is a list.
  var isList: Bool { get }
  /// The contents as an any-value.
  var shown: Any { get }
}

/// A value on its way into a store, or an object that must be added first.
public enum _PropertyContent {
  /// A value; links in it belong to the target store.
  case value(_StoredValue)
  /// A link to an object, managed or not.
  case object(ObjectBase)
  /// The contents of a list, set or map.
  case collection(AnyObject)
  /// A list or a dictionary inside an any-value: its elements as they are now.
  case nested(any _NestedContents)
}

/// Untyped access to one property of an instance, by the address of its wrapper (or of the older property object).
///
/// `get`, `getPlain`, `set`, `look` and `carry` also work on managed objects. The other members that take a field
/// expect an unmanaged object.
@safe  // Every address is that of a field of the type; `ModelProperty` takes it from the class's own layout.
public struct _FieldAccess: @unchecked Sendable {
  /// Reads the value in the wrapper. An unset property gets its default, which stays in the wrapper.
  var content: (_ field: UnsafeMutableRawPointer, _ owner: ObjectBase, _ index: Int) -> _PropertyContent
  /// Writes the value directly into a new row; nil when the type needs more than a plain write.
  var fill: ((_ field: UnsafeMutableRawPointer, NewRow, ColumnKey) throws -> Void)?
  /// Whether reading an unmanaged value runs application code: the conversions of custom types, and the raw values of
  /// enums.
  var isForeign = false
  /// Releases the unmanaged value when the object becomes managed. Collections are bound to the row instead.
  var bind: (_ field: UnsafeMutableRawPointer, _ row: RowBinding, _ index: Int) -> Void
  /// Gives an older property object its owner and index.
  var attach: (_ field: UnsafeMutableRawPointer, _ owner: ObjectBase, _ index: Int) -> Void = { _, _, _ in }
  /// Makes an older property object record reads, since its owner has begun to trace.
  var trace: (_ field: UnsafeMutableRawPointer, _ owner: ObjectBase, _ index: Int) -> Void = { _, _, _ in }
  /// The options of the declaration.
  var declaration: (_ field: UnsafeMutableRawPointer) -> _Declaration = { _ in [] }
  /// The origin property of linking objects.
  var origin: (_ field: UnsafeMutableRawPointer) -> String? = { _ in nil }
  /// Reads a property of a managed or unmanaged object. Linked objects are returned without being read.
  var look: (_ field: UnsafeMutableRawPointer) -> _PropertyContent = { _ in .value(.null) }
  /// Copies a value, or a collection of values, that contains no links, from any object to an unmanaged object of the
  /// same class.
  var carry: (_ field: UnsafeMutableRawPointer, _ copy: UnsafeMutableRawPointer) -> Void = { _, _ in }
  /// The stored form of an untyped value; nil when its type is wrong. Links and collections have no stored form.
  var convert: (_ value: Any) -> _StoredValue? = { _ in nil }
  /// Converts an untyped value to content; nil when its type is wrong.
  var take: (_ value: Any) -> _PropertyContent? = { _ in nil }
  /// Whether the property was never assigned a value, so that it has the default of its type.
  var isUnset: (_ field: UnsafeMutableRawPointer) -> Bool = { _ in false }
  /// Reads the value with its declared type; nil for null.
  var get: (_ owner: ObjectBase, _ index: Int) -> Any?
  /// Reads the value as code that reads by name sees it, where that differs from `get`: see `_plain`.
  var getPlain: ((_ owner: ObjectBase, _ index: Int) -> Any?)?
  /// Assigns an untyped value to the property, managed or not; false when its type is wrong.
  var set: (_ owner: ObjectBase, _ index: Int, _ value: Any?) -> Bool

  /// Reads the value as code that reads by name sees it; nil for null.
  func plain(_ owner: ObjectBase, _ index: Int) -> Any? {
    if let getPlain { return getPlain(owner, index) }
    return get(owner, index)
  }
}

/// A stored property that realms persist: the wrapper, or an older property object.
public protocol AnyPersistedField {
  /// Whether the field is a wrapper, whose storage begins with a header.
  static var isWrapper: Bool { get }
  /// The facts that the schema needs.
  static var _fieldFacts: _TypeFacts { get }
  /// Untyped access to the field.
  static var _fieldAccess: _FieldAccess { get }
  /// Gives an ignored field at an address the default of its type, when it has no value yet.
  static func _settle(_ field: UnsafeMutableRawPointer)
}

extension AnyPersistedField {
  /// Does nothing: an older property object always has a value.
  public static func _settle(_ field: UnsafeMutableRawPointer) {}
}

/// The row to which an object is being bound.
struct RowBinding {
  let session: Session
  let binding: ClassBinding
  let key: ObjectKey
}

extension Persisted: AnyPersistedField {
  /// True: the field is a wrapper.
  public static var isWrapper: Bool { true }
  /// The facts of the property's type.
  public static var _fieldFacts: _TypeFacts { Value._facts }
  /// The access of the property's type.
  public static var _fieldAccess: _FieldAccess { Value._access }
  /// Stores the default now: an ignored wrapper has no owner, so its getter would make a new default at every read.
  public static func _settle(_ field: UnsafeMutableRawPointer) {
    let wrapper = unsafe field.assumingMemoryBound(to: Self.self)
    if unsafe wrapper.pointee.storage == nil { unsafe wrapper.pointee.wrappedValue = Value._makeDefault() }
  }
}
