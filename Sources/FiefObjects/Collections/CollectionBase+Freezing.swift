import FiefSessions

extension List: ThreadConfined {
  /// Returns a frozen counterpart at the current version, readable from any thread. Traps when the list is unmanaged.
  ///
  ///     nonisolated(unsafe) let frozen = person.dogs.freeze()
  ///     Task.detached { print(frozen.count) }
  ///
  /// During a write the version is the one before that write. A frozen list returns itself.
  public func freeze() -> List { frozenLocation().map { List($0) } ?? self }

  /// Returns the live counterpart in the realm of the current thread; nil when its object does not exist there. Traps
  /// when the list is unmanaged. A live list returns itself.
  ///
  ///     let frozen = person.dogs.freeze()
  ///     if let dogs = frozen.thaw() { try dogs.realm?.write { dogs.removeAll() } }
  public func thaw() -> List? { isFrozen || location == nil ? thawedLocation().map { List($0) } : self }

  /// Returns the list in another realm of its store; nil when its owner does not exist there.
  public func _resolved(in realm: Realm) -> List? { location(in: realm.session).map { List($0) } }
}

extension MutableSet: ThreadConfined {
  /// Returns a frozen counterpart at the current version, readable from any thread. Traps when the set is unmanaged.
  ///
  ///     nonisolated(unsafe) let frozen = person.dogs.freeze()
  ///     Task.detached { print(frozen.count) }
  ///
  /// During a write the version is the one before that write. A frozen set returns itself.
  public func freeze() -> MutableSet { frozenLocation().map { MutableSet($0) } ?? self }

  /// Returns the live counterpart in the realm of the current thread; nil when its object does not exist there. Traps
  /// when the set is unmanaged. A live set returns itself.
  ///
  ///     let frozen = person.tags.freeze()
  ///     if let tags = frozen.thaw() { try tags.realm?.write { tags.insert("tall") } }
  public func thaw() -> MutableSet? { isFrozen || location == nil ? thawedLocation().map { MutableSet($0) } : self }

  /// Returns the set in another realm of its store; nil when its owner does not exist there.
  public func _resolved(in realm: Realm) -> MutableSet? { location(in: realm.session).map { MutableSet($0) } }
}

extension Map: ThreadConfined {
  /// Returns a frozen counterpart at the current version, readable from any thread. Traps when the map is unmanaged.
  ///
  ///     nonisolated(unsafe) let frozen = person.scores.freeze()
  ///     Task.detached { print(frozen.count) }
  ///
  /// During a write the version is the one before that write. A frozen map returns itself.
  public func freeze() -> Map { frozenLocation().map { Map($0) } ?? self }

  /// Returns the live counterpart in the realm of the current thread; nil when its object does not exist there. Traps
  /// when the map is unmanaged. A live map returns itself.
  ///
  ///     let frozen = person.scores.freeze()
  ///     if let scores = frozen.thaw() { try scores.realm?.write { scores["chess"] = 7 } }
  public func thaw() -> Map? { isFrozen || location == nil ? thawedLocation().map { Map($0) } : self }

  /// Returns the map in another realm of its store; nil when its owner does not exist there.
  public func _resolved(in realm: Realm) -> Map? { location(in: realm.session).map { Map($0) } }
}

extension CollectionBase {
  /// The collection's location in a frozen session; nil when the collection is frozen already.
  fileprivate final func frozenLocation() -> CollectionLocation? {
    guard let location else { Misuse.unmanaged("freeze()") }
    if location.session.isFrozen { return nil }
    location.checkReading()
    return CollectionLocation(location.session.frozen(), location)
  }

  /// The collection's location in the current thread's session; nil when its object does not exist there.
  fileprivate final func thawedLocation() -> CollectionLocation? {
    guard let location else { Misuse.unmanaged("thaw()") }
    let thawed = CollectionLocation(location.session.thawed(), location)
    return thawed.isValid ? thawed : nil
  }

  /// Returns the location of the collection in another session of its store; nil when its owner does not exist there.
  fileprivate final func location(in session: Session) -> CollectionLocation? {
    guard let location else { Misuse.unmanaged("A counterpart in another realm") }
    let other = CollectionLocation(session, location)
    return other.isValid ? other : nil
  }
}
