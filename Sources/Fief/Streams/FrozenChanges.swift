import Dispatch
import FiefRuntime
import FiefSessions

/// The changes of a thing as frozen elements, for tasks without an actor. They are computed on a queue of their own.
final class FrozenChanges<Element>: @unchecked Sendable {
  // Sendable, because everything but the queue and the wait is used on the queue alone.

  private let queue = DispatchQueue(label: "Fief.changes")
  private let freeze: (Element) -> Element
  private var changes: PulledChanges<Element>?
  private var hasEnded = false

  init(_ source: ChangeSource<Element>) {
    freeze = source.freeze
    let held = UncheckedBox((source, self))
    queue.async {
      let (source, changes) = held.value
      changes.changes = source.changes(on: .of(changes.queue))
    }
  }

  deinit {
    // The session is released where it belongs.
    let changes = UncheckedBox(changes)
    queue.async { _ = changes }
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
    guard let changes, changes.isLive, !hasEnded else { return handOver(UncheckedBox(nil)) }
    if let element = changes.take() { return handOver(UncheckedBox(freeze(element))) }
    if !changes.isLive { return handOver(UncheckedBox(nil)) }
    changes.whenBehind { [self] in queue.async { self.answer(handOver) } }
  }

  private func cancel() {
    hasEnded = true
    changes?.stop()
  }
}
