// The names are those of Apple's modules, which document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// An object whose changes views observe.
public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  var objectWillChange: ObjectWillChangePublisher { get }
}

/// Publishes that an object is about to change.
public final class ObservableObjectPublisher: Publisher {
  public typealias Output = Void
  public typealias Failure = Never

  private var next = 0
  private var receivers: [Int: (Demanding, () -> Void)] = [:]

  public init() {}

  public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Void {
    next += 1
    let number = next
    let subscription = Demanding { [weak self] in self?.receivers[number] = nil }
    receivers[number] = (subscription, { _ = subscriber.receive(()) })
    subscriber.receive(subscription: subscription)
  }

  public func send() {
    for (subscription, receive) in receivers.values where !subscription.isCancelled { receive() }
  }
}

/// A subscription that counts nothing: whatever is sent is received.
private final class Demanding: Subscription {
  private let end: () -> Void
  private(set) var isCancelled = false

  init(_ end: @escaping () -> Void) { self.end = end }

  func request(_ demand: Subscribers.Demand) {}

  func cancel() {
    isCancelled = true
    end()
  }
}
