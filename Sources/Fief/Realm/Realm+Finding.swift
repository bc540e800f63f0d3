import FiefGraph

extension Realm {
  /// The object with a primary key, or nil. O(1) on average.
  ///
  /// - Parameters:
  ///   - type: a class with a primary key.
  ///   - key: its value, as the property's type or as what that is stored as.
  ///
  /// Traps when the class has no primary key or is not in the realm's schema, and when the key is of another type.
  @inlinable
  public func object<Element: Object, KeyType>(
    ofType type: Element.Type, forPrimaryKey key: KeyType
  ) -> Element? {
    let object =
      if KeyType.self == Int.self { session.object(of: type, withKey: key as! Int) } else {
        session.object(of: type, withKey: key)
      }
    return object.map { unsafeDowncast($0, to: type) }
  }
}

extension Session {
  /// The object with a number for a primary key.
  @usableFromInline
  func object(of type: ObjectBase.Type, withKey number: Int) -> ObjectBase? {
    checkConfinement()
    let binding = requireBinding(of: type)
    if binding._withUnsafeGuaranteedRef({ $0.hasIntegerKey }) {
      return findRow(Int64(number), binding).map { accessor(binding, $0) }
    }
    return binding._withUnsafeGuaranteedRef { object(of: $0, withKey: number) }
  }

  /// The object with a primary key.
  @usableFromInline
  func object<Key>(of type: ObjectBase.Type, withKey key: Key) -> ObjectBase? {
    checkConfinement()
    return requireBinding(of: type)._withUnsafeGuaranteedRef { object(of: $0, withKey: key) }
  }

  private func object<Key>(of binding: ClassBinding, withKey key: Key) -> ObjectBase? {
    guard let number = binding.primaryKey else {
      fatalError("Class '\(binding.model.name)' has no primary key, so no object can be found by one.")
    }
    let value = primaryKey(key, binding, number)
    return find(value, binding).map { accessor(binding, $0) }
  }
}

extension Session {
  /// The class as the store has it, without a reference counted; nil when the store does not have it.
  func knownBinding(of type: ObjectBase.Type) -> Unmanaged<ClassBinding>? {
    if let latestBinding, latestBinding._withUnsafeGuaranteedRef({ $0.type == type }) { return latestBinding }
    guard let binding = store.binding(of: type).map({ Unmanaged.passUnretained($0) }) else { return nil }
    // Frozen sessions are used by many threads.
    if !isFrozen { latestBinding = binding }
    return binding
  }

  /// The same; traps when the store does not have it.
  func requireBinding(of type: ObjectBase.Type) -> Unmanaged<ClassBinding> {
    knownBinding(of: type) ?? .passUnretained(store.requireBinding(of: type))
  }

  /// The row with a number for a key, of a class whose key is one that is never null.
  func findRow(_ number: Int64, _ binding: Unmanaged<ClassBinding>) -> PeekedRow? {
    let table = binding._withUnsafeGuaranteedRef { $0.table }
    if let writing { return writing._withUnsafeGuaranteedRef { $0.peekRow(primaryKey: number, in: table) } }
    return peekRow(primaryKey: number, in: table)
  }

  /// An accessor of a row that was found just now.
  func accessor(_ binding: Unmanaged<ClassBinding>, _ row: PeekedRow) -> ObjectBase {
    let before = changes
    let object = binding._withUnsafeGuaranteedRef { $0.type }.init()
    if changes == before {
      object.bind(self, binding, row)
    } else {
      // Its initialiser has used the realm, so that the row may lie elsewhere.
      binding._withUnsafeGuaranteedRef { object.bind(self, $0, row.key) }
    }
    return object
  }

  /// The row with a primary key.
  func find(_ value: StoredValue, _ binding: ClassBinding) -> ObjectKey? {
    read { $0.find(primaryKey: value, in: binding.table) }
  }

  /// The stored form of a primary key that is looked for.
  func primaryKey<Key>(_ key: Key, _ binding: ClassBinding, _ number: Int) -> StoredValue {
    // The common types without a detour.
    if Key.self == Int.self { return check(.int(Int64(key as! Int)), binding, number) }
    if Key.self == String.self { return check(.string(key as! String), binding, number) }
    let property = binding.model.properties[number]
    guard let value = property.access.convert(key) else { wrongKey(Untyped.words(key), binding, property) }
    return check(value, binding, number)
  }

  private func check(_ value: StoredValue, _ binding: ClassBinding, _ number: Int) -> StoredValue {
    if binding.columnTypes[number].kind == value.kind { return value }
    let property = binding.model.properties[number]
    if value.isNull && property.facts.isOptional { return value }
    wrongKey("\(value)", binding, property)
  }

  private func wrongKey(_ value: String, _ binding: ClassBinding, _ property: ModelProperty) -> Never {
    fatalError(
      "Invalid value \(value) for primary key '\(binding.model.name).\(property.name)': it is "
        + "\(property.columnType { _ in nil }.declaration).")
  }
}
