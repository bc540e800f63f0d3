import Dispatch

/// A collection, a map or sections of results: what can be observed in the four ways that all have. Applications do not
/// conform to it.
///
///     here or on a queue      by names of properties, or by key paths
///     on an actor             the same, and the observation has begun when the call returns
///
/// A conforming type says what an observer is told, and how its observation is made; nothing else is its own.
public protocol _Observed: ThreadConfined {
  /// What an observer is told.
  associatedtype _Change
  /// What key paths that an observer names begin at: an object or a projection, optional perhaps, if it has any.
  associatedtype _ObservedElement

  /// How an observation of it is made that tells a block.
  static func _observation(_ keyPaths: [String]?, _ block: @escaping (_Change) -> Void) -> _ObservationMaker<Self>
}

/// How an observation is made, once it is known where.
public struct _ObservationMaker<Thing> {
  let make: Registration.Make<Thing>
}

extension _Observed {
  /// Calls a block with the thing as it is, and then whenever it changes.
  ///
  ///     token = dogs.observe { change in
  ///       switch change {
  ///       case .initial(let dogs): …
  ///       case .update(let dogs, let deletions, let insertions, let modifications): …
  ///       case .error: break
  ///       }
  ///     }
  ///
  /// The block is never called inside this call or inside `write`, but soon after, in the realm's place; at a refresh
  /// and at the beginning of a write at once. Several commits may be told at once. An element is modified when a
  /// property of it differs, or of an object that it reaches over at most four links.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the elements, or paths of them; only their changes make an element modified.
  ///     Nil or none for all.
  ///   - queue: a serial queue on which to call instead, with the thing as a realm of that queue sees it.
  ///   - block: what to call.
  /// - Returns: what keeps the observation alive.
  /// - Complexity: a change costs what changed, and for queries and sections their evaluation.
  ///
  /// Traps when the thing is unmanaged, frozen or invalid, for unknown names, in a write that has changed something,
  /// and without a queue on a thread whose run loop is not running.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    Registration.on(queue, self, observedSession(), Self._observation(keyPaths, block).make)
  }

  /// Calls a block on an actor with the thing as it is, and then whenever it changes. The observation has begun when
  /// this returns.
  ///
  /// - Parameters:
  ///   - keyPaths: as for `observe(keyPaths:on:_:)`.
  ///   - actor: where to call; the thing comes as a realm of that actor sees it.
  ///   - block: what to call.
  /// - Returns: what keeps the observation alive; of a task that was cancelled, a token of nothing.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, _Change) -> Void
  ) async -> NotificationToken {
    let held = WeakActor(actor)
    return await Registration.on(
      actor, self, observedSession(), isolation: isolation,
      Self._observation(keyPaths) { Registration.call(held.actor, block, $0) }.make)
  }

  private func observedSession() -> Session {
    guard let session = realm?.session else { Misuse.unmanaged("observe()") }
    session.checkObservable("A collection")
    if isInvalidated { fatalError("A collection that has been deleted or invalidated cannot be observed.") }
    return session
  }
}

extension RealmCollection {
  /// How an observation of the collection is made.
  public static func _observation(
    _ keyPaths: [String]?, _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> _ObservationMaker<Self> {
    _ObservationMaker { collection, _, _ in
      CollectionObservation(collection._asResults().core, keyPaths: keyPaths) {
        block(RealmCollectionChange(collection, $0))
      }
    }
  }
}

extension Map: _Observed {
  /// What an observer is told.
  public typealias _Change = RealmMapChange<Map>
  /// The values.
  public typealias _ObservedElement = Value

  /// How an observation of the map is made.
  public static func _observation(
    _ keyPaths: [String]?, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> _ObservationMaker<Map> {
    _ObservationMaker { map, _, _ in
      map.place.map { place in
        MapObservation(place, keyPaths: keyPaths) { changes in
          guard let changes else { return block(.initial(map)) }
          block(
            .update(
              map, deletions: typed(changes.deletions), insertions: typed(changes.insertions),
              modifications: typed(changes.modifications)))
        }
      }
    }
  }

  private static func typed(_ keys: [String]) -> [Key] { keys.map { key($0) } }
}
