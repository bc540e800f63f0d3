#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  public import Fief

  /// Publishes an object, a collection, a map, a projection or sections after each change. It completes when the object
  /// is deleted, or the object that has the collection.
  ///
  ///     cancellable = valuePublisher(dog, keyPaths: ["name"])
  ///       .sink(receiveCompletion: { _ in print("gone") }, receiveValue: { dog in print(dog.name) })
  ///
  /// - Parameters:
  ///   - value: a managed value. Collections, maps and sections are also published at the beginning.
  ///   - keyPaths: names of properties, or dotted paths of names; nil for all. Subscribing traps for unknown names.
  public func valuePublisher<T: RealmSubscribable>(_ value: T, keyPaths: [String]? = nil) -> RealmPublishers.Value<T> {
    RealmPublishers.Changes(of: value, keyPaths)
  }

  /// Publishes an object after each change of a value on the key paths.
  ///
  ///     let names = valuePublisher(dog, keyPaths: [\.name])
  public func valuePublisher<T: _ObjectRepresentable & RealmSubscribable>(_ object: T, keyPaths: [PartialKeyPath<T>])
    -> RealmPublishers.Value<T>
  { valuePublisher(object, keyPaths: keyPaths.map { _name(for: $0) }) }

  /// Publishes the changes of an object or a projection. It completes when the object is deleted.
  ///
  ///     cancellable = changesetPublisher(dog).sink { change in
  ///       if case .change(_, let properties) = change { print(properties.map { $0.name }) }
  ///     }
  ///
  /// - Parameters:
  ///   - object: a managed object, or a projection of one.
  ///   - keyPaths: names of properties, or dotted paths of names, for a projection those of its *root* as they are
  ///     projected; nil for all. Subscribing traps for unknown names of an object.
  public func changesetPublisher<T: _ObjectRepresentable & RealmSubscribable>(_ object: T, keyPaths: [String]? = nil)
    -> RealmPublishers.ObjectChangeset<T>
  {
    RealmPublishers.Changes { (queue, block: @escaping (ObjectChange<T>) -> Void) in
      object.observe(keyPaths: keyPaths, on: queue, block)
    }
  }

  /// Publishes the changes of an object on the key paths.
  ///
  ///     cancellable = changesetPublisher(dog, keyPaths: [\.name]).sink { change in print(change) }
  public func changesetPublisher<T: _ObjectRepresentable & RealmSubscribable>(
    _ object: T, keyPaths: [PartialKeyPath<T>]
  ) -> RealmPublishers.ObjectChangeset<T> { changesetPublisher(object, keyPaths: keyPaths.map { _name(for: $0) }) }

  /// Publishes the changes of a collection, a map or sections, beginning with their state.
  ///
  ///     cancellable = changesetPublisher(person.dogs, keyPaths: ["name"]).sink { change in print(change) }
  ///
  /// - Parameters:
  ///   - collection: a managed collection.
  ///   - keyPaths: names of properties of the elements, or dotted paths of names; nil for all. Subscribing traps for
  ///     unknown names.
  public func changesetPublisher<T: _Observed & RealmSubscribable>(_ collection: T, keyPaths: [String]? = nil)
    -> RealmPublishers.Changes<T._Change, Never>
  { collection.changesetPublisher(keyPaths: keyPaths) }
#endif
