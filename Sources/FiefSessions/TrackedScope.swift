import FiefRuntime
import Synchronization

/// The share of one session in a `withObservationTracking`: the argument of the key path that the session registers for
/// it, in place of one key path for each value that is read.
///
///     made at the first reading ──▶ held by the registered key path ──▶ the scope was notified, or dropped: released
///
/// Its `deinit` says that nobody waits for its changes any more.
package final class TrackedScope: Hashable, Sendable {
  typealias Number = UInt32

  let number: Number
  private let ended: EndedScopes

  init(_ number: Number, _ ended: EndedScopes) {
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

/// A probe of the running `withObservationTracking`, for systems where its word is unknown: is there one, and has this
/// session registered with it before?
///
/// It is the argument of a key path. A scope puts the key paths of accesses into a set, and a set hashes what it gets,
/// and compares it with what it has. So a hash shows that a scope runs, and a comparison that it is a known one.
package final class ScopeProbe: Hashable, Sendable {
  /// What a thread's scope did with the key path of its latest probe.
  private final class Outcome {
    var isHashed = false
    var isCompared = false
  }

  private static let outcomes = ThreadLocal()

  private static var outcome: Outcome {
    if let outcome = outcomes.value as? Outcome { return outcome }
    let outcome = Outcome()
    outcomes.value = outcome
    return outcome
  }

  /// Calls `access`, which registers the key path of a probe.
  ///
  /// - Returns: whether a scope runs, and whether it had registered the same probe before.
  static func run(_ access: () -> Void) -> (isRunning: Bool, isKnown: Bool) {
    let outcome = outcome
    (outcome.isHashed, outcome.isCompared) = (false, false)
    access()
    assert(outcome.isHashed || !outcome.isCompared, "A set compares what it has hashed.")
    return (outcome.isHashed, outcome.isCompared)
  }

  package static func == (a: ScopeProbe, b: ScopeProbe) -> Bool {
    let isSame = a === b
    if isSame { outcome.isCompared = true }
    return isSame
  }

  package func hash(into hasher: inout Hasher) {
    Self.outcome.isHashed = true
    hasher.combine(ObjectIdentifier(self))
  }
}
