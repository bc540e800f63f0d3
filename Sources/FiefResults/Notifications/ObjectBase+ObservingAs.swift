import Dispatch
import FiefObjects

// Observing an object as an instance of another class: a variable of a base type, or key paths of a superclass.

extension ThreadConfined where Self: ObjectBase {
  /// Calls a block with the object cast to `T`. Traps when `T` is neither its class nor a superclass.
  ///
  ///     let object: Object = dog
  ///     token = object.observe { (change: ObjectChange<Dog>) in print(change) }
  ///
  /// Otherwise as `observe(keyPaths:on:_:)` of the object's own class.
  @_disfavoredOverload
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    requireClass(T.self)
    return observing(keyPaths, on: queue) { object, changes in
      unsafe block(ObjectChange(unsafeDowncast(object, to: T.self), changes))
    }
  }

  /// Calls a block with the object cast to `T` when a value on one of the key paths of `T` changes.
  ///
  ///     let object: Object = dog
  ///     token = object.observe(keyPaths: [\Dog.name]) { change in print(change) }
  ///
  /// Traps when `T` is neither the object's class nor a superclass. Otherwise as `observe(keyPaths:on:_:)` of the
  /// object's own class.
  @_disfavoredOverload
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the object cast to `T`. Traps when `T` is neither its class nor a superclass. The
  /// observation has begun when this returns.
  ///
  ///     let object: Object = dog
  ///     token = await object.observe(on: MainActor.shared) { (_, change: ObjectChange<Dog>) in print(change) }
  @_disfavoredOverload
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [String]? = nil, on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    requireClass(T.self)
    return await Registration.begin(
      of: self, in: observedSession(), on: actor, isolation: isolation, deletion: .deleted, block
    ) { call in
      Self.observation(keyPaths) { object, changes in
        unsafe call(ObjectChange(unsafeDowncast(object, to: T.self), changes))
      }
    }
  }

  /// Calls a block on an actor with the object cast to `T` when a value on one of the key paths of `T` changes. The
  /// observation has begun when this returns. Traps when `T` is neither the object's class nor a superclass.
  ///
  ///     let object: Object = dog
  ///     token = await object.observe(keyPaths: [\Dog.name], on: MainActor.shared) { _, change in print(change) }
  @_disfavoredOverload
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: isolation, block)
  }

  private func requireClass<T: ObjectBase>(_ type: T.Type) {
    if self is T { return }
    fatalError(
      "An object of class '\(Swift.type(of: self).className())' was observed as one of class '\(T.className())'.")
  }
}
