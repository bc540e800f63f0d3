import FiefObjects
import FiefRuntime
import FiefSessions

/// An iteration over changes.
///
///     new ──first call──▶ here, on an actor ──▶ ended
///                    └──▶ frozen, on another one ▲
///
/// The first call decides whether the elements are live on the caller's actor, or computed on an actor of their own and
/// frozen. It drops the source then, because that retains the version at which the sequence was made.
public struct _ChangeIterator<Element>: AsyncIteratorProtocol {
  private enum State {
    case new(ChangeSource<Element>)
    case here(PulledChanges<Element>)
    case frozen(FrozenChanges<Element>)
    case ended
  }

  private var state: State

  init(_ source: ChangeSource<Element>) { state = .new(source) }

  /// The next change, frozen; nil after the end.
  public mutating func next() async -> Element? { await next(isolation: nil) }

  /// Waits for the next change.
  ///
  ///     var iterator = dog.changes.makeAsyncIterator()
  ///     while let change = await iterator.next(isolation: #isolation) { print(change) }
  ///
  /// - Parameter actor: the actor on whose realm the elements are live. It has to be the same in all calls.
  /// - Returns: nil after the end.
  public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
    if case .new(let source) = state {
      if let actor {
        state = .here(source.changes(on: .of(actor)))
      } else {
        state = .frozen(FrozenChanges(UncheckedBox(source)))
      }
    }
    let element: Element?
    switch state {
    case .here(let changes): element = await changes.next(isolation: actor)
    case .frozen(let changes): element = await changes.next().value
    case .new, .ended: element = nil
    }
    if element == nil { state = .ended }
    return element
  }
}

/// The source of the changes of an iteration.
package struct ChangeSource<Element> {
  let store: Store
  let options: any SessionOptions
  /// Freezes a change.
  let freeze: (Element) -> Element
  /// Begins to compute changes in a session, and is called on its executor.
  let pull: (Session) -> PulledChanges<Element>

  package init(
    store: Store, options: any SessionOptions, freeze: @escaping (Element) -> Element,
    pull: @escaping (Session) -> PulledChanges<Element>
  ) {
    self.store = store
    self.options = options
    self.freeze = freeze
    self.pull = pull
  }

  /// The changes in the session of an executor, which is running.
  package func changes(on executor: Confinement) -> PulledChanges<Element> { pull(store.session(executor, options)) }
}

/// The changes of a thing as frozen elements, for tasks without an actor: they are computed on an actor of their own.
actor FrozenChanges<Element> {
  // Boxed, because only this actor uses what the source makes, and any thread may read a frozen change.
  /// Nil after the first call of `next()`.
  private var source: UncheckedBox<ChangeSource<Element>>?
  private let freeze: UncheckedBox<(Element) -> Element>
  private var changes: PulledChanges<Element>?

  init(_ source: UncheckedBox<ChangeSource<Element>>) {
    self.source = source
    freeze = UncheckedBox(source.value.freeze)
  }

  /// Waits for the next change; a box with nil after the end.
  func next() async -> UncheckedBox<Element?> {
    if let source {
      changes = source.value.changes(on: .of(self))
      self.source = nil
    }
    let element = await changes?.next(isolation: self)
    return UncheckedBox(element.map(freeze.value))
  }
}
