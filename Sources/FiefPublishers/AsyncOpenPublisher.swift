#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  public import Combine
  import Dispatch
  public import Fief
  import Synchronization

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
        let subscription = AsyncOpenSubscription()
        subscriber.receive(subscription: subscription)
        subscription.begin {
          Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
            guard subscription.end() else { return }
            switch result {
            case .success(let realm):
              _ = subscriber.receive(realm)
              subscriber.receive(completion: .finished)
            case .failure(let error): subscriber.receive(completion: .failure(error))
            }
          }
        }
      }

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

  /// The opening for one subscriber.
  private final class AsyncOpenSubscription: Subscription {
    private let state = Mutex<(hasEnded: Bool, task: Realm.AsyncOpenTask?)>((false, nil))

    /// Begins to open, unless the subscriber has cancelled already.
    func begin(_ open: () -> Realm.AsyncOpenTask) {
      if state.withLock({ $0.hasEnded }) { return }
      let task = open()
      let hasEnded = state.withLock { state in
        state.task = task
        return state.hasEnded
      }
      if hasEnded { task.cancel() }
    }

    /// Ends the subscription.
    ///
    /// - Returns: whether it had not ended before.
    func end() -> Bool {
      state.withLock { state in
        defer { state.hasEnded = true }
        return !state.hasEnded
      }
    }

    func request(_ demand: Subscribers.Demand) {}

    func cancel() {
      if end() { state.withLock { $0.task }?.cancel() }
    }
  }
#endif
