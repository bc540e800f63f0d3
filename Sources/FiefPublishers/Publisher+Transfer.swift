#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  public import Combine
  public import Fief

  // Operators that make live values fit for other threads. Each exists for objects and collections, and for the four
  // kinds of changes.

  extension Publisher where Output: ThreadConfined {
    /// Freezes each object or collection, so that any scheduler can deliver it.
    ///
    ///     cancellable = dogs.collectionPublisher.freeze().receive(on: DispatchQueue.global())
    ///       .sink(receiveCompletion: { _ in }, receiveValue: { dogs in print(dogs.count) })
    ///
    /// Traps for an unmanaged value.
    public func freeze() -> Publishers.Map<Self, Output> { map { $0.freeze() } }

    /// Lets the next `receive(on:)` pass each object or collection to a serial queue as a `ThreadSafeReference`.
    ///
    ///     cancellable = dogs.collectionPublisher.map { $0.where { $0.age > 2 } }
    ///       .threadSafeReference().receive(on: queue)
    ///       .sink(receiveCompletion: { _ in }, receiveValue: { dogs in print(dogs.count) })
    public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> { RealmPublishers.MakeThreadSafe(self) }
  }

  extension Publisher {
    /// Freezes the collection of each change.
    ///
    ///     cancellable = dogs.changesetPublisher.freeze().receive(on: DispatchQueue.global())
    ///       .sink { change in print(change) }
    public func freeze<C>() -> Publishers.Map<Self, Output> where Output == RealmCollectionChange<C> { frozen() }

    /// Freezes the map of each change.
    ///
    ///     let changes = person.scores.changesetPublisher.freeze()
    public func freeze<M>() -> Publishers.Map<Self, Output> where Output == RealmMapChange<M> { frozen() }

    /// Freezes the sections of each change.
    ///
    ///     let changes = dogs.sectioned(by: \.age).changesetPublisher.freeze()
    public func freeze<S>() -> Publishers.Map<Self, Output> where Output == SectionedResultsChange<S> { frozen() }

    /// Freezes the object of each change, and the objects and collections among its values.
    ///
    ///     let changes = changesetPublisher(dog).freeze()
    public func freeze<T>() -> Publishers.Map<Self, Output> where Output == ObjectChange<T> { frozen() }

    /// Lets the next `receive(on:)` pass each change to a serial queue, with a reference to the collection.
    ///
    ///     cancellable = dogs.changesetPublisher.threadSafeReference().receive(on: queue).sink { change in
    ///       if case .update(let dogs, _, let insertions, _) = change { print(dogs.count, insertions) }
    ///     }
    public func threadSafeReference<C>() -> RealmPublishers.MakeThreadSafe<Self>
    where Output == RealmCollectionChange<C> { RealmPublishers.MakeThreadSafe(self) }

    /// Lets the next `receive(on:)` pass each change to a serial queue, with a reference to the map.
    ///
    ///     cancellable = person.scores.changesetPublisher.threadSafeReference().receive(on: queue).sink { change in
    ///       if case .update(let scores, _, let insertions, _) = change { print(scores.count, insertions) }
    ///     }
    public func threadSafeReference<M>() -> RealmPublishers.MakeThreadSafe<Self> where Output == RealmMapChange<M> {
      RealmPublishers.MakeThreadSafe(self)
    }

    /// Lets the next `receive(on:)` pass each change to a serial queue, with a reference to the sections.
    ///
    ///     cancellable = dogs.sectioned(by: \.age).changesetPublisher.threadSafeReference().receive(on: queue)
    ///       .sink { change in print(change) }
    public func threadSafeReference<S>() -> RealmPublishers.MakeThreadSafe<Self>
    where Output == SectionedResultsChange<S> { RealmPublishers.MakeThreadSafe(self) }

    /// Lets the next `receive(on:)` pass each change to a serial queue, with a reference to the object. Objects among
    /// the old and new values are frozen.
    ///
    ///     cancellable = changesetPublisher(dog).threadSafeReference().receive(on: queue).sink { change in
    ///       if case .change(let dog, let properties) = change { print(dog.name, properties.map { $0.name }) }
    ///     }
    public func threadSafeReference<T>() -> RealmPublishers.MakeThreadSafe<Self> where Output == ObjectChange<T> {
      RealmPublishers.MakeThreadSafe(self)
    }

    private func frozen() -> Publishers.Map<Self, Output> { map { Transfer.frozen($0) } }
  }
#endif
