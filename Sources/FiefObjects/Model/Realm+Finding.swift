import FiefCopying
import FiefGraph
import FiefRuntime
public import FiefSessions

extension Realm {
  /// Returns the object with a primary key, or nil.
  ///
  ///     if let person = realm.object(ofType: Person.self, forPrimaryKey: 7) { print(person.name) }
  ///
  /// - Parameters:
  ///   - type: a class with a primary key.
  ///   - key: the value, in the property's type or in the type that it is stored as. Nil stands for null where the
  ///     property is optional.
  /// - Complexity: O(1) on average.
  ///
  /// Traps when the class has no primary key or is not in the realm's schema, and when the key has another type. Also
  /// traps outside the realm's thread, queue or actor.
  @inlinable
  public func object<Element: Object, KeyType>(
    ofType type: Element.Type, forPrimaryKey key: KeyType
  ) -> Element? {
    let object =
      if KeyType.self == Int.self { session.object(of: type, withKey: key as! Int) } else {
        session.object(of: type, withKey: key)
      }
    return object.map { unsafe unsafeDowncast($0, to: type) }
  }
}

extension Session {
  /// Returns the object with an integer primary key.
  @usableFromInline
  func object(of type: ObjectBase.Type, withKey number: Int) -> ObjectBase? {
    let mayBeTracked = !isOnExecutor
    checkConfinement()
    let binding = requireBinding(of: type)
    if ShortCut.integerKeys.isOn, !mayBeTracked, binding.with({ $0.hasIntegerKey }) {
      ShortCut.integerKeys.taken()
      return findRow(Int64(number), binding).map { accessor(binding, $0) }
    }
    return binding.with { object(of: $0, withKey: number) }
  }

  /// Returns the object with a primary key.
  @usableFromInline
  func object<Key>(of type: ObjectBase.Type, withKey key: Key) -> ObjectBase? {
    checkConfinement()
    return requireBinding(of: type).with { object(of: $0, withKey: key) }
  }

  private func object<Key>(of binding: ClassBinding, withKey key: Key) -> ObjectBase? {
    guard let number = binding.primaryKey else {
      fatalError("Class '\(binding.model.name)' has no primary key, so no object can be found by one.")
    }
    let value = primaryKey(key, binding, number)
    let key = find(value, binding)
    if mayBeTracked { noteSearch(for: value, binding, key) }
    return key.map { accessor(binding, $0) }
  }

  /// Notes for the running tracking scope whether there is an object with a primary key.
  private func noteSearch(for value: StoredValue, _ binding: ClassBinding, _ found: ObjectKey?) {
    let table = binding.table
    if let found { return noteRead(row: ObjectLink(table, found)) }
    // Every search is tested on its own.
    noteRead(collection: TrackedSearch(), isDeep: false) {
      { session, _ in session.graph.find(primaryKey: value, in: table) != nil }
    }
  }

  private final class TrackedSearch {}
}

extension Session {
  /// Returns the store's binding of a class without retaining it; nil when the store does not have the class.
  func knownBinding(of type: ObjectBase.Type) -> Borrowed<ClassBinding>? {
    if let latestBinding, latestBinding.with({ $0.type == type }) { return latestBinding }
    guard let binding = store.binding(of: type).map({ unsafe Borrowed($0) }) else { return nil }
    // Frozen sessions are used by several threads.
    if !isFrozen { latestBinding = binding }
    return binding
  }

  /// Returns the store's binding of a class without retaining it. Traps when the store does not have the class.
  package func requireBinding(of type: ObjectBase.Type) -> Borrowed<ClassBinding> {
    unsafe knownBinding(of: type) ?? Borrowed(store.requireBinding(of: type))
  }

  /// Returns the row with an integer primary key, for a class whose key is never null.
  func findRow(_ number: Int64, _ binding: Borrowed<ClassBinding>) -> BorrowedRow? {
    let table = binding.with { $0.table }
    if let writing { return writing.with { $0.borrowedRow(primaryKey: number, in: table) } }
    return borrowedRow(primaryKey: number, in: table)
  }

  /// Creates an accessor of a row that was just found.
  func accessor(_ binding: Borrowed<ClassBinding>, _ row: BorrowedRow) -> ObjectBase {
    let before = validity.stamp
    ShortCut.applicationRuns()
    let object = binding.with { $0.type }.init()
    if validity.stamp == before {
      object.bind(self, binding, row)
    } else {
      // The initializer used the realm, so the row may have moved.
      binding.with { object.bind(self, $0, row.key) }
    }
    return object
  }

  /// Returns the key of the row with a primary key.
  func find(_ value: StoredValue, _ binding: ClassBinding) -> ObjectKey? {
    read { $0.find(primaryKey: value, in: binding.table) }
  }

  /// Converts a primary key to its stored form, for a lookup.
  func primaryKey<Key>(_ key: Key, _ binding: ClassBinding, _ number: Int) -> StoredValue {
    // The common types take a direct path.
    if Key.self == Int.self { return check(.int(Int64(key as! Int)), binding, number) }
    if Key.self == String.self { return check(.string(key as! String), binding, number) }
    let property = binding.model.properties[number]
    guard let value = property.stored(key) else { wrongKey(DynamicValue.description(of: key), binding, property) }
    return check(value, binding, number)
  }

  private func check(_ value: StoredValue, _ binding: ClassBinding, _ number: Int) -> StoredValue {
    if binding.type(of: number).kind == value.kind { return value }
    let property = binding.model.properties[number]
    if value.isNull && property.facts.isOptional { return value }
    wrongKey("\(value)", binding, property)
  }

  private func wrongKey(_ value: String, _ binding: ClassBinding, _ property: ModelProperty) -> Never {
    fatalError(
      "Invalid value \(value) for primary key '\(binding.model.name).\(property.name)': it is "
        + "\(property.facts.columnType.declaration).")
  }
}
