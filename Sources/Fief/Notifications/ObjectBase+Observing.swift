import Dispatch
import FiefGraph

extension ThreadConfined where Self: ObjectBase {
  /// Calls a block whenever properties of the object change, and when it is deleted.
  ///
  ///     token = dog.observe { change in
  ///       switch change {
  ///       case .change(let dog, let properties): for property in properties { print(property.name) }
  ///       case .deleted: …
  ///       case .error: break
  ///       }
  ///     }
  ///
  /// The block is never called during this call or inside `write`. It runs soon afterwards on the realm's thread, queue
  /// or actor. `refresh()` and the beginning of a write call it before they return. One call may cover several commits.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or dotted paths of names. A change on a path is reported under the first name
  ///     of the path. Nil or an empty array stands for all stored properties of the object.
  ///   - queue: a serial queue for the calls. The block then gets the object from a realm of that queue.
  ///   - block: called with each change.
  /// - Returns: a token that keeps the observation alive.
  ///
  /// Traps when the object is unmanaged, frozen or deleted, when its realm is read-only, and for unknown names. Also
  /// traps in a write that has already changed something, and, without a queue, on a thread whose run loop is not
  /// running.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observing(keyPaths, queue) { object, changes in block(ObjectChange(object, changes)) }
  }

  /// Calls a block whenever a value on one of the key paths changes, and when the object is deleted.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { Fief._name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor whenever properties of the object change, and when it is deleted. The observation has
  /// begun when this returns.
  ///
  /// - Parameters:
  ///   - keyPaths: as for `observe(keyPaths:on:_:)`.
  ///   - actor: the actor on which the block runs. The block gets the object from a realm of that actor.
  ///   - block: called with each change.
  /// - Returns: a token that keeps the observation alive. When the task was cancelled, the token has already ended.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    let held = WeakActor(actor)
    return await Registration.on(
      actor, self, observedSession(), isolation: isolation,
      Self.observation(keyPaths) { object, changes in
        Registration.call(held.actor, block, ObjectChange(object, changes))
      })
  }

  /// Calls a block on an actor whenever a value on one of the key paths changes, and when the object is deleted.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    let names = keyPaths.map { Fief._name(for: $0) }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }

  /// Begins the observation here, or on a queue if one is given.
  func observing(
    _ keyPaths: [String]?, _ queue: DispatchQueue?, _ call: @escaping (Self, [PropertyChange]?) -> Void
  ) -> NotificationToken {
    Registration.on(queue, self, observedSession(), Self.observation(keyPaths, call))
  }

  /// Returns the session in which the object is observed. Traps when the object cannot be observed.
  func observedSession() -> Session {
    guard let session = heldSession else { Misuse.unmanaged("observe()") }
    session.checkObservable("An object")
    if !hasRow { Misuse.invalidated(self) }
    return session
  }

  /// Returns the closure that creates an observation of an object and passes its changes to `call`.
  static func observation(
    _ keyPaths: [String]?, _ call: @escaping (Self, [PropertyChange]?) -> Void
  ) -> Registration.Make<Self> {
    { object, _, from in
      object.binding.map { binding in
        ObjectObservation(
          object, binding._withUnsafeGuaranteedRef { $0 }, seen: from, keyPaths: keyPaths
        ) { call(object, $0) }
      }
    }
  }
}

extension ObjectChange {
  init(_ object: T, _ changes: [PropertyChange]?) {
    self = changes.map { .change(object, $0) } ?? .deleted
  }
}
