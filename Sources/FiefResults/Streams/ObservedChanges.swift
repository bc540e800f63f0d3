import FiefGraph
import FiefObjects
import FiefRuntime
import FiefSessions

/// The changes of an object, a collection or sections, one after another.
///
///     for await change in dogs.changes {
///       switch change {
///       case .initial(let dogs): print(dogs.count)
///       case .update(let dogs, let deletions, let insertions, _): print(dogs.count, deletions, insertions)
///       case .error: break
///       }
///     }
///
/// The elements are those of `observe`. Collections and sections begin with their state, objects with their first
/// change. A section without elements begins when it has some, and what a write has made begins after the commit.
///
/// A change is computed when it is asked for. While the loop is busy, all commits become one change from the element
/// before, so no commit is lost or reported twice, and waiting changes take no memory. A loop retains the version of
/// its last element, and the one before it for `previous`. The sequence itself, as long as it is kept, retains the
/// version at which it was made, from which the changes of an object begin.
///
/// An iteration belongs to the actor that runs it. Elements are live in the realm that this actor has open, or opens
/// now. Without an actor they are frozen. When the owner of a collection is deleted, the last change has the
/// invalidated collection, or without an actor the one before.
///
/// The sequence ends after the change that reports the deletion, when the realm is invalidated, and when the task is
/// cancelled. It may be passed to other tasks, and iterated several times.
public struct ObservedChanges<Thing: ThreadConfined, Element>: AsyncSequence, @unchecked Sendable {
  // Sendable, because the thing is handed over frozen, and the other properties are closures of the library.

  /// Returns a maker of observations that pass their changes to a function.
  typealias Maker = (@escaping (Element) -> Void) -> ObservationMaker<Thing>

  private let reference: FrozenReference<Thing>
  private let options: any SessionOptions
  private let maker: Maker
  private let deletion: Element?
  private let last = LockedValue<Thing>()

  /// - Parameters:
  ///   - deletion: the change that reports the deletion of the thing; nil when its sequence then just ends.
  ///   - maker: its observations are those that blocks have, but only an iteration calls them.
  init(_ thing: Thing, deletion: Element?, _ maker: @escaping Maker) {
    guard let session = thing.realm?.session else { Misuse.unmanaged("changes") }
    reference = FrozenReference(thing, "A sequence of changes")
    options = session.options
    self.deletion = deletion
    self.maker = maker
  }

  /// The object or collection as it was before the latest element of an iteration, frozen; nil before the second one,
  /// and after the iteration has ended.
  ///
  ///     let changes = dogs.changes
  ///     for await case .update(_, let deletions, _, _) in changes {
  ///       for position in deletions { print(changes.previous?[position].name ?? "") }
  ///     }
  ///
  /// Positions of deletions and modifications are positions in it. Of a deleted object it has the key and the last
  /// values.
  public var previous: Thing? { last.value }

  /// Begins an iteration.
  ///
  ///     var iterator = dogs.changes.makeAsyncIterator()
  ///     let first = await iterator.next(isolation: #isolation)          // the state
  public func makeAsyncIterator() -> _ChangeIterator<Element> {
    let last = last
    return _ChangeIterator(
      ChangeSource(
        store: reference.ticket.frozen.store, options: options, freeze: { Transfer.frozen($0, or: last.value) },
        pull: { pull($0) }))
  }

  /// Begins to compute the changes of the thing as a session shows it.
  private func pull(_ session: Session) -> PulledChanges<Element> {
    let (last, maker) = (last, maker)
    // Retains the version of the sequence, and is dropped when the thing is there, or is gone.
    var awaited: FrozenReference<Thing>? = reference
    var deletion = deletion
    var element: Element?
    var begun: (thing: Thing, observation: any SessionObservation)?
    func begin() {
      guard let reference = awaited else { return }
      if let thing = reference.resolve(in: session, from: .latest) {
        begun = maker({ element = $0 })(thing, reference.ticket.frozen.graph).map { (thing, $0) }
        if begun != nil { awaited = nil }
      } else if !reference.mayCome(to: session) {
        last.value = reference.thing
        (awaited, element, deletion) = (nil, deletion, nil)
      }
    }
    func takeElement() -> Element? {
      defer { element = nil }
      return element
    }
    begin()
    return PulledChanges(
      session, while: { begun.map { $0.observation.isLive } ?? (awaited != nil) }, atEnd: { last.value = nil }
    ) {
      begin()
      if let gone = takeElement() { return gone }
      guard let (thing, observation) = begun, observation.isLive, observation.isBehind(session) else { return nil }
      let before = observation.delivered
      let isFirst = before.version == session.graph.version
      observation.deliver(session, Delivery())
      guard let change = takeElement() else { return nil }
      let frozen = Session(session.store, .frozen, options: session.options, frozenAt: before)
      last.value = isFirst ? nil : thing._resolved(in: Realm(frozen))
      return change
    }
  }
}
