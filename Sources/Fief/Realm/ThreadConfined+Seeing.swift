import FiefGraph

extension ThreadConfined {
  /// By freezing or thawing.
  public func _seen(in realm: Realm) -> Self? { realm.isFrozen ? freeze() : thaw() }
}

// MARK: - Objects

extension Object: ThreadConfined {}
extension EmbeddedObject: ThreadConfined {}

extension ThreadConfined where Self: ObjectBase {
  /// The object as of now, for ever, readable from any thread. In a write: as it was before the write.
  ///
  /// Traps when it is unmanaged, was deleted, or was made in the present write.
  public func freeze() -> Self {
    guard let session = heldSession else { Misuse.unmanaged("freeze()") }
    if session.isFrozen { return self }
    session.checkConfinement()
    if !hasRow { Misuse.invalidated(self) }
    let frozen = counterpart(in: session.frozen())
    if !frozen.hasRow {
      fatalError(
        "An object of class '\(type(of: self).className())' that was made in the present write transaction cannot be frozen: "
          + "freeze it after the commit.")
    }
    return frozen
  }

  /// The live counterpart in the realm of the running thread (or queue, or actor), at the version which that sees; nil
  /// when it is not there. Traps when the object is unmanaged.
  public func thaw() -> Self? {
    guard let session = heldSession else { Misuse.unmanaged("thaw()") }
    if !session.isFrozen {
      session.checkConfinement()
      return self
    }
    let thawed = counterpart(in: session.thawed())
    return thawed.hasRow ? thawed : nil
  }

  /// The same object as another realm of its store sees it; nil when it is not there.
  public func _seen(in realm: Realm) -> Self? {
    if heldSession === realm.session { return isInvalidated ? nil : self }
    let seen = counterpart(in: realm.session)
    return seen.hasRow ? seen : nil
  }

  /// Another accessor of the row, of another session of its store.
  func counterpart(in session: Session) -> Self {
    let made = Self.self == Swift.type(of: self) ? Self() : Swift.type(of: self).init()
    guard let binding else { Misuse.unmanaged("A counterpart in another realm") }
    made.bind(session, binding._withUnsafeGuaranteedRef { $0 }, key)
    return made
  }
}

// MARK: - Collections

extension CollectionBase {
  /// Where the collection is in another session of its store; nil when its object is not there.
  final func place(in session: Session) -> CollectionPlace? {
    guard let place else { Misuse.unmanaged("A counterpart in another realm") }
    let other = CollectionPlace(session, place)
    return other.isValid ? other : nil
  }
}

extension List {
  /// The same list as another realm of its store sees it; nil when its object is not there.
  public func _seen(in realm: Realm) -> List? { place(in: realm.session).map { List($0) } }
}

extension MutableSet {
  /// The same set as another realm of its store sees it; nil when its object is not there.
  public func _seen(in realm: Realm) -> MutableSet? { place(in: realm.session).map { MutableSet($0) } }
}

extension Map {
  /// The same map as another realm of its store sees it; nil when its object is not there.
  public func _seen(in realm: Realm) -> Map? { place(in: realm.session).map { Map($0) } }
}

extension Results {
  /// The same view as another realm of its store has it; nil when what it looks at is not there.
  public func _seen(in realm: Realm) -> Results? {
    let core = core.seen(by: realm.session)
    return core.isInvalidated ? nil : Results(core)
  }
}

extension LinkingObjects {
  /// The same view as another realm of its store has it; nil when its object is not there.
  public func _seen(in realm: Realm) -> LinkingObjects? {
    guard let core = handle?.core else { Misuse.unmanaged("A counterpart in another realm") }
    let seen = core.seen(by: realm.session)
    return seen.isInvalidated ? nil : LinkingObjects(LinkingHandle(core: seen), origin: origin)
  }
}
