import FiefRuntime
import Synchronization

/// The share of one session in a `withObservationTracking`: the argument of the key path that the session registers for
/// it, in place of one key path for each value that is read.
///
///     made at the first reading ──▶ held by the registered key path ──▶ the scope was notified, or dropped: released
///
/// Its `deinit` shows that its changes are not awaited any more.
package final class TrackedScope: Hashable, Sendable {
  typealias Number = UInt32

  let number: Number
  private let ended: EndedScopes

  init(_ number: Number, _ ended: EndedScopes) {
    assert(number > 0, "Scopes are numbered from 1.")
    self.number = number
    self.ended = ended
  }

  deinit { ended.note(number) }

  package static func == (a: TrackedScope, b: TrackedScope) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// The numbers of scopes that have ended. Any thread may release the last reference to a scope.
final class EndedScopes: Sendable {
  private let numbers = Mutex<[TrackedScope.Number]>([])

  func note(_ number: TrackedScope.Number) { numbers.withLock { $0.append(number) } }

  func take() -> [TrackedScope.Number] {
    numbers.withLock { numbers in
      defer { numbers = [] }
      return numbers
    }
  }

  var count: Int { numbers.withLock { $0.count } }
}

/// A probe of the running `withObservationTracking`, for systems where its word is unknown: is there one?
///
/// It is the argument of a key path. A scope puts the key paths of accesses into a set, and a set hashes what it gets.
package final class ScopeProbe: Hashable, Sendable {
  /// Whether a probe was hashed on a thread since the last access there began.
  private final class Outcome {
    var isHashed = false
  }

  private static let outcomes = ThreadLocal()

  private static var outcome: Outcome {
    if let outcome = outcomes.value as? Outcome { return outcome }
    let outcome = Outcome()
    outcomes.value = outcome
    return outcome
  }

  /// Calls `access`, which registers the key path of a probe, and returns whether a scope runs.
  static func isHashed(by access: () -> Void) -> Bool {
    let outcome = outcome
    outcome.isHashed = false
    access()
    return outcome.isHashed
  }

  package static func == (a: ScopeProbe, b: ScopeProbe) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) {
    Self.outcome.isHashed = true
    hasher.combine(ObjectIdentifier(self))
  }
}
