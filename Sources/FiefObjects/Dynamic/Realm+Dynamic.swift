extension Realm {
  /// The object with the given primary key, as a `DynamicObject`; nil when it does not exist.
  ///
  ///     if let person = realm.dynamicObject(ofType: "Person", forPrimaryKey: 7) { print(person.name ?? "") }
  ///
  /// - Parameters:
  ///   - typeName: the name under which the class is stored.
  ///   - key: the value of the primary key.
  /// - Complexity: O(1) on average.
  ///
  /// Traps when the realm's file has no class of that name, the class has no primary key, or the key is of another
  /// type. Also traps outside the realm's thread, queue or actor.
  public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
    session.checkConfinement()
    let binding = session.requireDynamicBinding(typeName)
    let row = session.borrowedRow(primaryKey: session.primaryKey(key, of: binding), in: binding.table)
    return row.flatMap { session.accessor(binding, $0.key) as? DynamicObject }
  }
}
