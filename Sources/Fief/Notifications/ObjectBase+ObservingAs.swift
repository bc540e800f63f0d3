import Dispatch

// Observing an object as one of another class: of a variable of a base type, or by key paths of a class above.

extension ThreadConfined where Self: ObjectBase {
  /// Calls a block with the object as one of another class, which must be its own or one above it; else this traps.
  ///
  ///     let object: Object = dog
  ///     token = object.observe { (change: ObjectChange<Dog>) in … }
  @_disfavoredOverload
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    requireClass(T.self)
    return observing(keyPaths, queue) { object, changes in
      block(ObjectChange(unsafeDowncast(object, to: T.self), changes))
    }
  }

  /// The same with key paths of that class.
  ///
  ///     token = object.observe(keyPaths: [\Dog.name]) { change in … }
  @_disfavoredOverload
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the object as one of another class, which must be its own or one above it; else
  /// this traps. The observation has begun when this returns.
  @_disfavoredOverload
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [String]? = nil, on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    requireClass(T.self)
    let held = WeakActor(actor)
    return await Registration.on(
      actor, self, observedSession(), isolation: isolation,
      Self.observation(keyPaths) { object, changes in
        Registration.call(held.actor, block, ObjectChange(unsafeDowncast(object, to: T.self), changes))
      })
  }

  /// The same with key paths of that class.
  @_disfavoredOverload
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    let names = keyPaths.map { _name(for: $0) }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }

  private func requireClass<T: ObjectBase>(_ type: T.Type) {
    if self is T { return }
    fatalError(
      "An object of class '\(Swift.type(of: self).className())' was observed as one of class '\(T.className())'.")
  }
}
