import FiefSessions

extension _CollectionProperty {
  /// Returns a frozen counterpart at the current version, readable from any thread. Traps when the collection is
  /// unmanaged, was deleted, or was made with its object in the current write.
  ///
  ///     nonisolated(unsafe) let frozen = person.dogs.freeze()
  ///     Task.detached { print(frozen.count) }
  ///
  /// During a write the version is the one before that write. A frozen collection returns itself.
  public func freeze() -> Self {
    guard let location else { Misuse.unmanaged("freeze()") }
    if location.session.isFrozen { return self }
    location.checkReading()
    let frozen = CollectionLocation(location.session.frozen(), location)
    if !frozen.isValid {
      fatalError(
        "The collection '\(location.path)', which was made in the present write transaction, cannot be frozen: freeze "
          + "it after the commit.")
    }
    return Self(frozen)
  }

  /// Returns the live counterpart in the realm of the current thread; nil when its object does not exist there. Traps
  /// when the collection is unmanaged. A live collection returns itself.
  ///
  ///     let frozen = person.dogs.freeze()
  ///     if let dogs = frozen.thaw() { try dogs.realm?.write { dogs.removeAll() } }
  public func thaw() -> Self? {
    guard let location else { Misuse.unmanaged("thaw()") }
    return isFrozen ? counterpart(in: location.session.thawed()) : self
  }

  /// Returns the collection in another realm of its store; nil when its owner does not exist there.
  public func _resolved(in realm: Realm) -> Self? { counterpart(in: realm.session) }

  /// The collection in another session of its store; nil when its owner does not exist there.
  private func counterpart(in session: Session) -> Self? {
    guard let location else { Misuse.unmanaged("A counterpart in another realm") }
    let other = CollectionLocation(session, location)
    return other.isValid ? Self(other) : nil
  }
}
