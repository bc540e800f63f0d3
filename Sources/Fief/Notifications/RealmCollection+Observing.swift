import Dispatch

extension RealmCollection {
  /// Calls a block with the collection as it is, and then whenever it changes.
  ///
  ///     token = dogs.observe { change in
  ///       switch change {
  ///       case .initial(let dogs): …
  ///       case .update(let dogs, let deletions, let insertions, let modifications): …
  ///       case .error: break
  ///       }
  ///     }
  ///
  /// The block is never called inside this call or inside `write`, but soon after, in the realm's place; on a plain thread when it
  /// refreshes or begins a write. Several commits may be told at once. An element is modified when a property of it differs, or of
  /// an object that it reaches over at most four links.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or paths of them; only their changes make an element modified. Nil or none for all.
  ///   - queue: a serial queue on which to call instead, with the collection as a realm of that queue sees it.
  ///   - block: what to call.
  /// - Returns: what keeps the observation alive.
  /// - Complexity: a change costs what changed, and for queries their evaluation.
  ///
  /// Traps when the collection is unmanaged, frozen or invalid, for unknown names, and in a write that has changed something.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    let session = observedSession()
    let make = Self.observation(keyPaths, block)
    if let queue { return Registration.on(queue, self, session, make) }
    return make(self, session, session.graph).map(session.register) ?? NotificationToken(coming: session.store)
  }

  /// Calls a block with the collection as it is, and then whenever it changes; as `observe(keyPaths:on:_:)` with names does.
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { Fief._name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the collection as it is, and then whenever it changes. The observation has begun when this returns.
  ///
  /// - Parameters:
  ///   - keyPaths: as for `observe(keyPaths:on:_:)`.
  ///   - actor: where to call; the collection comes as a realm of that actor sees it.
  ///   - block: what to call.
  /// - Returns: what keeps the observation alive.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    let held = WeakActor(actor)
    return await Registration.on(
      actor, self, observedSession(), isolation: isolation,
      Self.observation(keyPaths) { Registration.call(held.actor, block, $0) })
  }

  /// Calls a block on an actor with the collection as it is, and then whenever it changes.
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    let names = keyPaths.map { Fief._name(for: $0) }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }

  private func observedSession() -> Session {
    guard let session = realm?.session else { Misuse.unmanaged("observe()") }
    session.checkObservable("A collection")
    if isInvalidated { fatalError("A collection that has been deleted or invalidated cannot be observed.") }
    return session
  }

  private static func observation(
    _ keyPaths: [String]?, _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> Registration.Make<Self> {
    { collection, _, _ in
      CollectionObservation(collection._asResults().core, keyPaths: keyPaths) {
        block(RealmCollectionChange(collection, $0))
      }
    }
  }
}

extension Map {
  /// Calls a block with the map as it is, and then whenever it changes: `RealmCollection.observe` says when and how.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the objects that are values; only their changes make a value modified. Nil or none for all.
  ///   - queue: a serial queue on which to call instead, with the map as a realm of that queue sees it.
  ///   - block: what to call.
  /// - Returns: what keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    let session = observedSession()
    let make = Self.observation(keyPaths, block)
    if let queue { return Registration.on(queue, self, session, make) }
    return make(self, session, session.graph).map(session.register) ?? NotificationToken(coming: session.store)
  }

  /// Calls a block with the map as it is, and then whenever it changes.
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { Fief._name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the map as it is, and then whenever it changes. The observation has begun when this returns.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken {
    let held = WeakActor(actor)
    return await Registration.on(
      actor, self, observedSession(), isolation: isolation,
      Self.observation(keyPaths) { Registration.call(held.actor, block, $0) })
  }

  /// Calls a block on an actor with the map as it is, and then whenever it changes.
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken {
    let names = keyPaths.map { Fief._name(for: $0) }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }

  private func typed(_ keys: [String]) -> [Key] { keys.map { Self.key($0) } }

  private func observedSession() -> Session {
    guard let session = place?.session else { Misuse.unmanaged("observe()") }
    session.checkObservable("A map")
    if isInvalidated { fatalError("A map that has been deleted or invalidated cannot be observed.") }
    return session
  }

  private static func observation(
    _ keyPaths: [String]?, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> Registration.Make<Map> {
    { map, _, _ in
      map.place.map { place in
        MapObservation(place, keyPaths: keyPaths) { changes in
          guard let changes else { return block(.initial(map)) }
          block(
            .update(
              map, deletions: map.typed(changes.deletions), insertions: map.typed(changes.insertions),
              modifications: map.typed(changes.modifications)))
        }
      }
    }
  }
}
