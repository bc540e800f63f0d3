public import FiefGraph

/// A value as the kernel keeps it.
public typealias _StoredValue = FiefGraph.Value
typealias StoredValue = FiefGraph.Value

/// A type that a schema can name. Applications do not conform to it.
public protocol _RealmSchemaDiscoverable {}

/// A type with a stored form. Applications do not conform to it; `CustomPersistable` does so for them.
public protocol _HasPersistedType {
  /// The type that stands for this one in stores: of an enum its raw value's, of a custom type the one it is mapped to.
  associatedtype PersistedType
}

/// A type that `@Persisted` can declare. Applications do not conform to it themselves: `PersistableEnum`,
/// `CustomPersistable` and the model classes do.
///
/// The requirements are of two sorts: typed reading and writing, which the wrapper calls straight away, and `_access`,
/// which gives code that knows no types a way to the same.
public protocol _Persistable: _RealmSchemaDiscoverable, _HasPersistedType, _ObjcBridgeable {
  /// How an unmanaged object holds a value.
  associatedtype _Storage = Self

  /// What the schema has to know.
  static var _facts: _TypeFacts { get }
  /// The untyped way in.
  static var _access: _FieldAccess { get }

  /// The storage of a value.
  static func _wrap(_ value: Self) -> _Storage
  /// The value in a storage.
  static func _unwrap(_ storage: _Storage) -> Self
  /// The value of a property that was given none.
  static func _makeDefault() -> Self

  /// Assigns to an unmanaged property.
  static func _assign(
    _ value: Self, to storage: inout _Storage?, _ owner: Unmanaged<ObjectBase>?, _ index: Int)
  /// Keeps what a managed object, or one that traces, reads at that property.
  static func _load(_ object: ObjectBase, _ index: Int) -> Self
  /// Writes the property of a managed object. Traps outside a write; a bad value fails the write.
  static func _save(_ value: Self, _ object: ObjectBase, _ index: Int)
  /// What a tracing object reads; `path` is told what was passed.
  static func _trace(_ object: ObjectBase, _ index: Int) -> Self

  /// The value of a stored one, as an element of a collection or seen through a name.
  static func _fromStored(_ value: _StoredValue, _ context: _StoreContext) -> Self
  /// What is to be stored for a value.
  static func _content(_ value: Self) -> _Content
  /// The value that something untyped stands for; nil when it is of a wrong type or out of range.
  static func _fromAny(_ value: Any) -> Self?
  /// The value as it is seen by a property's name: what is stored for an enum or a custom type, what an any-value
  /// holds; nil for null.
  static func _plain(_ value: Self) -> Any?
}

extension _Persistable {
  /// The value itself: most types are seen by name as they are.
  public static func _plain(_ value: Self) -> Any? { value }
}

/// A type that may be optional in a declaration.
public protocol _PersistableInsideOptional: _Persistable {
  /// How an unmanaged object holds an optional one.
  associatedtype _OptionalStorage = Self?

  /// The storage of an optional value.
  static func _wrapOptional(_ value: Self?) -> _OptionalStorage
  /// The optional value in a storage.
  static func _unwrapOptional(_ storage: _OptionalStorage) -> Self?
  /// `_load`, of an optional property.
  static func _loadOptional(_ object: ObjectBase, _ index: Int) -> Self?
  /// `_save`, of an optional property.
  static func _saveOptional(_ value: Self?, _ object: ObjectBase, _ index: Int)
  /// `_trace`, of an optional property.
  static func _traceOptional(_ object: ObjectBase, _ index: Int) -> Self?
  /// `_fromStored`, where null or what cannot be read is nil.
  static func _fromStoredOptional(_ value: _StoredValue, _ context: _StoreContext) -> Self?
  /// `_fromAny`, of an optional property and something that is not null: nil inside for what reads as nil when it is
  /// stored.
  static func _fromAnyInsideOptional(_ value: Any) -> Self??
  /// `_facts`, of an optional property.
  static var _optionalFacts: _TypeFacts { get }
  /// `_access`, of an optional property.
  static var _optionalAccess: _FieldAccess { get }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _PersistableInsideOptional {
  public static func _fromAnyInsideOptional(_ value: Any) -> Self?? { _fromAny(value).map { .some($0) } }
}

/// A type whose properties hold links: objects and collections of them.
public protocol _LinkHolding {}

/// What a schema has to know of a property's type.
public struct _TypeFacts: Sendable {
  var kind: ValueKind
  var shape: ColumnShape = .single
  var isOptional = false
  var width: IntegerWidth = .bits64
  /// The class that links point at.
  var target: ObjectBase.Type?
  /// The stored name of that class, where it is not the class's own.
  var targetName: String?
  /// Whether it is a custom type that is mapped to an embedded class: then null is its default, and it need not be
  /// optional.
  var isMapped = false
  /// Whether this is no column but the other end of one.
  var isBacklinks = false
  /// Why the type cannot be kept; nil when it can.
  var problem: String?
  /// How something untyped becomes an element, of collections.
  var element: ElementReading?

  init(_ kind: ValueKind, target: ObjectBase.Type? = nil) {
    self.kind = kind
    self.target = target
  }
}

/// How something untyped becomes an element of a collection.
struct ElementReading: @unchecked Sendable {
  // A metatype is all that is captured.
  let take: (Any) -> _Content?

