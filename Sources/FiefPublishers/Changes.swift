#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  public import Combine
  import Dispatch
  import Fief

  extension RealmPublishers {
    /// Publishes what an observation reports. `RealmPublishers` lists the names under which it is known.
    ///
    ///     cancellable = valuePublisher(dog)
    ///       .subscribe(on: queue)
    ///       .sink(receiveCompletion: { _ in print("gone") }, receiveValue: { dog in print(dog.name) })
    ///
    /// The observation begins when a subscriber arrives, and ends when it cancels. The values come where an observation
    /// of the value calls its block, and never during the subscription. One value may cover several commits. The demand
    /// of subscribers is ignored: a change that a subscriber did not receive would be missing in its state.
    ///
    /// Subscribing traps where observing does: for values that are unmanaged, frozen or deleted, for unknown key paths,
    /// in a write that has changed something, and on a thread whose run loop is not running.
    public struct Changes<Output, Failure: Error>: Publisher {
      /// Begins an observation on a queue, or here.
      typealias Begin = (
        _ queue: DispatchQueue?, _ send: @escaping (Output) -> Void, _ finish: @escaping () -> Void
      ) -> NotificationToken

      private let begin: Begin
      private var queue: DispatchQueue?
      private var keep: ((NotificationToken) -> Void)?

      init(_ begin: @escaping Begin) { self.begin = begin }

      /// Begins an observation for a subscriber.
      public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let subscription = ChangeSubscription(subscriber)
        subscriber.receive(subscription: subscription)
        subscription.begin {
          let token = begin(queue, { subscription.send($0) }, { subscription.finish() })
          keep?(token)
          return { token.invalidate() }
        }
      }

      /// Observes on a serial queue. The values are then live in the realm of the queue, and come when that realm
      /// advances to another version: a change and its collection belong together. It has to be the first operator.
      ///
      ///     cancellable = dogs.changesetPublisher.subscribe(on: queue).sink { change in print(change) }
      ///
      /// - Parameter scheduler: a serial `DispatchQueue`. Traps for any other scheduler.
      public func subscribe<S: Scheduler>(on scheduler: S) -> Self {
        var other = self
        other.queue = SerialQueue.of(scheduler)
        return other
      }

      /// Delivers the values on a serial queue, live in the realm of the queue. They are observed where the publisher
      /// was made, and arrive some time later. The realm of the queue may then show a later version, in which the
      /// positions of a change are other ones: use `subscribe(on:)` if the positions matter.
      ///
      ///     cancellable = valuePublisher(dog).receive(on: queue)
      ///       .sink(receiveCompletion: { _ in }, receiveValue: { dog in print(dog.name) })
      ///
      /// A value that does not exist any more when it arrives is left out.
      ///
      /// - Parameter scheduler: a serial `DispatchQueue`. Traps for any other scheduler.
      public func receive<S: Scheduler>(on scheduler: S) -> Handover<Self, S> { Handover(self, on: scheduler) }

      /// Stores the token of the observation when a subscriber arrives, so that writes can leave it out.
      ///
      ///     cancellable = dogs.collectionPublisher
      ///       .saveToken(on: self, at: \.token)
      ///       .sink(receiveCompletion: { _ in }, receiveValue: { dogs in print(dogs.count) })
      ///     try realm.write(withoutNotifying: [token!]) { dogs[0].age += 1 }
      ///
      /// - Parameters:
      ///   - object: an instance of a class.
      ///   - keyPath: the property that receives the token.
      public func saveToken<Holder>(on object: Holder, at keyPath: WritableKeyPath<Holder, NotificationToken?>) -> Self
      {
        var other = self
        other.keep = { token in
          var holder = object
          holder[keyPath: keyPath] = token
        }
        return other
      }
    }
  }

  extension RealmPublishers.Changes {
    /// Publishes the states of a value.
    init(of thing: Output, _ keyPaths: [String]?) where Output: RealmSubscribable {
      self.init { queue, send, finish in
        thing.follow(keyPaths, on: queue) { value, _ in
          if let value { send(value) } else { finish() }
        }
      }
    }

    /// Publishes the changes of a collection, a map or sections.
    init<Thing: _Observed>(changesOf thing: Thing, _ keyPaths: [String]?) where Output == Thing._Change {
      self.init { queue, send, _ in thing.observe(keyPaths: keyPaths, on: queue, send) }
    }

    /// Publishes the changes of an object or a projection. Its deletion is the completion.
    init<Thing>(
      _ observe: @escaping (DispatchQueue?, @escaping (ObjectChange<Thing>) -> Void) -> NotificationToken
    ) where Output == ObjectChange<Thing> {
      self.init { queue, send, finish in
        observe(queue) { change in
          if case .deleted = change { finish() } else { send(change) }
        }
      }
    }
  }
#endif
