import Dispatch

// Observing by key paths. Each kind of element has its own declarations, so that `[\.name]` needs no type. A key path
// of a superclass needs the class name: `[\Animal.name]`.

extension _Observed where _ObservedElement: ObjectBase {
  /// Calls a block with the current state, then after every change, like `observe(keyPaths:on:_:)` with names.
  ///
  ///     token = dogs.observe(keyPaths: [\.name, \.toy?.color]) { change in … }
  public func observe(
    keyPaths: [PartialKeyPath<_ObservedElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the current state, then after every change, like `observe(keyPaths:on:_:)` with
  /// names.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<_ObservedElement>], on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, _Change) -> Void
  ) async -> NotificationToken {
    let names = keyPaths.map { _name(for: $0) }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }
}

extension _Observed where _ObservedElement: _OptionalObject {
  /// Calls a block with the current state, then after every change, like `observe(keyPaths:on:_:)` with names.
  public func observe(
    keyPaths: [PartialKeyPath<_ObservedElement.Wrapped>], on queue: DispatchQueue? = nil,
    _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the current state, then after every change, like `observe(keyPaths:on:_:)` with
  /// names.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<_ObservedElement.Wrapped>], on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, _Change) -> Void
  ) async -> NotificationToken {
    let names = keyPaths.map { _name(for: $0) }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }
}

extension _Observed where _ObservedElement: ProjectionObservable {
  /// Calls a block with the current state, then after every change, like `observe(keyPaths:on:_:)` with the names of
  /// the root's properties.
  public func observe(
    keyPaths: [PartialKeyPath<_ObservedElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the current state, then after every change, like `observe(keyPaths:on:_:)` with the
  /// names of the root's properties.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<_ObservedElement>], on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, _Change) -> Void
  ) async -> NotificationToken {
    let names = keyPaths.map { _name(for: $0) }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }
}

extension _Observed {
  /// Calls a block with the current state, then after every change. The key paths may start at any class whose
  /// properties the elements have.
  @_disfavoredOverload
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil, _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the current state, then after every change. The key paths may start at any class
  /// whose properties the elements have.
  @_disfavoredOverload
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, _Change) -> Void
  ) async -> NotificationToken {
    let names = keyPaths.map { _name(for: $0) }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }
}
