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
  // The header comes first, so that code with the wrapper's address can set it without knowing `Value`.
  @usableFromInline var header: _WrapperHeader
  /// The unmanaged value; nil when it was never set, or the object is managed.
  @usableFromInline var storage: Value._Storage?

  @inlinable
  init(_ declaration: _Declaration, _ storage: Value._Storage?) {
    header = _WrapperHeader(declaration: declaration, isSet: storage != nil)
    self.storage = storage
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
      if let owner = header.owner, _fastPath(owner.with { $0.isManaged }) {
        return owner.with { Value._load($0, header.number) }
      }
      return Self.unmanagedValue(storage, header)
    }
    // Were it mutating, each access of the application's property would be checked for exclusivity at run time: some 80
    // instructions a read. So it writes into the object's own wrapper through the object.
    @inlinable nonmutating set {
      guard let owner = header.owner else { return Self.setIgnored(newValue, storage, header) }
      owner.with { owner in
        if owner.isManaged { return Value._save(newValue, to: owner, header.number) }
        let wrapper = unsafe Self.wrapper(at: owner.address + header.offset)
        unsafe wrapper.pointee.header.isSet = true
        unsafe Value._assign(newValue, to: &wrapper.pointee.storage, of: owner, header.number)
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
  static func unmanagedValue(_ storage: Value._Storage?, _ header: _WrapperHeader) -> Value {
    guard let owner = header.owner else {
      let storage = IgnoredWrappers.value(header.ignoredNumber) as? Value._Storage ?? storage
      return storage.map(Value._unwrap) ?? Value._makeDefault()
    }
    return owner.with { owner in
      if let storage, !owner.flags.contains(.tracing) { return Value._unwrap(storage) }
      return owner.readUnset(Value.self, header.number)
    }
  }

  /// Sets a property that its class ignores.
  @inlinable
  @inline(never)
  static func setIgnored(_ value: Value, _ storage: Value._Storage?, _ header: _WrapperHeader) {
    let number = header.ignoredNumber
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

/// The header at the start of every wrapper. Applications do not use it.
@frozen
public struct _WrapperHeader {
  /// The object that contains the wrapper; nil before that object's `init` has run.
  @usableFromInline var owner: Borrowed<ObjectBase>?
  /// The index of the property in its class.
  @usableFromInline var index: UInt32
  /// The offset of the wrapper in its object, in words of eight bytes.
  @usableFromInline var word: UInt16
  @usableFromInline let declaration: _Declaration
  /// Whether the wrapper holds an unmanaged value; readable without knowing the value's type.
  @usableFromInline var isSet: Bool

  @usableFromInline
  init(declaration: _Declaration, isSet: Bool) {
    owner = nil
    index = 0
    word = 0
    self.declaration = declaration
    self.isSet = isSet
  }

  /// Whether the wrapper at an address holds an unmanaged value.
  static func isSet(at field: UnsafeMutableRawPointer) -> Bool {
    unsafe field.assumingMemoryBound(to: _WrapperHeader.self).pointee.isSet
  }

  /// The options of the declaration of the wrapper at an address.
  static func declaration(at field: UnsafeMutableRawPointer) -> _Declaration {
    unsafe field.assumingMemoryBound(to: _WrapperHeader.self).pointee.declaration
  }

  @inlinable
  var number: Int { Int(truncatingIfNeeded: index) }

  @inlinable
  var offset: Int { Int(truncatingIfNeeded: word) << 3 }

  /// The number of an ignored wrapper in `IgnoredWrappers`, in the bits of index and offset; 0 for a wrapper that is no
  /// property of an object.
  @usableFromInline
  var ignoredNumber: Int {
    get { Int(index) | Int(word) << 32 }
    set {
      index = UInt32(truncatingIfNeeded: newValue)
      word = UInt16(truncatingIfNeeded: newValue >> 32)
    }
  }

  /// Makes the wrapper one of an object's.
  @inline(__always)
  mutating func attach(to owner: Borrowed<ObjectBase>, index: Int, offset: Int) {
    self.owner = owner
    self.index = UInt32(truncatingIfNeeded: index)
    word = UInt16(truncatingIfNeeded: offset >> 3)
  }
}
