import FiefGraph
import FiefRuntime
import FiefSessions
import Synchronization

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
/// change.
///
/// A change is computed when it is asked for. While the loop is busy, all commits become one change from the element
/// before, so no commit is lost or reported twice, and waiting changes take no memory. A suspended loop retains one
/// version.
///
/// An iteration belongs to the actor that runs it. Elements are live in the realm that this actor has open, or opens
/// now. Without an actor they are frozen. When the owner of a collection is deleted, the last change has the
/// invalidated collection, or without an actor the one before.
///
/// The sequence ends after the change that reports the deletion, when the realm is invalidated, and when the task is
/// cancelled. It may be passed to other tasks, and iterated several times.
public struct ObservedChanges<Thing: ThreadConfined, Element>: AsyncSequence, @unchecked Sendable {
  // Sendable, because the thing is handed over frozen, and the other properties are closures of the library.

  private let handover: Handover<Thing>
  private let options: any SessionOptions
  private let follow: ChangeFollower<Thing, Element>.Make
  private let deletion: Element?
  private let freeze: (Element, Thing?) -> Element
  private let last = LastSeen<Thing>()

  /// - Parameters:
  ///   - deletion: the change that reports the deletion of the thing; nil when its sequence then just ends.
  ///   - freeze: freezes a change.
  ///   - follow: makes the observation.
  init(
    _ thing: Thing, deletion: Element?, freeze: @escaping (Element, Thing?) -> Element,
    _ follow: @escaping ChangeFollower<Thing, Element>.Make
  ) {
    guard let session = thing.realm?.session else { Misuse.unmanaged("changes") }
    handover = Handover(thing, "A sequence of changes")
    options = session.options
    self.deletion = deletion
    self.follow = follow
    self.freeze = freeze
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
  public var previous: Thing? { last.thing }

  /// Begins an iteration.
  ///
  ///     var iterator = dogs.changes.makeAsyncIterator()
  ///     let first = await iterator.next(isolation: #isolation)          // the state
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self) }

  /// An iteration over changes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let sequence: ObservedChanges
    private var iteration = ChangeIteration<ChangeFollower<Thing, Element>>()

    fileprivate init(sequence: ObservedChanges) { self.sequence = sequence }

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
      let sequence = sequence
      return await iteration.next(
        isolation: actor, here: { sequence.follower(on: $0) }, frozen: { sequence.frozenChanges() })
    }
  }

  private func follower(on actor: any Actor) -> ChangeFollower<Thing, Element> {
    let session = handover.ticket.frozen.store.session(.of(actor), options)
    return ChangeFollower(handover, session, last, deletion: deletion, follow)
  }

  private func frozenChanges() -> FrozenChanges<Element> {
    let (handover, options, last) = (handover, options, last)
    let (deletion, follow, freeze) = (deletion, follow, freeze)
    return FrozenChanges<Element>(freeze: { freeze($0, last.thing) }) { queue in
      let session = handover.ticket.frozen.store.session(.of(queue), options)
      return ChangeFollower(handover, session, last, deletion: deletion, follow)
    }
  }
}

/// What an iteration has shown before its latest element.
final class LastSeen<Thing>: Sendable {
  private let held = Mutex<UncheckedBox<Thing>?>(nil)

  /// The thing, which is frozen: any thread may read it.
  var thing: Thing? {
    get { held.withLock { $0 }?.value }
    set {
      let new = newValue.map { UncheckedBox($0) }
      // The earlier one is released outside the lock.
      let old = held.withLock { held in
        defer { held = new }
        return held
      }
      withExtendedLifetime(old) {}
    }
  }
}
