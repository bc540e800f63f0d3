import FiefGraph

extension Realm {
  /// The object with a primary key, or nil. O(1) on average.
  ///
  /// - Parameters:
  ///   - type: a class with a primary key.
  ///   - key: its value, as the property's type or as what that is stored as.
  ///
  /// Traps when the class has no primary key or is not in the realm's schema, and when the key is of another type.
  public func object<Element: Object, KeyType>(
    ofType type: Element.Type, forPrimaryKey key: KeyType
  ) -> Element? {
    session.checkConfinement()
    let binding = session.store.requireBinding(of: type)
    guard let number = binding.primaryKey else {
      fatalError("Class '\(binding.model.name)' has no primary key, so no object can be found by one.")
    }
    let value = session.primaryKey(key, binding, number)
    guard let row = session.find(value, binding) else { return nil }
    return unsafeDowncast(session.accessor(binding, row), to: type)
  }
}

extension Session {
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
    guard let value = property.access.convert(key) else { wrongKey("\(key)", binding, property) }
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
      "Invalid value '\(value)' for primary key '\(binding.model.name).\(property.name)': it is "
        + "\(property.columnType { _ in nil }.declaration).")
  }
}
