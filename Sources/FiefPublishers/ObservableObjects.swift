#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  public import Combine
  public import Fief

  // Objects and collections as views and view models observe them. In spite of its name, `objectWillChange` publishes
  // after each change.

  extension Object: ObservableObject {
    /// Publishes after each change of the object.
    ///
    ///     cancellable = dog.objectWillChange.sink { print("the dog has changed") }
    ///
    /// Subscribing traps for an unmanaged, frozen or deleted object.
    public var objectWillChange: RealmPublishers.WillChange<Object> { RealmPublishers.WillChange(self) }
  }

  extension EmbeddedObject: ObservableObject {
    /// Publishes after each change of the object. Subscribing traps for an unmanaged, frozen or deleted object.
    ///
    ///     cancellable = address.objectWillChange.sink { print("the address has changed") }
    public var objectWillChange: RealmPublishers.WillChange<EmbeddedObject> { RealmPublishers.WillChange(self) }
  }

  extension Projection: ObservableObject {
    /// Publishes after each change of a projected property. Subscribing traps when the root object is unmanaged, frozen
    /// or deleted.
    ///
    ///     let view = PersonView(projecting: person)
    ///     cancellable = view.objectWillChange.sink { print("now \(view.name)") }
    public var objectWillChange: RealmPublishers.WillChange<Projection> { RealmPublishers.WillChange(self) }
  }

  extension List: ObservableObject {
    /// Publishes soon after the subscription, and after each change of the list or of its elements. Subscribing traps
    /// when it is unmanaged or frozen.
    ///
    ///     cancellable = person.dogs.objectWillChange.sink { print(person.dogs.count) }
    public var objectWillChange: RealmPublishers.WillChange<List> { RealmPublishers.WillChange(self) }
  }

  extension MutableSet: ObservableObject {
    /// Publishes soon after the subscription, and after each change of the set or of its elements. Subscribing traps
    /// when it is unmanaged or frozen.
    ///
    ///     cancellable = person.tags.objectWillChange.sink { print(person.tags.contains("tall")) }
    public var objectWillChange: RealmPublishers.WillChange<MutableSet> { RealmPublishers.WillChange(self) }
  }

  extension Map: ObservableObject {
    /// Publishes soon after the subscription, and after each change of the map or of its values. Subscribing traps when
    /// it is unmanaged or frozen.
    ///
    ///     cancellable = person.scores.objectWillChange.sink { print(person.scores["chess"] ?? 0) }
    public var objectWillChange: RealmPublishers.WillChange<Map> { RealmPublishers.WillChange(self) }
  }

  extension _Observed where Self: RealmSubscribable {
    /// Publishes soon after the subscription, and after each change of the elements.
    ///
    ///     let old = dogs.where { $0.age > 9 }
    ///     cancellable = old.objectWillChange.sink { print(old.count) }
    public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }
  }

  extension Realm {
    /// Publishes after each commit of the realm, and after each advance to a commit of another one.
    ///
    ///     cancellable = realm.objectWillChange.sink { print(realm.version) }
    public var objectWillChange: RealmPublishers.RealmWillChange { RealmPublishers.RealmWillChange(self) }
  }
#endif
