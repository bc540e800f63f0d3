#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  public import Fief

  extension _Observed where Self: RealmSubscribable {
    /// Publishes the collection, the map or the sections: soon after the subscription, and after each change.
    ///
    ///     cancellable = realm.objects(Dog.self).collectionPublisher
    ///       .sink(receiveCompletion: { _ in }, receiveValue: { dogs in print(dogs.count) })
    public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: [String]?.none) }

    /// Publishes the collection, the map or the sections: soon after the subscription, and after each insertion,
    /// deletion, and change on the key paths.
    ///
    ///     cancellable = dogs.collectionPublisher(keyPaths: ["name", "toy.color"])
    ///       .sink(receiveCompletion: { _ in }, receiveValue: { dogs in print(dogs.count) })
    ///
    /// - Parameter keyPaths: names of properties of the elements, or dotted paths of names; nil for all. Subscribing
    ///   traps for unknown names.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
      RealmPublishers.Changes(of: self, keyPaths)
    }

    /// Publishes the changes of the collection, the map or the sections, beginning with their state.
    ///
    ///     cancellable = person.dogs.changesetPublisher.sink { change in
    ///       if case .update(let dogs, _, let insertions, _) = change { print(insertions.map { dogs[$0].name }) }
    ///     }
    public var changesetPublisher: RealmPublishers.Changes<_Change, Never> {
      changesetPublisher(keyPaths: [String]?.none)
    }

    /// Publishes the changes of the collection, the map or the sections, with modifications on the key paths only.
    ///
    ///     cancellable = dogs.changesetPublisher(keyPaths: ["name"]).sink { change in print(change) }
    ///
    /// - Parameter keyPaths: names of properties of the elements, or dotted paths of names; nil for all. Subscribing
    ///   traps for unknown names.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.Changes<_Change, Never> {
      RealmPublishers.Changes(changesOf: self, keyPaths)
    }
  }

  extension _Observed where Self: RealmSubscribable, _ObservedElement: _ObjectRepresentable {
    /// Publishes the collection like `collectionPublisher(keyPaths:)` with names.
    ///
    ///     let byName = dogs.collectionPublisher(keyPaths: [\.name])
    public func collectionPublisher(keyPaths: [PartialKeyPath<_ObservedElement>]) -> RealmPublishers.Value<Self> {
      collectionPublisher(keyPaths: keyPaths.map { _name(for: $0) })
    }

    /// Publishes the changes like `changesetPublisher(keyPaths:)` with names.
    ///
    ///     cancellable = dogs.changesetPublisher(keyPaths: [\.name]).sink { change in print(change) }
    public func changesetPublisher(keyPaths: [PartialKeyPath<_ObservedElement>])
      -> RealmPublishers.Changes<_Change, Never>
    { changesetPublisher(keyPaths: keyPaths.map { _name(for: $0) }) }
  }

  extension _Observed where Self: RealmSubscribable, _ObservedElement: _OptionalObject {
    /// Publishes the map like `collectionPublisher(keyPaths:)` with names.
    ///
    ///     let byName = person.pets.collectionPublisher(keyPaths: [\.name])
    public func collectionPublisher(keyPaths: [PartialKeyPath<_ObservedElement.Wrapped>])
      -> RealmPublishers.Value<Self>
    { collectionPublisher(keyPaths: keyPaths.map { _name(for: $0) }) }

    /// Publishes the changes like `changesetPublisher(keyPaths:)` with names.
    ///
    ///     cancellable = person.pets.changesetPublisher(keyPaths: [\.name]).sink { change in print(change) }
    public func changesetPublisher(keyPaths: [PartialKeyPath<_ObservedElement.Wrapped>])
      -> RealmPublishers.Changes<_Change, Never>
    { changesetPublisher(keyPaths: keyPaths.map { _name(for: $0) }) }
  }

  extension RealmCollection {
    /// Publishes the collection like `collectionPublisher`. It replaces the publisher of the elements that every
    /// sequence has.
    ///
    ///     cancellable = dogs.publisher.sink(receiveCompletion: { _ in }, receiveValue: { dogs in print(dogs.count) })
    public var publisher: RealmPublishers.Value<Self> { collectionPublisher }
  }

  extension RealmSectionedResult {
    /// Publishes the sections like `collectionPublisher`. It replaces the publisher of the elements that every sequence
    /// has.
    ///
    ///     cancellable = dogs.sectioned(by: \.age).publisher
    ///       .sink(receiveCompletion: { _ in }, receiveValue: { ages in print(ages.allKeys) })
    public var publisher: RealmPublishers.Value<Self> { collectionPublisher }
  }
#endif
