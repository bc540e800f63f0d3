public import FiefObjects
import FiefResults
import FiefRuntime
import FiefSessions
import Observation
import Synchronization

extension RealmStore {
  /// The value of a closure, again and again: the present one, and each later one that differs from the one before.
  ///
  ///     for await count in store.values({ realm in realm.objects(Dog.self).where { $0.age > 9 }.count }) {
  ///       print(count)
  ///     }
  ///
  /// After a commit the closure runs again if something has changed that it has read: a property of an object, the
  /// elements of a collection, the result of a query. A value that equals the last element is left out.
  ///
  /// A value is computed when it is asked for, from the latest version. So while the loop is busy, all commits become
  /// one element. Each iteration runs the closure on a queue of its own. It ends when the task is cancelled, when the
  /// store is closed, and after the error of a closure that throws. The sequence may be passed to other tasks, and
  /// iterated several times; it holds the store open.
  ///
  /// - Parameter body: computes the value. It must not write, which traps.
  @_disfavoredOverload
  public func values<Value: Equatable & Sendable, Failure: Error>(
    _ body: @escaping @Sendable (Realm) throws(Failure) -> Value
  ) -> Values<Value, Failure> {
    Values(store: self, body: body)
  }

  /// The values of a closure, one after another. `RealmStore.values(_:)` explains them.
  ///
  ///     let oldest = store.values { realm in realm.objects(Dog.self).max(of: \.age) }
  ///     for await age in oldest { print(age ?? 0) }
  public struct Values<Value: Equatable & Sendable, Failure: Error>: AsyncSequence, Sendable {
    let store: RealmStore
    let body: @Sendable (Realm) throws(Failure) -> Value

    /// Begins an iteration.
    public func makeAsyncIterator() -> Iterator {
      Iterator(sequence: StoreSequence(store.use) { [body] in Self.source($0, body) })
    }

    private static func source(
      _ held: HeldStore, _ body: @escaping @Sendable (Realm) throws(Failure) -> Value
    ) -> ChangeSource<Result<Value, Failure>> {
      ChangeSource(store: held.store, options: held.options, freeze: { $0 }) { session in
        session.onlyReads = true
        let isStale = StaleMark()
        var last: Value?
        return PulledChanges(session) {
          _ = session.refresh()
          guard isStale.take() else { return nil }
          let result = withObservationTracking {
            Result { () throws(Failure) in try body(Realm(session)) }
          } onChange: {
            isStale.set()
          }
          if case .success(let value) = result {
            if value == last { return nil }
            last = value
          }
          return result
        }
      }
    }

    /// An iteration over the values.
    public struct Iterator: AsyncIteratorProtocol {
      /// Nil after an error.
      var sequence: StoreSequence<Result<Value, Failure>>?

      /// Waits for the next value.
      ///
      /// - Returns: nil after the end.
      /// - Throws: the error of the closure, and ends then.
      public mutating func next() async throws(Failure) -> Value? { try await next(isolation: nil) }

      /// Waits for the next value.
      ///
      ///     var iterator = store.values { realm in realm.objects(Dog.self).count }.makeAsyncIterator()
      ///     let first = await iterator.next(isolation: #isolation)
      ///
      /// - Parameter actor: the actor of the caller.
      /// - Returns: nil after the end.
      /// - Throws: the error of the closure, and ends then.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Value? {
        switch await sequence?.next() {
        case .success(let value): return value
        case .failure(let error):
          await sequence?.end()
          sequence = nil
          throw error
        case nil: return nil
        }
      }
    }
  }
}

/// Whether a value has to be computed anew. Any thread may set it.
private final class StaleMark: Sendable {
  private let isSet = Atomic<Bool>(true)

  func set() { isSet.store(true, ordering: .releasing) }

  /// Whether it was set since the last call.
  func take() -> Bool { isSet.exchange(false, ordering: .acquiringAndReleasing) }
}
