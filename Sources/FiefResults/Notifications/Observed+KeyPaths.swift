import Dispatch
import FiefObjects

// Observing by key paths, otherwise as `observe(keyPaths:on:_:)` with names. Elements and optional ones have their own
// declarations, so that `[\.name]` needs no type. A key path of a superclass needs the class name: `[\Animal.name]`.

extension _Observed where _ObservedElement: _ObjectRepresentable {
  /// Calls a block with the current state, then after every change, like `observe(keyPaths:on:_:)` with names.
  ///
  ///     token = dogs.observe(keyPaths: [\.name, \.toy?.color]) { change in print(change) }
  ///
  /// - Parameters:
  ///   - keyPaths: properties of the elements, or paths over links; those of a projection stand for its root's. Only
  ///     changes on them make an element modified. Traps for a key path that passes no persisted property.
  ///   - queue: a serial queue for the calls. The block then gets the collection from a realm of that queue.
  ///   - block: called with the initial state and each change.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<_ObservedElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the current state, then after every change, like `observe(keyPaths:on:_:)` with
  /// names. The observation has begun when this returns.
  ///
  ///     token = await dogs.observe(keyPaths: [\.name], on: MainActor.shared) { _, change in print(change) }
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<_ObservedElement>], on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, _Change) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: isolation, block)
  }
}

extension _Observed where _ObservedElement: _OptionalObject {
  /// Calls a block with the current state, then after every change, like `observe(keyPaths:on:_:)` with names.
  ///
  ///     token = person.pets.observe(keyPaths: [\.name]) { change in print(change) }
  public func observe(
    keyPaths: [PartialKeyPath<_ObservedElement.Wrapped>], on queue: DispatchQueue? = nil,
    _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the current state, then after every change, like `observe(keyPaths:on:_:)` with
  /// names. The observation has begun when this returns.
  ///
  ///     token = await person.pets.observe(keyPaths: [\.name], on: MainActor.shared) { _, change in print(change) }
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<_ObservedElement.Wrapped>], on actor: A,
    _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, _Change) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: isolation, block)
  }
}

extension _Observed {
  /// Calls a block with the current state, then after every change. The key paths may start at any class whose
  /// properties the elements have.
  ///
  ///     token = dogs.observe(keyPaths: [\Animal.name]) { change in print(change) }
  @_disfavoredOverload
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil, _ block: @escaping (_Change) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor with the current state, then after every change. The key paths may start at any class
  /// whose properties the elements have. The observation has begun when this returns.
  ///
  ///     token = await dogs.observe(keyPaths: [\Animal.name], on: MainActor.shared) { _, change in print(change) }
  @_disfavoredOverload
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, _Change) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: isolation, block)
  }
}
