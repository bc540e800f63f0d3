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
  /// The block is never called inside this call or inside `write`, but soon after, in the realm's place; at a refresh
  /// and at the beginning of a write at once. Several commits may be told at once.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or paths of them, whose changes are told, under the first name. Nil or none:
  ///     the object's own properties.
  ///   - queue: a serial queue on which to call instead, with the object as a realm of that queue sees it.
  ///   - block: what to call.
  /// - Returns: what keeps the observation alive.
  ///
  /// Traps when the object is unmanaged, frozen or deleted, for unknown names, in a write that has changed something,
  /// and without a queue on a thread whose run loop is not running.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observing(keyPaths, queue) { object, changes in block(ObjectChange(object, changes)) }
  }

  /// Calls a block whenever what the key paths name changes, and when the object is deleted.
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
  ///   - actor: where to call; the object comes as a realm of that actor sees it.
  ///   - block: what to call.
  /// - Returns: what keeps the observation alive; of a task that was cancelled, a token of nothing.
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

  /// Calls a block on an actor whenever what the key paths name changes, and when the object is deleted.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    let names = keyPaths.map { Fief._name(for: $0) }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }

  /// Begins the observation here or on a queue.
  func observing(
    _ keyPaths: [String]?, _ queue: DispatchQueue?, _ call: @escaping (Self, [PropertyChange]?) -> Void
  ) -> NotificationToken {
    Registration.on(queue, self, observedSession(), Self.observation(keyPaths, call))
  }

  /// The session in which the object is observed; traps when it cannot be.
  func observedSession() -> Session {
    guard let session = heldSession else { Misuse.unmanaged("observe()") }
    session.checkObservable("An object")
    if !hasRow { Misuse.invalidated(self) }
    return session
  }

  /// How an observation of an object is made that tells a block.
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
