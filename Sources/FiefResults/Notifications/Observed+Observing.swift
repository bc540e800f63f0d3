import Dispatch
import FiefObjects
import FiefSessions

extension _Observed {
  /// Calls a block with the current state, then after every change.
  ///
  ///     token = dogs.observe { change in
  ///       switch change {
  ///       case .initial(let dogs): print(dogs.count, "dogs")
  ///       case .update(let dogs, let deletions, let insertions, let modifications):
  ///         print(dogs.count, deletions, insertions, modifications)
  ///       case .error: break
  ///       }
  ///     }
  ///
  /// The block is never called during this call or inside `write`. It runs soon afterwards on the realm's thread, queue
  /// or actor. `refresh()` and the beginning of a write call it before they return. One call may cover several commits.
  /// An element is modified when one of its properties changes, or a property of an object that it reaches over at most
  /// four links.
  ///
  /// Traps when the collection is unmanaged, frozen or invalid, when its realm is read-only and in memory, and for
  /// unknown names. Also traps in a write that has already changed something, and, without a queue, on a thread whose
  /// run loop is not running.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the elements, or dotted paths of names. Only changes on them make an element
  ///     modified. Nil or an empty array stands for all properties.
  ///   - queue: a serial queue for the calls. The block then gets the collection from a realm of that queue.
  ///   - block: called with the initial state and each change.
  /// - Returns: a token that keeps the observation alive.
  /// - Complexity: proportional to the change. Queries that sort, limit, remove duplicates or follow links, and
  ///   sections, are also evaluated again.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    observing(keyPaths, on: queue, block) {}
  }

  /// Begins the observation here, or on a queue if one is given.
  ///
  /// - Parameter gone: called when the value is gone and no change tells so: before the observation begins on the
  ///   queue, or as an empty collection. Nothing follows.
  func observing(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (_Change) -> Void,
    orGone gone: @escaping () -> Void
  ) -> NotificationToken {
    let maker = Self.maker(keyPaths, block)
    return Registration.begin(
      { thing, start in
        let observation = maker(thing, start)
        (observation as? any EndingObservation)?.gone = gone
        return observation
      }, of: self, in: observedSession(), on: queue
    ) { _ in gone() }
  }

  /// Calls a block on an actor with the current state, then after every change. The observation has begun when this
  /// returns.
  ///
  ///     actor Kennel {
  ///       var token: NotificationToken?
  ///       var changes = 0
  ///       func note() { changes += 1 }
  ///       func watch() async throws {
  ///         let realm = try await Realm.open()
  ///         token = await realm.objects(Dog.self).observe(on: self) { kennel, change in
  ///           if case .update = change { kennel.note() }
  ///         }
  ///       }
  ///     }
  ///
  /// Traps as `observe(keyPaths:on:_:)` with a queue does.
  ///
  /// - Parameters:
  ///   - keyPaths: as for `observe(keyPaths:on:_:)`.
  ///   - actor: the actor on which the block runs. The block gets the collection from a realm of that actor.
  ///   - block: called with the initial state and each change.
  /// - Returns: a token that keeps the observation alive. When the task was cancelled, the token has already ended.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, _Change) -> Void
  ) async -> NotificationToken {
    await Registration.begin(of: self, in: observedSession(), on: actor, isolation: isolation, block) {
      Self.maker(keyPaths, $0)
    }
  }

  /// Returns a maker of observations that pass their changes to `call`.
  static func maker(_ keyPaths: [String]?, _ call: @escaping (_Change) -> Void) -> ObservationMaker<Self> {
    { observed, _ in observed._observation(keyPaths, call)?.made }
  }

  private func observedSession() -> Session {
    guard let session = realm?.session else { Misuse.unmanaged("observe()") }
    session.checkObservable("A collection")
    if isInvalidated { fatalError("A collection that has been deleted or invalidated cannot be observed.") }
    return session
  }
}

extension RealmCollection {
  /// Returns an observation of the collection.
  public func _observation(
    _ keyPaths: [String]?, _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> _Observation? {
    _Observation(
      made: CollectionObservation(_asResults().core, keyPaths: keyPaths) { block(RealmCollectionChange(self, $0)) })
  }
}

extension Map: _Observed {
  /// The changes of the map.
  public typealias _Change = RealmMapChange<Map>
  /// The values of the map.
  public typealias _ObservedElement = Value

  /// Returns an observation of the map.
  public func _observation(
    _ keyPaths: [String]?, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> _Observation? {
    guard let location else { return nil }
    let observation = CollectionObservation(location, keyPaths: keyPaths) { changes in
      guard let changes else { return block(.initial(self)) }
      func typed(_ keys: [String]) -> [Key] { keys.map { Self.key($0) } }
      block(
        .update(
          self, deletions: typed(changes.deletions), insertions: typed(changes.insertions),
          modifications: typed(changes.modifications)))
    }
    return _Observation(made: observation)
  }
}

extension ProjectedCollection: _Observed {
  /// The changes of the collection.
  public typealias _Change = RealmCollectionChange<ProjectedCollection<Element>>
  /// The values of the collection.
  public typealias _ObservedElement = Element

  /// Returns an observation. It reports insertions, deletions, and changes of the projected property, or of the given
  /// key paths instead.
  public func _observation(
    _ keyPaths: [String]?, _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) -> _Observation? {
    let names = keyPaths.flatMap { $0.isEmpty ? nil : $0 } ?? [name]
    return _Observation(
      made: CollectionObservation(core, keyPaths: names) { block(RealmCollectionChange(self, $0)) })
  }
}
