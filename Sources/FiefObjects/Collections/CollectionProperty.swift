import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions

/// The common protocol of `List`, `MutableSet` and `Map` as property types. Applications do not conform to it.
public protocol _CollectionProperty: CollectionBase, _Persistable, ThreadConfined, Hashable where _Storage == Self {
  /// An unmanaged collection without elements.
  init()
  /// The managed collection of a property.
  init(_ location: _CollectionLocation)
  /// The number of elements.
  var count: Int { get }
  /// Whether this and another unmanaged collection have equal elements.
  func _hasEqualElements(_ other: Self) -> Bool
  /// The type of an array of the elements, or of the entries.
  associatedtype _Elements
  /// The elements, or entries.
  var _elements: _Elements { get }
  /// The elements of an untyped value: any sequence, or dictionary; none for null. Nil when one is of a wrong type.
  static func _elements(of value: Any?) -> _Elements?
  /// Replaces the elements.
  func _replaceElements(with elements: _Elements)
}

extension _CollectionProperty {
  /// Whether both are the same managed collection (of one object and property, in one realm), or both are unmanaged and
  /// have equal elements: by `==`, strings by their bytes. The order counts in lists.
  ///
  ///     print(person.dogs == person.dogs, person.dogs == other.dogs)          // true false
  public static func == (a: Self, b: Self) -> Bool {
    a.isOne(with: b) ?? a._hasEqualElements(b)
  }

  /// Hashes the property's cell; for an unmanaged collection, the number of elements.
  public func hash(into hasher: inout Hasher) {
    if let location { location.hash(into: &hasher) } else { hasher.combine(count) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _CollectionProperty {
  public static func _makeDefault() -> Self {
    let made = Self()
    made.isUnclaimed = true
    return made
  }

  /// Replaces the elements by those of another collection. Does nothing when both are one managed collection.
  public func _replaceElements(by other: Self) {
    if location == nil || self != other { _replaceElements(with: other._elements) }
  }

  /// Replaces the elements by those of an untyped value.
  ///
  /// - Returns: false, without a change, when the value has no elements, or one is of a wrong type.
  public func _replaceElements(byAny value: Any?) -> Bool {
    if let other = value.flatMap({ DynamicValue.cast($0, to: Self.self) }) {
      _replaceElements(by: other)
      return true
    }
    guard let elements = Self._elements(of: value) else { return false }
    _replaceElements(with: elements)
    return true
  }

  /// Copies the elements: an instance that a property has returned stays the property's collection, and one that is
  /// assigned stays with whoever has it.
  public static func _assign(_ value: Self, to storage: inout Self?, of owner: ObjectBase?, _ index: Int) {
    if let present = storage {
      if present !== value { present._replaceElements(by: value) }
    } else if value.isUnclaimed {
      value.isUnclaimed = false
      storage = value
    } else {
      let copy = Self()
      copy._replaceElements(by: value)
      storage = copy
    }
    if let owner { storage?.attach(owner, index) }
  }

  public static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> Self? {
    let session = unsafe object.retainedSession.unsafelyUnwrapped
    object.locate(nil)
    let binding = unsafe object.binding.unsafelyUnwrapped.counted
    return Self(CollectionLocation(session, binding, row: object.key, number: index))
  }

  public static func _save(_ value: Self?, to object: ObjectBase, _ index: Int) {
    guard let value, object.cellForWriting(index) != nil else { return }
    let present = _load(object, index)
    if let location = present.location, let other = value.location, location.isSame(as: other) { return }
    present._replaceElements(by: value)
  }

  public static func _standIn() -> Self? {
    let collection = Self()
    collection.isTracing = true
    return collection
  }

  public static func _encode(_ value: Self) -> _PropertyContent { .collection(value) }

  public static func _fromAny(_ value: Any) -> Self? {
    if let value = DynamicValue.cast(value, to: Self.self) { return value }
    let made = _makeDefault()
    return made._replaceElements(byAny: flattened(value)) ? made : nil
  }
}

// A collection declared without a wrapper, as in `let dogs = List<Dog>()`: the field contains the collection itself.
extension _CollectionProperty {
  static var tagOffset: Int? { nil }

  static func value(at field: UnsafeMutableRawPointer) -> Self {
    unsafe field.assumingMemoryBound(to: Self.self).pointee
  }

  static func assign(_ value: Self, at field: UnsafeMutableRawPointer) {
    let present = unsafe self.value(at: field)
    if let location = present.location, let other = value.location, location.isSame(as: other) { return }
    if present !== value { present._replaceElements(by: value) }
  }

  static func bind(_ field: UnsafeMutableRawPointer, to row: RowBinding, _ index: Int) {
    unsafe value(at: field).bind(row.location(index))
  }

  static func attach(_ field: UnsafeMutableRawPointer, to owner: ObjectBase, _ index: Int) {
    let collection = unsafe value(at: field)
    collection.attach(owner, index)
    if owner.flags.contains(.tracing) { collection.isTracing = true }
  }
}

extension _TypeFacts {
  /// The facts of a collection with elements of a type.
  static func collection<Element: _Persistable>(of type: Element.Type, _ shape: ColumnShape) -> _TypeFacts {
    var facts = Element._facts
    facts.shape = shape
    facts.element = type
    if facts.isBacklinks {
      facts.problem = "cannot be a collection of LinkingObjects"
    } else if Element.self is any _CollectionProperty.Type {
      facts.problem = "cannot be a collection of collections: use AnyRealmValue for nesting"
    } else if facts.kind == .link {
      let wantsOptional = shape == .dictionary
      if facts.isOptional == wantsOptional || facts.isMapped {
        facts.problem = nil
      } else {
        facts.problem =
          wantsOptional
          ? "is a map of objects, whose values must be optional: declare it as 'Map<String, T?>'"
          : "is a list or set of objects, which cannot be optional: declare the elements without '?'"
      }
    }
    return facts
  }
}
