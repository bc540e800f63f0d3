import FiefObjects
import FiefSessions
import Synchronization

/// The knowledge about the result of a view.
///
/// | known | counted | prefix found | evaluated | remained |
/// | --- | --- | --- | --- | --- |
/// | `nothing` | `count` | `prefix` | `all` | - |
/// | `count` | - | `prefix` with that count | `all` | - |
/// | `prefix` | `prefix` with that count | a longer one, with that count | `all` | - |
/// | `all` | - | - | `all` of another moment | `all` of another moment |
/// | `shared` | - | - | - | - |
///
/// A dash is no transition. Knowledge of another moment counts as `nothing`. A further query makes a new view, of
/// which nothing is known.
///
/// Live views keep their cache inline, as most views live for one line of a program. The threads of a frozen session
/// share the cache of a view; it is made with the view.
enum ResultsCache {
  case nothing
  case count(Int, VersionStamp)
  case prefix(ResultsContents, count: Int?, VersionStamp)
  case all(ResultsContents, VersionStamp)
  case shared(SharedResultsCache)

  @inline(__always)
  init(isShared: Bool) { self = isShared ? .shared(SharedResultsCache()) : .nothing }

  // MARK: Known

  /// Whether several threads use the cache.
  var isShared: Bool { if case .shared = self { true } else { false } }

  /// Whether all elements are known at a moment.
  func isAll(at stamp: VersionStamp) -> Bool { if case .all(_, stamp) = self { true } else { false } }

  /// All elements, if they are known at a moment.
  func contents(at stamp: VersionStamp) -> ResultsContents? {
    if case .all(let contents, stamp) = self { contents } else { nil }
  }

  /// All elements at the moment at which they were evaluated.
  var lastContents: ResultsContents? { if case .all(let contents, _) = self { contents } else { nil } }

  /// The number of elements, if it is known at a moment.
  func count(at stamp: VersionStamp) -> Int? {
    switch self {
    case .count(let count, stamp): count
    case .prefix(_, let count, stamp): count
    case .all(let contents, stamp): contents.count
    default: nil
    }
  }

  /// The first elements, if they are known at a moment and the others are not.
  func prefix(at stamp: VersionStamp) -> ResultsContents? {
    if case .prefix(let rows, _, stamp) = self { rows } else { nil }
  }

  // MARK: Transitions

  /// The elements were counted, and not found.
  mutating func counted(_ count: Int, at stamp: VersionStamp) {
    switch self {
    case .shared, .all(_, stamp): break
    case .prefix(let rows, _, stamp): self = .prefix(rows, count: count, stamp)
    default: self = .count(count, stamp)
    }
  }

  /// The first elements were found.
  mutating func foundPrefix(_ rows: ResultsContents, at stamp: VersionStamp) {
    switch self {
    case .shared, .all(_, stamp): break
    default: self = .prefix(rows, count: count(at: stamp), stamp)
    }
  }

  /// All elements were found.
  mutating func evaluated(_ contents: ResultsContents, at stamp: VersionStamp) {
    if !isShared { self = .all(contents, stamp) }
  }

  /// All elements are those of an earlier moment.
  mutating func remained(at stamp: VersionStamp) {
    if case .all(let contents, _) = self { self = .all(contents, stamp) }
  }
}

/// The elements of a frozen view. Several threads may evaluate them at a time; the first result is stored, and never
/// changes after that.
final class SharedResultsCache {
  /// Written once under the lock, before `isFound` is set.
  @safe @exclusivity(unchecked) private var found = ResultsContents.values([])
  private let isFound = Atomic(false)
  private let storing = Mutex(())

  /// The elements; found by the given function if no thread has found them.
  ///
  /// - Parameter evaluate: may run code of the application, so it is called outside the lock.
  func contents(_ evaluate: () -> ResultsContents) -> ResultsContents {
    if isFound.load(ordering: .acquiring) { return found }
    let made = evaluate()
    return storing.withLock { _ in
      if !isFound.load(ordering: .relaxed) {
        found = made
        isFound.store(true, ordering: .releasing)
      }
      return found
    }
  }
}
