import FiefSessions

extension Realm {
  /// Adds an unmanaged object, and all unmanaged objects that it reaches, to the realm. The instances themselves become
  /// managed.
  ///
  ///     let dog = Dog(value: ["name": "Rex"])
  ///     try realm.write {
  ///       realm.add(dog)
  ///     }
  ///     print(dog.realm == realm)          // true
  ///
  /// An object of this realm stays as it is. An object of another realm, a primary key that exists already, or an
  /// embedded object with two owners fails the write. The write then throws when it ends.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - policy: the policy for primary keys that exist already, for all objects that are reached. A policy other than
  ///     `.error` for a class without a primary key fails the write.
  /// - Complexity: linear in the objects and values that are added, times O(log n) for each index and link.
  ///
  /// Traps outside a write transaction, and outside the realm's thread, queue or actor.
  public func add(_ object: Object, update policy: UpdatePolicy = .error) {
    session.checkWriting("Object of class '\(type(of: object).className())' was added", with: object)
    Inserter(session).add(object, policy)
  }

  /// Refused by the compiler.
  @available(*, unavailable, message: "Embedded objects belong to others: assign it to a property, or to a collection.")
  public func add(_ object: EmbeddedObject, update policy: UpdatePolicy = .error) { fatalError("It is unavailable.") }

  /// Adds objects one after another; see `add(_:update:)`.
  ///
  ///     try realm.write {
  ///       realm.add([rex, rufus], update: .modified)
  ///     }
  ///
  /// - Parameters:
  ///   - objects: the objects.
  ///   - policy: the policy for primary keys that exist already.
  public func add<S: Sequence>(_ objects: S, update policy: UpdatePolicy = .error) where S.Element: Object {
    session.checkWriting("Objects were added")
    for object in objects {
      // Iterating runs code of the application, which may have ended the write.
      if session.transaction == nil { session.checkWriting("Objects were added") }
      Inserter(session).add(object, policy)
    }
  }
}
