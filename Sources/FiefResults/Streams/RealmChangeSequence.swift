import FiefGraph
import FiefObjects
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
  /// no element. No history has to be kept for it. Elements are frozen. A loop retains the version of its last element.
  /// The sequence itself, as long as it is kept, retains the version at which it was made.
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
  /// The changes of one step.
  public typealias Element = RealmChanges

  /// The version from which the first element leads.
  let start: Graph
  let store: Store
  let options: any SessionOptions

  package init(start: Graph, store: Store, options: any SessionOptions) {
    self.start = start
    self.store = store
    self.options = options
  }

  /// Begins an iteration.
  public func makeAsyncIterator() -> _ChangeIterator<RealmChanges> { _ChangeIterator(source) }

  /// The source of the elements.
  package var source: ChangeSource<RealmChanges> {
    let start = start
    return ChangeSource(store: store, options: options, freeze: { $0 }) { session in
      // The version to which the last element led.
      var last = start
      return PulledChanges(session) {
        let (old, new) = (last, session.graph)
        guard old.version < new.version else { return nil }
        last = new
        let changes = RealmChanges(session, from: old, to: new)
        return changes.isEmpty ? nil : changes
      }
    }
  }
}