  init<Element: _Persistable>(_ type: Element.Type) {
    take = { Element._fromAny($0).map(Element._content) }
  }
}

/// What stored values are read with: a session, for the objects that links become.
@frozen
public struct _StoreContext {
  @usableFromInline let session: Session
  /// The class that links are expected to point at, when one is.
  @usableFromInline let target: ClassBinding?

  @usableFromInline
  init(_ session: Session, target: ClassBinding? = nil) {
    self.session = session
    self.target = target
  }
}

/// A value on its way into a store, or an object that has to be brought there first.
public enum _Content {
  /// A value; links in it are of the store that it goes to.
  case value(_StoredValue)
  /// A link to an object, managed or not.
  case object(ObjectBase)
  /// The contents of a list, set or map.
  case collection(AnyObject)
  /// A list inside an any-value.
  case nestedList([AnyRealmValue])
  /// A dictionary inside an any-value.
  case nestedDictionary([(String, AnyRealmValue)])
}

/// Untyped access to one property of an instance, by the address of its wrapper (or of the older property object).
///
/// All but `get`, `set`, `look` and `carry` are for unmanaged objects.
public struct _FieldAccess: @unchecked Sendable {
  /// The value in the wrapper; a default is made and kept when there is none yet.
  var content: (_ field: UnsafeMutableRawPointer, _ owner: ObjectBase, _ index: Int) -> _Content
  /// Puts the value straight into a new row; nil when the type needs more than that.
  var fill: ((_ field: UnsafeMutableRawPointer, NewRow, ColumnKey) throws -> Void)?
  /// Whether reading an unmanaged value runs code of the application: the conversions of custom types.
  var isForeign = false
  /// Lets go of the unmanaged value, when the object has become managed. Collections are bound instead.
  var bind: (_ field: UnsafeMutableRawPointer, _ row: RowBinding, _ index: Int) -> Void
  /// Tells an older property object whose it is.
  var attach: (_ field: UnsafeMutableRawPointer, _ owner: ObjectBase, _ index: Int) -> Void = { _, _, _ in }
  /// Makes an older property object note that it is read: its owner has begun to trace.
  var trace: (_ field: UnsafeMutableRawPointer, _ owner: ObjectBase, _ index: Int) -> Void = { _, _, _ in }
  /// What the declaration says.
  var declaration: (_ field: UnsafeMutableRawPointer) -> Declaration = { _ in [] }
  /// The origin property, of linking objects.
  var origin: (_ field: UnsafeMutableRawPointer) -> String? = { _ in nil }
  /// The value of a property, of managed objects too; what it links to is named, not read.
  var look: (_ field: UnsafeMutableRawPointer) -> _Content = { _ in .value(.null) }
  /// Copies a value, or a collection of such, that links to nothing: from any object to an unmanaged one of the same
  /// class.
  var carry: (_ field: UnsafeMutableRawPointer, _ copy: UnsafeMutableRawPointer) -> Void = { _, _ in }
  /// The stored form of something untyped; nil when it is of a wrong type. Links and collections have none.
  var convert: (_ value: Any) -> _StoredValue? = { _ in nil }
  /// What something untyped stands for; nil when it is of a wrong type.
  var take: (_ value: Any) -> _Content? = { _ in nil }
  /// Whether the property was given no value yet, so that it has the default of its type.
  var isUnset: (_ field: UnsafeMutableRawPointer) -> Bool = { _ in false }
  /// The value as the application declares it; nil for null.
  var get: (_ owner: ObjectBase, _ index: Int) -> Any?
  /// The value as it is seen by name, where that is another one: see `_plain`.
  var getPlain: ((_ owner: ObjectBase, _ index: Int) -> Any?)?
  /// Assigns something untyped to the property, managed or not; false when it is of a wrong type.
  var set: (_ owner: ObjectBase, _ index: Int, _ value: Any?) -> Bool

  /// The value of a property as it is seen by name; nil for null.
  func plain(_ owner: ObjectBase, _ index: Int) -> Any? {
    if let getPlain { return getPlain(owner, index) }
    return get(owner, index)
  }
}

/// A stored property that is kept: the wrapper, or an older property object.
public protocol AnyPersistedField {
  /// Whether it is a wrapper, whose storage begins with a header.
  static var isWrapper: Bool { get }
  /// What the schema has to know.
  static var _fieldFacts: _TypeFacts { get }
  /// The untyped way in.
  static var _fieldAccess: _FieldAccess { get }
  /// Gives the field at an address, which no store keeps, the default of its type when it has no value.
  static func _settle(_ field: UnsafeMutableRawPointer)
}

extension AnyPersistedField {
  /// Nothing: an object is its own value.
  public static func _settle(_ field: UnsafeMutableRawPointer) {}
}

/// The row that an object is being bound to.
struct RowBinding {
  let session: Session
  let binding: ClassBinding
  let key: ObjectKey

  /// The place of a collection property.
  func place(_ index: Int) -> CollectionPlace { CollectionPlace(session, binding, key, index) }
}

extension Persisted: AnyPersistedField {
  /// True.
  public static var isWrapper: Bool { true }
  /// Those of the type.
  public static var _fieldFacts: _TypeFacts { Value._facts }
  /// That of the type.
  public static var _fieldAccess: _FieldAccess { Value._access }
  /// Keeps the default from the start, as nobody does when it is read.
  public static func _settle(_ field: UnsafeMutableRawPointer) {
    let wrapper = field.assumingMemoryBound(to: Self.self)
    if wrapper.pointee.storage == nil { wrapper.pointee.wrappedValue = Value._makeDefault() }
  }
}
