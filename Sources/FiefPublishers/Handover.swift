#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  public import Combine
  import Dispatch
  import Fief
  import FiefRuntime
  import Synchronization

  extension RealmPublishers {
    /// Publishes live values of another publisher, which the next `receive(on:)` passes to a queue as references.
    /// Without one it publishes the values themselves.
    ///
    ///     let values: RealmPublishers.MakeThreadSafe = valuePublisher(dog).threadSafeReference()
    ///     cancellable = values.receive(on: queue)
    ///       .sink(receiveCompletion: { _ in }, receiveValue: { dog in print(dog.name) })
    public struct MakeThreadSafe<Upstream: Publisher>: Publisher {
      /// The same values.
      public typealias Output = Upstream.Output
      /// The same errors.
      public typealias Failure = Upstream.Failure

      private let upstream: Upstream

      init(_ upstream: Upstream) { self.upstream = upstream }

      /// Subscribes to the other publisher.
      public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        upstream.receive(subscriber: subscriber)
      }

      /// Delivers the values on a serial queue, live in the realm of the queue. A value that does not exist there any
      /// more is left out; a change of such an object becomes its deletion. A section without elements is delivered.
      ///
      ///     cancellable = dogs.changesetPublisher.threadSafeReference().receive(on: queue)
      ///       .sink { change in print(change) }
      ///
      /// - Parameter scheduler: a serial `DispatchQueue`. Traps for any other scheduler.
      public func receive<S: Scheduler>(on scheduler: S) -> Handover<Upstream, S> { Handover(upstream, on: scheduler) }
    }

    /// Delivers live values of another publisher on a queue. They are passed there as references.
    public struct Handover<Upstream: Publisher, S: Scheduler>: Publisher {
      /// The same values, live in the realm of the queue.
      public typealias Output = Upstream.Output
      /// The same errors.
      public typealias Failure = Upstream.Failure

      private let upstream: Upstream
      private let scheduler: S
      private let queue: DispatchQueue

      init(_ upstream: Upstream, on scheduler: S) {
        self.upstream = upstream
        self.scheduler = scheduler
        queue = SerialQueue.of(scheduler)
      }

      /// Subscribes to the other publisher.
      public func receive<Downstream: Subscriber>(subscriber: Downstream)
      where Downstream.Input == Output, Downstream.Failure == Failure {
        upstream.receive(subscriber: HandoverSubscriber(subscriber, on: scheduler, queue))
      }
    }
  }

  /// Receives values where they are published, and passes them to a subscriber on a queue.
  ///
  /// The other subscription holds it. The end of either breaks the circle.
  private final class HandoverSubscriber<Downstream: Subscriber, S: Scheduler>: Subscriber, Subscription {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    private let downstream: Downstream
    private let scheduler: S
    private let queue: DispatchQueue
    /// The other subscription, from its beginning to the end of this one.
    private let upstream = Mutex(UncheckedBox<(any Subscription)?>(nil))
    private let isCancelled = Atomic(false)

    init(_ downstream: Downstream, on scheduler: S, _ queue: DispatchQueue) {
      self.downstream = downstream
      self.scheduler = scheduler
      self.queue = queue
    }

    func receive(subscription: any Subscription) {
      replaceUpstream(by: subscription)
      downstream.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      let value = Transfer.reference(input)
      deliver { handover in
        // A value that is gone makes room for another one.
        guard let value = value(handover.queue) else { return .max(1) }
        return handover.downstream.receive(value)
      }
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      deliver { handover in
        handover.replaceUpstream(by: nil)
        handover.downstream.receive(completion: completion)
        return .none
      }
    }

    /// Runs a block on the queue, unless the subscriber has cancelled by then, and requests what it returns.
    private func deliver(_ block: @escaping (HandoverSubscriber) -> Subscribers.Demand) {
      scheduler.schedule { [self] in
        if isCancelled.load(ordering: .acquiring) { return }
        let demand = block(self)
        if demand != .none { request(demand) }
      }
    }

    func request(_ demand: Subscribers.Demand) { upstream.withLock { $0 }.value?.request(demand) }

    func cancel() {
      isCancelled.store(true, ordering: .releasing)
      replaceUpstream(by: nil)?.cancel()
    }

    /// - Returns: the previous one, which is released outside the lock.
    @discardableResult
    private func replaceUpstream(by subscription: (any Subscription)?) -> (any Subscription)? {
      let new = UncheckedBox(subscription)
      return upstream.withLock { upstream in
        defer { upstream = new }
        return upstream
      }.value
    }
  }

  /// The queue that a scheduler is. Realms belong to queues, so that no other scheduler can deliver their objects.
  enum SerialQueue {
    /// Returns the scheduler as a queue. Traps for another scheduler. A realm on a concurrent queue traps when it is
    /// opened there, at the first delivery.
    static func of<S: Scheduler>(_ scheduler: S) -> DispatchQueue {
      guard let queue = scheduler as? DispatchQueue else {
        fatalError(
          "Objects of a realm cannot be delivered on a scheduler of type \(S.self): use a serial DispatchQueue, or "
            + "`freeze()` before another `receive(on:)`.")
      }
      return queue
    }
  }
#endif
