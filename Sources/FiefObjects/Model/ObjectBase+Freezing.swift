import FiefGraph
import FiefRuntime
import FiefSessions

extension Object: ThreadConfined {}
extension EmbeddedObject: ThreadConfined {}

extension ThreadConfined where Self: ObjectBase {
  /// Returns the object at the current version, permanently and readable on any thread. During a write it shows the
  /// state before the write.
  ///
  ///     let before = dog.freeze()
  ///     try realm.write { dog.age += 1 }
  ///     print(before.age, dog.age)          // 3 4
  ///
  /// Objects that are reached through it are frozen at the same version. A frozen object returns itself.
  ///
  /// Traps when the object is unmanaged, was deleted, or was created in the current write.
  public func freeze() -> Self {
    guard let session = retainedSession else { Misuse.unmanaged("freeze()") }
    if session.isFrozen { return self }
    session.checkConfinement()
    if !hasRow { Misuse.invalidated(self) }
    let frozen = counterpart(in: session.frozen())
    if !frozen.hasRow {
      fatalError(
        "An object of class '\(type(of: self).className())' that was made in the present write transaction cannot be "
          + "frozen: freeze it after the commit.")
    }
    return frozen
  }

  /// Returns the live object in the realm of the running thread, queue or actor, at that realm's version; nil when it
  /// does not exist there. A live object returns itself, and an unmanaged embedded object nil.
  ///
  ///     if let dog = frozenDog.thaw(), let realm = dog.realm {
  ///       try realm.write { dog.age += 1 }
  ///     }
  ///
  /// Traps for any other unmanaged object, and for a live object outside its thread, queue or actor.
  public func thaw() -> Self? {
    guard let session = retainedSession else {
      // As with Realm, so that an owner's objects need no test whether it was added yet.
      if self is EmbeddedObject { return nil }
      Misuse.unmanaged("thaw()")
    }
    if !session.isFrozen {
      session.checkConfinement()
      return self
    }
    let thawed = counterpart(in: session.thawed())
    return thawed.hasRow ? thawed : nil
  }

  /// Returns the object in another realm of its store; nil when it does not exist there.
  public func _resolved(in realm: Realm) -> Self? {
    if retainedSession === realm.session { return isInvalidated ? nil : self }
    let other = counterpart(in: realm.session)
    return other.hasRow ? other : nil
  }

  /// Creates an accessor of the row in another session of the store.
  func counterpart(in session: Session) -> Self {
    let made = Self.self == Swift.type(of: self) ? Self() : Swift.type(of: self).init()
    guard let binding else { Misuse.unmanaged("A counterpart in another realm") }
    made.bind(session, binding.counted, at: key)
    return made
  }
}
