import FiefSessions

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
  public func object<Element: Object, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType) -> Element? {
    let object =
      if KeyType.self == Int.self { session.object(of: type, withKey: key as! Int) } else {
        session.object(of: type, withKey: key)
      }
    return object.map { unsafe unsafeDowncast($0, to: type) }
  }
}
