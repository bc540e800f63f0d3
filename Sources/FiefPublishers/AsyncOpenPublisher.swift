#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  public import Combine
  import Dispatch
  public import Fief

  extension Realm {
    /// Opens a store in the background, and publishes a realm.
    ///
    ///     cancellable = Realm.asyncOpen(configuration: configuration).sink(
    ///       receiveCompletion: { completion in print(completion) },
    ///       receiveValue: { realm in print(realm.objects(Dog.self).count) })
    ///
    /// - Parameter configuration: the options.
    /// - Returns: a publisher that opens for each subscriber, publishes a realm of the main thread and completes. It
    ///   fails with the errors of `init(configuration:queue:)`.
    public static func asyncOpen(configuration: Configuration = .defaultConfiguration)
      -> RealmPublishers.AsyncOpenPublisher
    { RealmPublishers.AsyncOpenPublisher(configuration: configuration, queue: .main) }
  }

  extension RealmPublishers {
    /// Opens a store in the background, publishes a realm, and completes.
    public struct AsyncOpenPublisher: Publisher {
      /// The realm.
      public typealias Output = Realm
      /// The error for which the store could not be opened.
      public typealias Failure = any Error

      let configuration: Realm.Configuration
      var queue: DispatchQueue

      /// Begins to open. A subscriber that cancels receives nothing more; the opening is then not used.
      public func receive<S: Subscriber>(subscriber: S) where S.Input == Realm, S.Failure == any Error {
        let subscription = ChangeSubscription(subscriber)
        subscriber.receive(subscription: subscription)
        subscription.begin {
          let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
            switch result {
            case .success(let realm):
              subscription.send(realm)
              subscription.finish()
            case .failure(let error): subscription.finish(.failure(error))
            }
          }
          return { task.cancel() }
        }
      }

      /// Never calls its block, as nothing is downloaded.
      ///
      /// - Parameter block: unused.
      /// - Returns: the publisher itself.
      public func onProgressNotification(_ block: @escaping (SyncSession.Progress) -> Void) -> Self { self }

      /// Publishes a realm of a serial queue.
      ///
      ///     cancellable = Realm.asyncOpen(configuration: configuration).subscribe(on: queue)
      ///       .sink(receiveCompletion: { _ in }, receiveValue: { realm in print(realm.isEmpty) })
      ///
      /// - Parameter scheduler: a serial `DispatchQueue`. Traps for any other scheduler.
      public func subscribe<S: Scheduler>(on scheduler: S) -> Self { receive(on: scheduler) }

      /// Publishes a realm of a serial queue.
      ///
      ///     cancellable = Realm.asyncOpen(configuration: configuration).receive(on: queue)
      ///       .sink(receiveCompletion: { _ in }, receiveValue: { realm in print(realm.objects(Dog.self).count) })
      ///
      /// - Parameter scheduler: a serial `DispatchQueue`. Traps for any other scheduler.
      public func receive<S: Scheduler>(on scheduler: S) -> Self {
        var other = self
        other.queue = SerialQueue.of(scheduler)
        return other
      }
    }
  }
#endif
