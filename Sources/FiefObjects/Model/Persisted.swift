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
  /// cannot be stored, fails the write.
  ///
  /// - Complexity: O(1) to read; O(log n) to set, for each index of the property, and linear in the elements of a
  ///   collection.
  public var wrappedValue: Value {
    @inlinable get {
      if let owner = header.owner, _fastPath(owner.with { $0.isManaged }) {
        return owner.with { Value._load($0, header.number) }
      }
      return Self.unmanagedValue(storage, header.owner, number: header.number)
    }
    @inlinable set {
      let number = header.number
      guard let owner = header.owner else {
        header.isSet = true
        return Value._assign(newValue, to: &storage, of: nil, number)
      }
      owner.with { owner in
        if owner.isManaged { return Value._save(newValue, to: owner, number) }
        header.isSet = true
        Value._assign(newValue, to: &storage, of: owner, number)
      }
    }
  }
}

extension Persisted {
  /// The value of a property of an unmanaged object.
  ///
  /// Deliberately not inlined, so that a read of a managed object jumps over nothing.
  @inlinable
  @inline(never)
  static func unmanagedValue(_ storage: Value._Storage?, _ owner: Borrowed<ObjectBase>?, number: Int) -> Value {
    guard let owner else { return storage.map(Value._unwrap) ?? Value._makeDefault() }
    return owner.with { owner in
      if let storage, !owner.flags.contains(.tracing) { return Value._unwrap(storage) }
      return owner.readUnset(Value.self, number)
    }
  }
}

/// The header at the start of every wrapper. Applications do not use it.
@frozen
public struct _WrapperHeader {
  /// The object that contains the wrapper; nil before that object's `init` has run.
  @usableFromInline var owner: Borrowed<ObjectBase>?
  /// The index of the property in its class.
  @usableFromInline var index: UInt32
  @usableFromInline let declaration: _Declaration
  /// Whether the wrapper holds an unmanaged value; readable without knowing the value's type.
  @usableFromInline var isSet: Bool

  @usableFromInline
  init(declaration: _Declaration, isSet: Bool) {
    owner = nil
    index = 0
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
}
