import FiefGraph
import FiefObjects
public import FiefResults
import FiefSessions

extension RealmStore {
  /// The changes of the store from now on, one after another, by class.
  ///
  ///     for await changes in store.changes {
  ///       for dog in changes["Dog"]?.insertions ?? [] { print(dog["name"] ?? "") }
  ///     }
  ///
  /// The elements are those of `Realm.changes`, and their objects are frozen. While the loop is busy, all commits
  /// become one element, so no commit is lost or reported twice. Commits that change no objects make no element. A loop
  /// retains the version of its last element. The sequence itself, as long as it is kept, retains the version at which
  /// it was made.
  ///
  /// An iteration ends when the task is cancelled, and when the store is closed. The sequence may be passed to other
  /// tasks, and iterated several times; it holds the store open. It is empty for a closed store.
  public var changes: Changes { Changes(store: self, start: use.held?.store.published.current ?? .empty) }

  /// The changes of a store, one after another. `RealmStore.changes` explains them.
  ///
  ///     for await changes in store.changes {
  ///       for change in changes { print(change.className, change.insertions.count) }
  ///     }
  public struct Changes: AsyncSequence, Sendable {
    /// The changes of one step.
    public typealias Element = RealmChanges

    let store: RealmStore
    /// The version from which the first element leads.
    let start: Graph

    /// Begins an iteration.
    public func makeAsyncIterator() -> Iterator {
      Iterator(
        sequence: StoreSequence(store.use) { [start] held in
          RealmChangeSequence(start: start, store: held.store, options: held.options).source
        })
    }

    /// An iteration over the changes.
    public struct Iterator: AsyncIteratorProtocol {
      let sequence: StoreSequence<RealmChanges>

      /// Waits for the next change.
      ///
      /// - Returns: nil after the end.
      public mutating func next() async -> RealmChanges? { await sequence.next() }

      /// Waits for the next change.
      ///
      ///     var iterator = store.changes.makeAsyncIterator()
      ///     let first = await iterator.next(isolation: #isolation)
      ///
      /// - Parameter actor: the actor of the caller.
      /// - Returns: nil after the end.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> RealmChanges? {
        await sequence.next()
      }
    }
  }
}
