import FiefCopying
import FiefGraph
import FiefSessions
import Foundation

/// Access to a property without its static type. A class keeps the metatype for each of its properties; what is needed
/// of the property comes with each call.
///
/// `AnyPersistedField` has it for properties with a field, through the typed reads and writes of `_Persistable`.
/// Properties of dynamic objects have no field.
package protocol PropertyAccess: SendableMetatype {
  /// Reads a property as it would be stored. Linked objects are returned without being read. An unset property of an
  /// unmanaged object gets its default.
  static func content(of property: ModelProperty, in object: ObjectBase) -> _PropertyContent
  /// Reads a property with its declared type; nil for null.
  static func value(of property: ModelProperty, in object: ObjectBase) -> Any?
  /// Reads a property as code that reads by name sees it: see `_plain`. Nil for null.
  static func plainValue(of property: ModelProperty, in object: ObjectBase) -> Any?
  /// Assigns an untyped value; false when its type is wrong.
  static func set(_ value: Any?, to property: ModelProperty, in object: ObjectBase) -> Bool
  /// Converts an untyped value; nil when its type is wrong.
  static func content(of value: Any, for facts: _TypeFacts) -> _PropertyContent?
  /// Copies a value, or a collection of values, that contains no links, from any object to an unmanaged object of the
  /// same class.
  static func copy(_ property: ModelProperty, from object: ObjectBase, to copy: ObjectBase)
}

extension ModelProperty {
  /// Whether reading an unmanaged value runs application code: the conversions of custom types, and the raw values of
  /// enums.
  package var isForeign: Bool { facts.isConverted && facts.shape == .single }

  /// Reads the property of a managed or unmanaged object as it would be stored.
  package func content(in object: ObjectBase) -> _PropertyContent { access.content(of: self, in: object) }

  /// Reads the property of a managed or unmanaged object with its declared type; nil for null.
  package func value(in object: ObjectBase) -> Any? { access.value(of: self, in: object) }

  /// Reads the property of a managed or unmanaged object as code that reads by name sees it; nil for null.
  func plainValue(in object: ObjectBase) -> Any? { access.plainValue(of: self, in: object) }

  /// Assigns an untyped value to the property of a managed or unmanaged object; false when its type is wrong.
  func set(_ value: Any?, in object: ObjectBase) -> Bool { access.set(value, to: self, in: object) }

  /// As `set(_:in:)`, of an unmanaged object. A store would hold what an optional custom type has no value for. It
  /// reads as nil there, so an unmanaged object holds that.
  func hold(_ value: Any?, in object: ObjectBase) -> Bool {
    if set(value, in: object) { return true }
    guard facts.shape == .single, facts.isConverted, let value, content(of: value) != nil else { return false }
    return set(nil, in: object)
  }

  /// An element as the collection of an unmanaged object holds it; see `hold`.
  func heldElement(_ value: Any) -> Any {
    guard facts.isConverted, !facts.isEnumeration, let element = facts.element, element._fromAny(value) == nil,
      element._encodeAny(value) != nil
    else { return value }
    return NSNull()
  }

  /// Converts an untyped value, or an element of a collection; nil when its type is wrong.
  func content(of value: Any) -> _PropertyContent? {
    if let element = facts.element { return element._encodeAny(value) }
    return access.content(of: value, for: facts)
  }

  /// The stored form of an untyped value; nil when its type is wrong, and for links and collections.
  package func stored(_ value: Any) -> StoredValue? { access.content(of: value, for: facts)?.stored }

  func address(in object: ObjectBase) -> UnsafeMutableRawPointer {
    assert(offset >= 0, "A property of a dynamic object has no field.")
    return unsafe object.address + offset
  }

  /// Whether the property of an unmanaged object was never assigned a value, so that it has the default of its type.
  package func isUnset(in object: ObjectBase) -> Bool {
    tag.map { unsafe !_WrapperTag.at(object.address + $0).pointee.isSet } ?? false
  }
}

/// A stored property that realms persist: the wrapper, or an older property object.
///
/// The addresses are those of a field of the type: they come from the class's own layout.
protocol AnyPersistedField: PropertyAccess {
  associatedtype Content: _Persistable

