import FiefGraph
import FiefSessions

extension Realm {
  /// The changes of the realm from now on, one after another, by class.
  ///
  ///     for await changes in realm.changes {
  ///       for dog in changes["Dog"]?.insertions ?? [] { print(dog["name"] ?? "") }
  ///     }
  ///
  /// An element leads from the version of the element before to a later one, like `changes(since:)`: while the loop is
  /// busy, all commits become one element, so no commit is lost or reported twice. Commits that change no objects make
  /// no element. No history has to be kept for it. Elements are frozen; a suspended loop retains one version.
  ///
  /// An iteration follows the realm of the actor that runs it, which the actor has open, or opens now: its objects are
  /// up to date with the element. The sequence ends when that realm is invalidated, and when the task is cancelled. It
  /// may be passed to other tasks, and iterated several times.
  ///
  /// Traps outside the realm's thread, queue or actor, and for a frozen realm.
  public var changes: RealmChangeSequence {
    session.checkConfinement()
    if session.isFrozen { Misuse.frozen("The changes of a realm were asked for") }
    return RealmChangeSequence(start: session.snapshot, store: session.store, options: session.options)
  }
}

/// The changes of a realm, one after another. `Realm.changes` explains them.
///
///     for await changes in realm.changes {
///       for change in changes { print(change.className, change.insertions.count) }
///     }
public struct RealmChangeSequence: AsyncSequence, Sendable {
  /// What one step changed.
  public typealias Element = RealmChanges

  /// The version from which the first element leads.
  let start: Graph
  let store: Store
  let options: any SessionOptions

  /// Begins an iteration.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self) }

  /// An iteration over changes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let sequence: RealmChangeSequence
    private var iteration = ChangeIteration<RealmFollower>()

    fileprivate init(sequence: RealmChangeSequence) { self.sequence = sequence }

    /// The next changes; nil after the end.
    public mutating func next() async -> RealmChanges? { await next(isolation: nil) }

    /// Waits for the next changes.
    ///
    ///     var iterator = realm.changes.makeAsyncIterator()
    ///     while let changes = await iterator.next(isolation: #isolation) { print(changes) }
    ///
    /// - Parameter actor: the actor whose realm is followed. It has to be the same in all calls.
    /// - Returns: nil after the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> RealmChanges? {
      let (start, store, options) = (sequence.start, sequence.store, sequence.options)
      return await iteration.next(
        isolation: actor, here: { RealmFollower(store.session(.of($0), options), from: start) },
        frozen: {
          FrozenChanges(freeze: { $0 }) { queue in RealmFollower(store.session(.of(queue), options), from: start) }
        })
    }
  }
}

/// Computes the changes of a whole realm when they are asked for.
final class RealmFollower: FollowedChanges {
  private let session: Session
  /// The version to which the last element led.
  private var seen: Graph
  private let wait: VersionWait

  init(_ session: Session, from start: Graph) {
    self.session = session
    seen = start
    wait = VersionWait(seen: session.graph)
    session.observers.add(wait)
  }

  deinit {
    wait.finish()
    session.observers.remove(wait)
  }

  func next(isolation: isolated (any Actor)?) async -> RealmChanges? {
    while wait.isLive, !Task.isCancelled {
      if let element = take() { return element }
      await wait.forVersion(after: session.graph, of: session, isolation: isolation)
    }
    wait.finish()
    return nil
  }

  func take() -> RealmChanges? {
    session.checkConfinement()
    let (old, new) = (seen, session.graph)
    guard old.version < new.version else { return nil }
    seen = new
    let changes = RealmChanges(session, from: old, to: new)
    return changes.isEmpty ? nil : changes
  }

  func whenBehind(_ block: @escaping @Sendable () -> Void) { wait.wake(after: session.graph, of: session, block) }

  func stop() { wait.finish() }

  var isLive: Bool { wait.isLive }
}
