import FiefSessions

/// What is known of the result of a view.
///
/// | known | counted | prefix found | evaluated | remained |
/// | --- | --- | --- | --- | --- |
/// | `nothing` | `count` | `prefix` | `all` | - |
/// | `count` | - | `prefix` with that count | `all` | - |
/// | `prefix` | `prefix` with that count | a longer one, with that count | `all` | - |
/// | `all` | - | - | `all` of another moment | `all` of another moment |
/// | `shared` | - | - | - | - |
///
/// A dash is no transition. What is known of another moment counts as `nothing`. A prefix that turns
/// out to be the whole result is `all`, unless it is long. A further query makes a new view, of which nothing is known.
///
/// Live views keep their cache inline, as most views live for one line of a program. The threads of a frozen session
/// share the cache of a view; it is made with the view.
enum ResultsCache {
  case nothing
  case count(Int, Moment)
  case prefix(ResultsPrefix, count: Int?, Moment)
  case all(ResultsContents, Moment)
  case shared(SharedResultsCache)

  @inline(__always)
  init(isShared: Bool) { self = isShared ? .shared(SharedResultsCache()) : .nothing }

  // MARK: Known

  /// Whether several threads use the cache.
  var isShared: Bool { if case .shared = self { true } else { false } }

  /// Whether all elements are known at a moment.
  func isAll(at moment: Moment) -> Bool { if case .all(_, moment) = self { true } else { false } }

  /// All elements, if they are known at a moment.
  func shown(at moment: Moment) -> ResultsContents? {
    if case .all(let shown, moment) = self { shown } else { nil }
  }

  /// All elements at the moment at which they were evaluated.
  var lastShown: ResultsContents? { if case .all(let shown, _) = self { shown } else { nil } }

  /// The number of elements, if it is known at a moment.
  func count(at moment: Moment) -> Int? {
    switch self {
    case .count(let count, moment): count
    case .prefix(_, let count, moment): count
    case .all(let shown, moment): shown.count
    default: nil
    }
  }

  /// The first elements, if they are known at a moment and the others are not.
  func prefix(at moment: Moment) -> ResultsPrefix? {
    if case .prefix(let rows, _, moment) = self { rows } else { nil }
  }

  // MARK: Transitions

  /// The elements were counted, and not found.
  mutating func counted(_ count: Int, at moment: Moment) {
    switch self {
    case .shared, .all(_, moment): break
    case .prefix(let rows, _, moment): self = .prefix(rows, count: count, moment)
    default: self = .count(count, moment)
    }
  }

  /// The first elements were found.
  mutating func foundPrefix(_ rows: ResultsPrefix, at moment: Moment) {
    switch self {
    case .shared, .all(_, moment): break
    default: self = rows.whole.map { .all($0, moment) } ?? .prefix(rows, count: count(at: moment), moment)
    }
  }

  /// All elements were found.
  mutating func evaluated(_ shown: ResultsContents, at moment: Moment) {
    if !isShared { self = .all(shown, moment) }
  }

  /// All elements are those of an earlier moment.
  mutating func remained(at moment: Moment) {
    if case .all(let shown, _) = self { self = .all(shown, moment) }
  }
}
