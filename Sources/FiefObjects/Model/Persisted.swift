public import FiefRuntime

/// Declares a property that realms persist.
///
///     class Dog: Object {
///       @Persisted(primaryKey: true) var id: ObjectId
///       @Persisted var name = "Rex"
///       @Persisted(indexed: true) var city: String?
///       @Persisted var toy: Toy?
///       @Persisted var friends: List<Dog>
///       @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
///     }
///
/// While the object is unmanaged, the wrapper holds the value. Once the object is managed, the wrapper reads and writes
/// the row. A read of a managed number costs a few nanoseconds.
///
/// An enum has to conform to `PersistableEnum`, and another type of an application to `CustomPersistable`.
@propertyWrapper
public struct Persisted<Value: _Persistable> {
  // The owner comes first, so that code with the wrapper's address can set it without knowing `Value`. The tag comes
  // last, where it fits behind the odd byte of an optional number: `tagOffset` says where.

  /// The object that contains the wrapper; nil before that object's `init` has run, and when its class ignores the
  /// wrapper.
  @usableFromInline var owner: Borrowed<ObjectBase>?
  /// The unmanaged value; nil when it was never set, or the object is managed.
  @usableFromInline var storage: Value._Storage?
  @usableFromInline var tag: _WrapperTag

  @inlinable
  init(_ declaration: _Declaration, _ storage: Value._Storage?) {
    owner = nil
    self.storage = storage
    tag = _WrapperTag(declaration: declaration, isSet: storage != nil)
  }

  /// A property with the default of its type: 0, `false`, `""`, empty data, the present time, a new identifier, nil,
  /// the first case of an enum, or an empty collection.
  ///
  ///     @Persisted var age: Int
  ///     @Persisted var dogs: List<Dog>
  @inlinable
  public init() { self.init([], nil) }

  /// A property with the given default.
  ///
  ///     @Persisted var name = "Rex"
  @inlinable
  public init(wrappedValue: Value) { self.init([], Value._wrap(wrappedValue)) }

  /// The property's value.
  ///
  ///     let older = dog.age + 1
  ///     try realm.write { dog.age = older }
  ///
  /// Traps when the object is managed and was deleted or invalidated, or is used outside its thread, queue or actor.
  /// Setting it also traps outside a write transaction. Setting a primary key of a managed object, or a value that
  /// cannot be stored, fails the write. The setter changes the object rather than the wrapper, so it also traps on a
  /// wrapper that is no property of an object.
  ///
  /// - Complexity: O(1) to read; O(log n) to set, for each index of the property, and linear in the elements of a
  ///   collection.
  public var wrappedValue: Value {
    @inlinable get {
      if let owner, _fastPath(owner.with { $0.isManaged }) {
        return owner.with { Value._load($0, tag.number) }
      }
      return Self.unmanagedValue(storage, owner, tag)
    }
    // Were it mutating, each access of the application's property would be checked for exclusivity at run time: some 80
    // instructions a read. So it writes into the object's own wrapper through the object.
    @inlinable nonmutating set {
      guard let owner else { return Self.setIgnored(newValue, storage, tag) }
      owner.with { owner in
        if owner.isManaged { return Value._save(newValue, to: owner, tag.number) }
        let wrapper = unsafe Self.wrapper(at: owner.address + tag.offset)
        unsafe wrapper.pointee.tag.isSet = true
        unsafe Value._assign(newValue, to: &wrapper.pointee.storage, of: owner, tag.number)
      }
    }
  }
}

extension Persisted {
  /// The value of a property of an unmanaged object, or of an ignored one.
  ///
  /// Deliberately not inlined, so that a read of a managed object jumps over nothing.
  @inlinable
  @inline(never)
  static func unmanagedValue(
    _ storage: Value._Storage?, _ owner: Borrowed<ObjectBase>?, _ tag: _WrapperTag
  ) -> Value {
    guard let owner else {
      let storage = IgnoredWrappers.value(tag.ignoredNumber) as? Value._Storage ?? storage
      return storage.map(Value._unwrap) ?? Value._makeDefault()
    }
    return owner.with { owner in
      if let storage, !owner.flags.contains(.tracing) { return Value._unwrap(storage) }
      return owner.readUnset(Value.self, tag.number)
    }
  }

  /// Sets a property that its class ignores.
  @inlinable
  @inline(never)
  static func setIgnored(_ value: Value, _ storage: Value._Storage?, _ tag: _WrapperTag) {
    let number = tag.ignoredNumber
    var storage = IgnoredWrappers.value(number) as? Value._Storage ?? storage
    Value._assign(value, to: &storage, of: nil, 0)
    IgnoredWrappers.set(storage as Any, number)
  }

  /// The wrapper at an address.
  @inlinable
  @inline(__always)
  static func wrapper(at field: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Persisted> {
    unsafe field.assumingMemoryBound(to: Persisted.self)
  }
}

/// What a wrapper knows besides its owner and its value. Applications do not use it.
@frozen
public struct _WrapperTag {
  /// The index of the property in its class.
  @usableFromInline var index: UInt16
  /// The offset of the wrapper in its object, in words of eight bytes.
  @usableFromInline var word: UInt16
  @usableFromInline let declaration: _Declaration
  /// Whether the wrapper holds an unmanaged value; readable without knowing the value's type.
  @usableFromInline var isSet: Bool

  @inlinable
  init(declaration: _Declaration, isSet: Bool) {
    index = 0
    word = 0
    self.declaration = declaration
    self.isSet = isSet
  }

  /// The tag at an address.
  @inline(__always)
  static func at(_ address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<_WrapperTag> {
    unsafe address.assumingMemoryBound(to: _WrapperTag.self)
  }

  @inlinable
  var number: Int { Int(truncatingIfNeeded: index) }

  @inlinable
  var offset: Int { Int(truncatingIfNeeded: word) << 3 }

  /// The number of an ignored wrapper in `IgnoredWrappers`, in the bits of index and offset; 0 for a wrapper that is no
  /// property of an object.
  @usableFromInline
  var ignoredNumber: Int {
    get { Int(index) | Int(word) << 16 }
    set {
      index = UInt16(truncatingIfNeeded: newValue)
      word = UInt16(truncatingIfNeeded: newValue >> 16)
    }
  }
}
