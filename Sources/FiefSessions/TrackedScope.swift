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

/// A question to the running `withObservationTracking`, for systems where its word is unknown: is there one, and has
/// this session registered with it before?
///
/// It is the argument of a key path. A scope puts the key paths of accesses into a set, and a set hashes what it gets,
/// and compares it with what it has. So a hash shows that a scope runs, and a comparison that it is a known one.
package final class ScopeQuestion: Hashable, Sendable {
  /// What a thread's scope did with the key path of its latest question.
  private final class Answer {
    var isHashed = false
    var isCompared = false
  }

  private static let answers = ThreadLocal()

  private static var answer: Answer {
    if let answer = answers.value as? Answer { return answer }
    let answer = Answer()
    answers.value = answer
    return answer
  }

  /// Calls `access`, which registers the key path of a question.
  ///
  /// - Returns: whether a scope runs, and whether it had registered the same question before.
  static func ask(_ access: () -> Void) -> (isRunning: Bool, isKnown: Bool) {
    let answer = answer
    answer.isHashed = false
    answer.isCompared = false
    access()
    return (answer.isHashed, answer.isCompared)
  }

  package static func == (a: ScopeQuestion, b: ScopeQuestion) -> Bool {
    let isSame = a === b
    if isSame { answer.isCompared = true }
    return isSame
  }

  package func hash(into hasher: inout Hasher) {
    Self.answer.isHashed = true
    hasher.combine(ObjectIdentifier(self))
  }
}
