import FiefGraph

extension Realm {
  /// What to do when an object with the same primary key is there.
  @frozen
  public enum UpdatePolicy: Int, Sendable {
    /// Refuse.
    case error = 1
    /// Change what differs.
    case modified = 3
    /// Give every property the new value.
    case all = 2
  }

  /// Brings an unmanaged object, and all unmanaged objects that it reaches, into the realm. The instances themselves
  /// become managed.
  ///
  /// An object of this realm is left as it is. What cannot be added fails the write, which throws when it ends: an
  /// object of another realm, a primary key that is taken, an embedded object with two owners.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - policy: what to do with primary keys that are taken, for all objects that are reached.
  /// - Complexity: linear in the objects and values that are added, times O(log n) for each index and link.
  ///
  /// Traps outside a write transaction.
  public func add(_ object: Object, update policy: UpdatePolicy = .error) {
    session.checkWriting("Object of class '\(type(of: object).className())' was added", with: object)
    session.add(object, policy)
  }

  /// Adds objects one after another, as `add(_:update:)` does.
  public func add<S: Sequence>(_ objects: S, update policy: UpdatePolicy = .error) where S.Element: Object {
    session.checkWriting("Objects were added")
    for object in objects {
      // The sequence is the application's, and may have ended the write.
      if session.transaction == nil { session.checkWriting("Objects were added") }
      session.add(object, policy)
    }
  }
}

extension Session {
  func add(_ object: ObjectBase, _ policy: Realm.UpdatePolicy) {
    if policy == .error, let writing {
      let isDone = writing._withUnsafeGuaranteedRef { transaction in
        do {
          return try addAlone(object, transaction)
        } catch {
          fail(error)
          return true
        }
      }
      if isDone { return touch() }
    }
    perform { transaction in
      if policy != .error, let binding = binding(of: type(of: object)), binding.primaryKey == nil {
        throw Realm.Error(
          .invalidValue,
          "Object of class '\(binding.model.name)' cannot be added with an update policy: the class has no primary key."
        )
      }
      var adder = Adder(self, transaction, policy)
      try adder.add(object)
    }
  }
}
