#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  public import Combine
  public import Fief

  // Objects and collections as views and view models observe them.

  extension RealmSubscribable {
    /// Publishes after each change of the value, in spite of its name: of the properties that a projection shows, and
    /// of the elements of a collection. For collections, maps and sections it also publishes soon after the
    /// subscription.
    ///
    ///     cancellable = dog.objectWillChange.sink { print("the dog has changed") }
    ///
    /// Subscribing traps for a value that is unmanaged, frozen or deleted.
    public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.ChangeSignals(of: self) }
  }

  extension Object: ObservableObject {
    /// The publisher of changes.
    public typealias ObjectWillChangePublisher = RealmPublishers.ChangeSignals
  }

  extension EmbeddedObject: ObservableObject {
    /// The publisher of changes.
    public typealias ObjectWillChangePublisher = RealmPublishers.ChangeSignals
  }

  extension Projection: ObservableObject {
    /// The publisher of changes.
    public typealias ObjectWillChangePublisher = RealmPublishers.ChangeSignals
  }

  extension List: ObservableObject {
    /// The publisher of changes.
    public typealias ObjectWillChangePublisher = RealmPublishers.ChangeSignals
  }

  extension MutableSet: ObservableObject {
    /// The publisher of changes.
    public typealias ObjectWillChangePublisher = RealmPublishers.ChangeSignals
  }

  extension Map: ObservableObject {
    /// The publisher of changes.
    public typealias ObjectWillChangePublisher = RealmPublishers.ChangeSignals
  }

  extension Realm {
    /// Publishes after each commit of the realm, and after each advance to a commit of another one.
    ///
    ///     cancellable = realm.objectWillChange.sink { print(realm.version) }
    public var objectWillChange: RealmPublishers.RealmWillChange { RealmPublishers.ChangeSignals(of: self) }
  }
#endif
