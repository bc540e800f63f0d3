import FiefObjects
import FiefRuntime
import FiefSessions

/// The changes of a thing as frozen elements, for tasks without an actor: they are computed on an actor of their own.
actor FrozenChanges<Element> {
  // Boxed, because only this actor uses what the source makes, and any thread may read a frozen change.
  private let source: UncheckedBox<ChangeSource<Element>>
  private var changes: PulledChanges<Element>?

  init(_ source: UncheckedBox<ChangeSource<Element>>) { self.source = source }

  /// Waits for the next change; a box with nil after the end.
  func next() async -> UncheckedBox<Element?> {
    let changes = changes ?? source.value.changes(on: .of(self))
    self.changes = changes
    let element = await changes.next(isolation: self)
    return UncheckedBox(element.map(source.value.freeze))
  }
}
