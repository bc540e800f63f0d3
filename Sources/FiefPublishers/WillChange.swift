#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  public import Combine
  public import Fief

  extension RealmPublishers {
    /// Publishes each change of an object, a collection, a map, a projection or sections.
    ///
    ///     let changes: RealmPublishers.WillChange<List<Dog>> = person.dogs.objectWillChange
    ///     cancellable = changes.sink { print(person.dogs.count) }
    public typealias WillChange<Subscribable: RealmSubscribable> = ChangeSignals
    /// Publishes each new version that a realm shows, after its own commits and those of other realms.
    ///
    ///     let changes: RealmPublishers.RealmWillChange = realm.objectWillChange
    ///     cancellable = changes.sink { print(realm.version) }
    public typealias RealmWillChange = ChangeSignals

    /// Publishes each change of a value or a realm, without saying what it is. In spite of the name `objectWillChange`,
    /// which views expect, it publishes after the change. For collections, maps and sections it also publishes once,
    /// soon after the subscription.
    ///
    ///     cancellable = person.dogs.objectWillChange.sink { print(person.dogs.count) }
    public struct ChangeSignals: Publisher {
      /// Nothing.
      public typealias Output = Void
      /// It does not fail.
      public typealias Failure = Never

      private var changes: Changes<Void, Never>

      init(of thing: some RealmSubscribable) {
        changes = Changes { queue, send, finish in
          thing.follow(nil, on: queue) { value, _ in
            send(())
            if value == nil { finish() }
          }
        }
      }

      init(of realm: Realm) {
        changes = Changes { _, send, _ in realm.observe { _, _ in send(()) } }
      }

      /// Begins an observation for a subscriber. Traps where observing does.
      public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
        changes.receive(subscriber: subscriber)
      }

      /// Stores the token of the observation when a subscriber arrives, so that writes can leave it out.
      ///
      ///     cancellable = person.dogs.objectWillChange.saveToken(on: holder, at: \.token).sink { print("changed") }
      ///     try realm.write(withoutNotifying: [holder.token!]) { person.dogs.removeAll() }
      ///
      /// - Parameters:
      ///   - object: an instance of a class.
      ///   - keyPath: the property that receives the token.
      public func saveToken<Holder>(on object: Holder, at keyPath: WritableKeyPath<Holder, NotificationToken?>) -> Self
      {
        var other = self
        other.changes = changes.saveToken(on: object, at: keyPath)
        return other
      }

      /// Stores the token as `saveToken(on:at:)` does. Realm Swift has this name.
      public func saveToken<Holder>(on object: Holder, for keyPath: WritableKeyPath<Holder, NotificationToken?>) -> Self
      {
        saveToken(on: object, at: keyPath)
      }
    }
  }
#endif
