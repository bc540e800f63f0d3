import Dispatch
import FiefRuntime

/// The changes of a thing as frozen elements, for tasks without an actor. They are computed on a queue of their own.
final class FrozenChanges<Element>: @unchecked Sendable {
  // Sendable, because everything but the queue and the wait is used on the queue alone.

  private let queue = DispatchQueue(label: "Fief.changes")
  private let freeze: (Element) -> Element
  private var follower: (any FollowedChanges<Element>)?
  private var hasEnded = false

  /// - Parameters:
  ///   - freeze: freezes a change.
  ///   - make: makes the follower of a session of the queue, and is called there.
  init(
    freeze: @escaping (Element) -> Element, _ make: @escaping (DispatchQueue) -> any FollowedChanges<Element>
  ) {
    self.freeze = freeze
    let make = UncheckedBox(make)
    let held = UncheckedBox(self)
    queue.async { held.value.follower = make.value(held.value.queue) }
  }

  deinit {
    // The session is released where it belongs.
    let follower = UncheckedBox(follower)
    queue.async { _ = follower }
  }

  /// Waits for the next change.
  ///
  /// - Returns: nil after the end.
  func next() async -> Element? {
    await withTaskCancellationHandler {
      await AwaitedValue<UncheckedBox<Element?>>.receive { handOver in
        queue.async { self.answer(handOver) }
      }
    } onCancel: {
      queue.async { self.cancel() }
    }.value
  }

  private func answer(_ handOver: @escaping @Sendable (UncheckedBox<Element?>) -> Void) {
    guard let follower, follower.isLive, !hasEnded else { return handOver(UncheckedBox(nil)) }
    if let element = follower.take() { return handOver(UncheckedBox(freeze(element))) }
    if !follower.isLive { return handOver(UncheckedBox(nil)) }
    follower.whenBehind { [self] in queue.async { self.answer(handOver) } }
  }

  private func cancel() {
    hasEnded = true
    follower?.stop()
  }
}
