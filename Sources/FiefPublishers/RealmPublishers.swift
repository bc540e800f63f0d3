#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  public import Combine
  public import Fief

  /// The publishers of objects, collections and realms.
  ///
  ///     cancellable = realm.objects(Dog.self).collectionPublisher
  ///       .map { dogs in dogs.count }
  ///       .sink(receiveCompletion: { _ in }, receiveValue: { count in print(count) })
  ///
  /// Applications rarely name these types: `collectionPublisher`, `changesetPublisher`, `valuePublisher` and
  /// `objectWillChange` make the publishers. Most names stand for one type, `Changes`.
  public enum RealmPublishers {
    /// Publishes an object, a collection, a map, a projection or sections after each change, and a collection, a map or
    /// sections at the beginning, too. It completes when the object is deleted, or the object that has the collection.
    ///
    ///     let dogs: RealmPublishers.Value<Results<Dog>> = realm.objects(Dog.self).collectionPublisher
    public typealias Value<Subscribable: RealmSubscribable> = Changes<Subscribable, any Error>
    /// Publishes the changes of a collection, beginning with its state.
    ///
    ///     let changes: RealmPublishers.CollectionChangeset<List<Dog>> = person.dogs.changesetPublisher
    public typealias CollectionChangeset<Collection: RealmCollection> = Changes<
      RealmCollectionChange<Collection>, Never
    >
    /// Publishes the changes of a map, beginning with its state.
    ///
    ///     let changes: RealmPublishers.MapChangeset<Map<String, Int>> = person.scores.changesetPublisher
    public typealias MapChangeset<Map: RealmKeyedCollection> = Changes<RealmMapChange<Map>, Never>
    /// Publishes the changes of sections, beginning with their state.
    public typealias SectionedResultsChangeset<Sections: RealmSectionedResult> = Changes<
      SectionedResultsChange<Sections>, Never
    >
    /// Publishes the changes of one section, beginning with its state.
    public typealias SectionChangeset<Section: RealmSectionedResult> = Changes<SectionedResultsChange<Section>, Never>
    /// Publishes the changes of an object or a projection. It completes when the object is deleted.
    ///
    ///     let changes: RealmPublishers.ObjectChangeset<Dog> = changesetPublisher(dog)
    public typealias ObjectChangeset<Object: ThreadConfined> = Changes<ObjectChange<Object>, Never>

    // What `saveToken(on:at:)` returns.

    /// Publishes like `Value`, and stores the token of the observation.
    public typealias ValueWithToken<Subscribable: RealmSubscribable, Holder> = Value<Subscribable>
    /// Publishes like `CollectionChangeset`, and stores the token of the observation.
    public typealias CollectionChangesetWithToken<Collection: RealmCollection, Holder> = CollectionChangeset<Collection>
    /// Publishes like `MapChangeset`, and stores the token of the observation.
    public typealias MapChangesetWithToken<Map: RealmKeyedCollection, Holder> = MapChangeset<Map>
    /// Publishes like `SectionedResultsChangeset`, and stores the token of the observation.
    public typealias SectionedResultsChangesetWithToken<Sections: RealmSectionedResult, Holder> =
      SectionedResultsChangeset<Sections>
    /// Publishes like `SectionChangeset`, and stores the token of the observation.
    public typealias SectionChangesetWithToken<Section: RealmSectionedResult, Holder> = SectionChangeset<Section>
    /// Publishes like `ObjectChangeset`, and stores the token of the observation.
    public typealias ObjectChangesetWithToken<Object: ThreadConfined, Holder> = ObjectChangeset<Object>
    /// Publishes like `WillChange`, and stores the token of the observation.
    public typealias WillChangeWithToken<Subscribable: RealmSubscribable, Holder> = WillChange<Subscribable>
    /// Publishes like `RealmWillChange`, and stores the token of the observation.
    public typealias RealmWillChangeWithToken<Holder> = RealmWillChange

    // What `threadSafeReference()`, and `receive(on:)` after it, return.

    /// Passes changes of collections as references.
    public typealias MakeThreadSafeCollectionChangeset<Upstream: Publisher, Collection> = MakeThreadSafe<Upstream>
    /// Passes changes of maps as references.
    public typealias MakeThreadSafeKeyedCollectionChangeset<Upstream: Publisher, Map> = MakeThreadSafe<Upstream>
    /// Passes changes of objects as references.
    public typealias MakeThreadSafeObjectChangeset<Upstream: Publisher, Object> = MakeThreadSafe<Upstream>
    /// Passes changes of sections as references.
    public typealias MakeThreadSafeSectionedResultsChangeset<Upstream: Publisher, Sections> = MakeThreadSafe<Upstream>
    /// Passes changes of a section as references.
    public typealias MakeThreadSafeSectionChangeset<Upstream: Publisher, Section> = MakeThreadSafe<Upstream>
    /// Delivers objects and collections on a queue.
    public typealias DeferredHandover<Upstream: Publisher, S: Scheduler> = Handover<Upstream, S>
    /// Delivers changes of collections on a queue.
    public typealias DeferredHandoverCollectionChangeset<Upstream: Publisher, Collection, S: Scheduler> = Handover<
      Upstream, S
    >
    /// Delivers changes of maps on a queue.
    public typealias DeferredHandoverKeyedCollectionChangeset<Upstream: Publisher, Map, S: Scheduler> = Handover<
      Upstream, S
    >
    /// Delivers changes of objects on a queue.
    public typealias DeferredHandoverObjectChangeset<Upstream: Publisher, Object, S: Scheduler> = Handover<Upstream, S>
    /// Delivers changes of sections on a queue.
    public typealias DeferredHandoverSectionedResultsChangeset<Upstream: Publisher, Sections, S: Scheduler> = Handover<
      Upstream, S
    >
    /// Delivers changes of a section on a queue.
    public typealias DeferredHandoverSectionChangeset<Upstream: Publisher, Section, S: Scheduler> = Handover<
      Upstream, S
    >
  }
#endif
