import Dispatch

// Observing by key paths. Those that begin at the element are declared for each sort of element, so that `[\.name]`
// says enough; what begins at a class above it is said with its name: `[\Animal.name]`.

extension _Observed where _ObservedElement: ObjectBase {
  /// Calls a block with the thing as it is, and then whenever it changes; as `observe(keyPaths:on:_:)` with names does.
  ///
  ///     token = dogs.observe(keyPaths: [\.name, \.toy?.color]) { change in … }
  public func observe(
    keyPaths: [PartialKeyPath<_ObservedElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the thing as it is, and then whenever it changes; as `observe(keyPaths:on:_:)` with
  /// names does.
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
  /// Calls a block with the thing as it is, and then whenever it changes; as `observe(keyPaths:on:_:)` with names does.
  public func observe(
    keyPaths: [PartialKeyPath<_ObservedElement.Wrapped>], on queue: DispatchQueue? = nil,
    _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the thing as it is, and then whenever it changes; as `observe(keyPaths:on:_:)` with
  /// names does.
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
  /// Calls a block with the thing as it is, and then whenever it changes; as `observe(keyPaths:on:_:)` with the names
  /// of the root's properties does.
  public func observe(
    keyPaths: [PartialKeyPath<_ObservedElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the thing as it is, and then whenever it changes; as `observe(keyPaths:on:_:)` with
  /// the names of the root's properties does.
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
  /// Calls a block with the thing as it is, and then whenever it changes; with key paths of any class whose properties
  /// the elements have.
  @_disfavoredOverload
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil, _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the thing as it is, and then whenever it changes; with key paths of any class whose
  /// properties the elements have.
  @_disfavoredOverload
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, _Change) -> Void
  ) async -> NotificationToken {
    let names = keyPaths.map { _name(for: $0) }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }
}
