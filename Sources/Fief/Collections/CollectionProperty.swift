import FiefCopying
public import FiefGraph
import FiefRuntime
import FiefSessions

/// The common protocol of `List`, `MutableSet` and `Map` as property types. Applications do not conform to it.
public protocol _CollectionProperty: CollectionBase, _Persistable where _Storage == Self {
  /// An unmanaged collection without elements.
  init()
  /// The managed collection of a property.
  init(_ location: _CollectionLocation)
  /// Replaces the elements by those of another collection.
  func _replaceElements(by other: Self)
  /// Replaces the elements by those of an untyped value; false when an element is of a wrong type.
  func _replaceElements(byAny value: Any?) -> Bool
  /// Reads a stored value as an element.
  static func _element(_ value: _StoredValue, _ context: _StoreContext) -> Any?
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _CollectionProperty {
  public static func _wrap(_ value: Self) -> Self { value }
  public static func _unwrap(_ storage: Self) -> Self { storage }
  public static func _makeDefault() -> Self { Self() }

  /// Copies the elements into the existing collection: an instance that a property has returned stays the property's
  /// collection.
  public static func _assign(
    _ value: Self, to storage: inout Self?, _ owner: ObjectBase?, _ index: Int
  ) {
    if let present = storage {
      if present !== value { present._replaceElements(by: value) }
    } else if value.location == nil && value.owner == nil && value.shown == nil {
      storage = value
    } else {
      let copy = Self()
      copy._replaceElements(by: value)
      storage = copy
    }
    if let owner { storage?.attach(owner, index) }
  }

  public static func _load(_ object: ObjectBase, _ index: Int) -> Self {
    let session = unsafe object.retainedSession.unsafelyUnwrapped
    object.locate(nil)
    let binding = unsafe object.binding.unsafelyUnwrapped.counted
    return Self(CollectionLocation(session, binding, object.key, index))
  }

  public static func _save(_ value: Self, _ object: ObjectBase, _ index: Int) {
    guard object.cellForWriting(index) != nil else { return }
    let present = _load(object, index)
    if let location = present.location, let other = value.location, location.isSame(as: other) { return }
    present._replaceElements(by: value)
  }

  public static func _trace(_ object: ObjectBase, _ index: Int) -> Self {
    object.notePath(index)
    let collection = Self()
    collection.isTracing = true
    return collection
  }

  public static func _fromStored(_ value: _StoredValue, _ context: _StoreContext) -> Self {
    fatalError("A collection cannot be an element of another.")
  }

  public static func _content(_ value: Self) -> _PropertyContent { .collection(value) }

  public static func _fromAny(_ value: Any) -> Self? {
    if let value = DynamicValue.cast(value, to: Self.self) { return value }
    let made = Self()
    return made._replaceElements(byAny: flattened(value)) ? made : nil
  }

  public static var _access: _FieldAccess {
    var access = _FieldAccess.general(self)
    unsafe access.carry = { field, copy in
      let values = unsafe _FieldAccess.wrapper(self, field).pointee.wrappedValue
      unsafe _FieldAccess.wrapper(self, copy).pointee.wrappedValue._replaceElements(by: values)
    }
    unsafe access.bind = { field, row, index in
      let wrapper = unsafe _FieldAccess.wrapper(self, field)
      unsafe wrapper.pointee.storage?.bind(row.location(index))
      unsafe wrapper.pointee.storage = nil
      unsafe wrapper.pointee.header.isSet = false
    }
    return access
  }
}

// A collection declared without a wrapper, as in `let dogs = List<Dog>()`: the field contains the collection itself.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _CollectionProperty {
  public static var isWrapper: Bool { false }
  public static var _fieldFacts: _TypeFacts { _facts }

  public static var _fieldAccess: _FieldAccess {
    // Sound because the address comes from the class's own layout, where a reference of exactly this type lies.
    func collection(_ field: UnsafeMutableRawPointer) -> Self {
      unsafe field.assumingMemoryBound(to: Self.self).pointee
    }
    func collection(of owner: ObjectBase, _ index: Int) -> Self {
      unsafe collection(owner.address + owner.layout.fields[index].offset)
    }
    return unsafe _FieldAccess(
      content: { field, _, _ in unsafe .collection(collection(field)) },
      fill: nil,
      bind: { field, row, index in unsafe collection(field).bind(row.location(index)) },
      attach: { field, owner, index in unsafe collection(field).attach(owner, index) },
      trace: { field, owner, index in
        unsafe collection(field).attach(owner, index)
        unsafe collection(field).isTracing = true
      },
      look: { unsafe .collection(collection($0)) },
      carry: { unsafe collection($1)._replaceElements(by: collection($0)) },
      get: { owner, index in collection(of: owner, index) },
      set: { owner, index, value in collection(of: owner, index)._replaceElements(byAny: value) })
  }
}

extension _TypeFacts {
  /// The facts of a collection with elements of a type.
  static func collection<Element: _Persistable>(of type: Element.Type, _ shape: ColumnShape) -> _TypeFacts {
    var facts = Element._facts
    facts.shape = shape
    facts.element = ElementReading(type)
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