  /// Where the tag is in a wrapper; nil for a field that is none.
  static var tagOffset: Int? { get }
  /// The value of the field of a managed or unmanaged object.
  static func value(at field: UnsafeMutableRawPointer) -> Content
  /// Assigns to the field of a managed or unmanaged object.
  static func assign(_ value: Content, at field: UnsafeMutableRawPointer)
  /// Releases the unmanaged value when the object becomes managed. Collections are bound to the row instead.
  static func bind(_ field: UnsafeMutableRawPointer, to row: RowBinding, _ index: Int)
  /// Gives an older property object its owner and index. A tracing owner makes it record reads.
  static func attach(_ field: UnsafeMutableRawPointer, to owner: ObjectBase, _ index: Int)
  /// Gives an ignored wrapper its number, and the default of its type when it has no value yet.
  static func storeDefault(in field: UnsafeMutableRawPointer, ignoredNumber: Int)
}

extension AnyPersistedField {
  static var facts: _TypeFacts { Content._facts }
  static var isWrapper: Bool { tagOffset != nil }
  static func storeDefault(in field: UnsafeMutableRawPointer, ignoredNumber: Int) {}

  package static func content(of property: ModelProperty, in object: ObjectBase) -> _PropertyContent {
    unsafe content(at: property.address(in: object))
  }

  /// The value of a field as it would be stored.
  static func content(at field: UnsafeMutableRawPointer) -> _PropertyContent {
    unsafe Content._encode(value(at: field))
  }

  package static func value(of property: ModelProperty, in object: ObjectBase) -> Any? {
    unsafe flattened(value(at: property.address(in: object)))
  }

  package static func plainValue(of property: ModelProperty, in object: ObjectBase) -> Any? {
    unsafe Content._plain(value(at: property.address(in: object)))
  }

  package static func set(_ value: Any?, to property: ModelProperty, in object: ObjectBase) -> Bool {
    // An optional in an `Any` would take the slow way of all foreign values.
    guard let value = Content._fromAny(value ?? (value as Any)) else { return false }
    unsafe assign(value, at: property.address(in: object))
    return true
  }

  package static func content(of value: Any, for facts: _TypeFacts) -> _PropertyContent? { Content._encodeAny(value) }

  /// The origin that linking objects in a field declare; nil when they declare none.
  static func origin(at field: UnsafeMutableRawPointer) -> String? {
    let origin = unsafe (value(at: field) as? any LinkingObjectsProtocol)?._origin
    return origin == "" ? nil : origin
  }
}

extension Persisted: AnyPersistedField {
  /// The tag is the last of the stored properties, so the wrapper ends where it ends.
  static var tagOffset: Int? { MemoryLayout<Persisted>.size - MemoryLayout<_WrapperTag>.size }

  static func value(at field: UnsafeMutableRawPointer) -> Value { unsafe wrapper(at: field).pointee.wrappedValue }

  static func assign(_ value: Value, at field: UnsafeMutableRawPointer) {
    unsafe wrapper(at: field).pointee.wrappedValue = value
  }

  /// The value of the wrapper of an unmanaged object. An unset wrapper gets its default, which stays in the wrapper.
  @inline(__always)
  static func unmanaged(at field: UnsafeMutableRawPointer) -> Value {
    let wrapper = unsafe wrapper(at: field)
    if let storage = unsafe wrapper.pointee.storage { return Value._unwrap(storage) }
    let made = Value._makeDefault()
    unsafe wrapper.pointee.tag.isSet = true
    unsafe Value._assign(
      made, to: &wrapper.pointee.storage, of: wrapper.pointee.owner?.counted, wrapper.pointee.tag.number)
    return unsafe wrapper.pointee.storage.map(Value._unwrap) ?? made
  }

  // The object writes owner and tag itself.
  static func attach(_ field: UnsafeMutableRawPointer, to owner: ObjectBase, _ index: Int) {}

  /// Stores the default now: an ignored wrapper has no owner, so its getter would make a new default at every read.
  static func storeDefault(in field: UnsafeMutableRawPointer, ignoredNumber: Int) {
    let wrapper = unsafe wrapper(at: field)
    unsafe wrapper.pointee.tag.ignoredNumber = ignoredNumber
    if unsafe wrapper.pointee.storage == nil {
      unsafe Value._assign(Value._makeDefault(), to: &wrapper.pointee.storage, of: nil, 0)
    }
  }
}

/// The row to which an object is being bound.
struct RowBinding {
  let session: Session
  let binding: ClassBinding
  let key: ObjectKey
}

/// The value in an `Any` as code that reads by name sees it, without the optionals around it: see `_plain`. Nil for
/// null.
package func plain(_ value: Any) -> Any? {
  func open<Value: _Persistable>(_ value: Value) -> Any? { Value._plain(value) }
  guard let inner = flattened(value) else { return nil }
  guard let inner = inner as? any _Persistable else { return inner }
  return open(inner)
}
