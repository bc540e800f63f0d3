#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  public import Combine
  public import Fief

  // Operators that make live values fit for other threads. Each exists for objects and collections, and for changes.

  extension Publisher where Output: ThreadConfined {
    /// Freezes each object or collection, so that any scheduler can deliver it.
    ///
    ///     cancellable = dogs.collectionPublisher.freeze().receive(on: DispatchQueue.global())
    ///       .sink(receiveCompletion: { _ in }, receiveValue: { dogs in print(dogs.count) })
    ///
    /// Traps for an unmanaged value.
    public func freeze() -> Publishers.Map<Self, Output> {
      // A section is published without elements, too, and may have some again.
      map { $0.isInvalidated ? Transfer.frozen($0) : $0.freeze() }
    }

    /// Lets the next `receive(on:)` pass each object or collection to a serial queue as a `ThreadSafeReference`.
    ///
    ///     cancellable = dogs.collectionPublisher.map { $0.where { $0.age > 2 } }
    ///       .threadSafeReference().receive(on: queue)
    ///       .sink(receiveCompletion: { _ in }, receiveValue: { dogs in print(dogs.count) })
    public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> { RealmPublishers.MakeThreadSafe(self) }
  }

  extension Publisher where Output: _ObservedChange {
    /// Freezes the collection or the object of each change, and the objects and collections among its values.
    ///
    ///     cancellable = dogs.changesetPublisher.freeze().receive(on: DispatchQueue.global())
    ///       .sink { change in print(change) }
    public func freeze() -> Publishers.Map<Self, Output> { map { Transfer.frozen($0) } }

    /// Lets the next `receive(on:)` pass each change to a serial queue, with a reference to the collection or the
    /// object. Objects among the old and new values are frozen.
    ///
    ///     cancellable = dogs.changesetPublisher.threadSafeReference().receive(on: queue).sink { change in
    ///       if case .update(let dogs, _, let insertions, _) = change { print(dogs.count, insertions) }
    ///     }
    public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> { RealmPublishers.MakeThreadSafe(self) }
  }
#endif
