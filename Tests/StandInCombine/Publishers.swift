// The names are those of Apple's modules, which document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The types of the publishers that operators make.
public enum Publishers {
  /// Publishes what a closure makes of each value.
  public struct Map<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let transform: (Upstream.Output) -> Output

    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let transform = transform
      upstream.receive(subscriber: Passing(subscriber) { subscriber, value in subscriber.receive(transform(value)) })
    }
  }

  /// Delivers on a scheduler.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let (scheduler, options) = (scheduler, options)
      let passing = Passing<Upstream.Output, S>(subscriber) { subscriber, value in
        scheduler.schedule(options: options) { _ = subscriber.receive(value) }
        return .none
      }
      passing.complete = { subscriber, completion in
        scheduler.schedule(options: options) { subscriber.receive(completion: completion) }
      }
      upstream.receive(subscriber: passing)
    }
  }

  /// Subscribes on a scheduler.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      scheduler.schedule(options: options) { upstream.receive(subscriber: subscriber) }
    }
  }

  /// Publishes the elements of a sequence.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    public typealias Output = Elements.Element

    public let sequence: Elements

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      for element in sequence { _ = subscriber.receive(element) }
      subscriber.receive(completion: .finished)
    }
  }
}

/// Receives values for another subscriber.
final class Passing<Input, Downstream: Subscriber>: Subscriber {
  typealias Failure = Downstream.Failure

  private let downstream: Downstream
  private let pass: (Downstream, Input) -> Subscribers.Demand
  var complete: (Downstream, Subscribers.Completion<Failure>) -> Void = { $0.receive(completion: $1) }

  init(_ downstream: Downstream, _ pass: @escaping (Downstream, Input) -> Subscribers.Demand) {
    self.downstream = downstream
    self.pass = pass
  }

  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
  func receive(_ input: Input) -> Subscribers.Demand { pass(downstream, input) }
  func receive(completion: Subscribers.Completion<Failure>) { complete(downstream, completion) }
}

extension Publisher {
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }

  public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
    -> Publishers.ReceiveOn<Self, S>
  { Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options) }

  public func subscribe<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
    -> Publishers.SubscribeOn<Self, S>
  { Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options) }
}

extension Sequence {
  public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

/// Publishes what is sent to it.
public final class PassthroughSubject<Output, Failure: Error>: Publisher {
  private var receivers: [(Sending, (Output) -> Subscribers.Demand, (Subscribers.Completion<Failure>) -> Void)] = []

  public init() {}

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let subscription = Sending()
    receivers.append((subscription, { subscriber.receive($0) }, { subscriber.receive(completion: $0) }))
    subscriber.receive(subscription: subscription)
  }

  /// Sends a value to the subscribers that are ready for one.
  public func send(_ input: Output) {
    for (subscription, receive, _) in receivers where subscription.take() { subscription.request(receive(input)) }
  }

  public func send(completion: Subscribers.Completion<Failure>) {
    let all = receivers
    receivers = []
    for (subscription, _, complete) in all where !subscription.isCancelled { complete(completion) }
  }
}

/// A subscription that counts what was requested.
private final class Sending: Subscription {
  private var requested = 0
  private(set) var isCancelled = false

  func request(_ demand: Subscribers.Demand) {
    let (sum, overflow) = requested.addingReportingOverflow(demand.max ?? .max)
    requested = overflow ? .max : sum
  }

  func cancel() { isCancelled = true }

  /// Counts one value, if it may be sent.
  func take() -> Bool {
    if isCancelled || requested == 0 { return false }
    if requested != .max { requested -= 1 }
    return true
  }
}
