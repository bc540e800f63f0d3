extension List: ThreadConfined {
  /// The same list as of now, for ever, readable from any thread. Traps when it is unmanaged.
  public func freeze() -> List { frozenPlace().map { List($0) } ?? self }

  /// The live counterpart in the realm of the running thread; nil when its object is not there. Traps when it is
  /// unmanaged.
  public func thaw() -> List? { isFrozen || place == nil ? thawedPlace().map { List($0) } : self }
}

extension MutableSet: ThreadConfined {
  /// The same set as of now, for ever, readable from any thread. Traps when it is unmanaged.
  public func freeze() -> MutableSet { frozenPlace().map { MutableSet($0) } ?? self }

  /// The live counterpart in the realm of the running thread; nil when its object is not there. Traps when it is
  /// unmanaged.
  public func thaw() -> MutableSet? { isFrozen || place == nil ? thawedPlace().map { MutableSet($0) } : self }
}

extension Map: ThreadConfined {
  /// The same map as of now, for ever, readable from any thread. Traps when it is unmanaged.
  public func freeze() -> Map { frozenPlace().map { Map($0) } ?? self }

  /// The live counterpart in the realm of the running thread; nil when its object is not there. Traps when it is
  /// unmanaged.
  public func thaw() -> Map? { isFrozen || place == nil ? thawedPlace().map { Map($0) } : self }
}

extension CollectionBase {
  /// Where the collection is in a frozen session; nil when it is frozen already.
  final func frozenPlace() -> CollectionPlace? {
    guard let place else { Misuse.unmanaged("freeze()") }
    if place.session.isFrozen { return nil }
    place.checkReading()
    return CollectionPlace(place.session.frozen(), place)
  }

  /// Where the collection is in the running thread's session; nil when its object is not there.
  final func thawedPlace() -> CollectionPlace? {
    guard let place else { Misuse.unmanaged("thaw()") }
    let thawed = CollectionPlace(place.session.thawed(), place)
    return thawed.isValid ? thawed : nil
  }
}
