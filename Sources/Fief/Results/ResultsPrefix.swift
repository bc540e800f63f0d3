import FiefGraph
import FiefRuntime
import FiefSessions

/// The first rows of a query's result, for callers that need no more.
///
///     first, isEmpty     one
///     prefix(3)          three
struct ResultsPrefix {
  private let rows: Rows
  /// Whether the result has no other rows.
  private let isAll: Bool

  enum Rows {
    /// Rows of one class.
    case keys(ContiguousArray<ObjectKey>, TableKey)
    /// Rows of several classes.
    case links(ContiguousArray<ObjectLink>)
  }

  /// - Parameter wanted: the number of rows that was asked for; if fewer were found, no others exist.
  init(_ rows: Rows, wanted: Int) {
    self.rows = rows
    isAll = Self.count(rows) < wanted
  }

  /// The number of known rows.
  var count: Int { Self.count(rows) }

  private static func count(_ rows: Rows) -> Int {
    switch rows {
    case .keys(let keys, _): keys.count
    case .links(let links): links.count
    }
  }

  /// The rows as the whole result of a query on one class, if there are no others; otherwise nil. Also nil for many
  /// rows, as aggregates over a selection are faster than those over keys.
  var whole: ResultsContents? {
    if isAll, case .keys(let keys, _) = rows, keys.count <= 64 { return .keys(keys) }
    return nil
  }

  /// Whether the first `wanted` rows are known.
  func answers(_ wanted: Int) -> Bool { isAll || wanted <= count }

  /// The row at a position of a result of one class; nil when it is not known.
  func key(at position: Int) -> ObjectKey? {
    guard case .keys(let keys, _) = rows, keys.indices.contains(position) else { return nil }
    return keys[position]
  }

  /// The row at a position; nil when it is not known.
  func link(at position: Int) -> ObjectLink? {
    guard position >= 0 && position < count else { return nil }
    switch rows {
    case .keys(let keys, let table): return ObjectLink(table, keys[position])
    case .links(let links): return links[position]
    }
  }
}

extension ResultsQuery {
  /// The first elements, at most `count`. Nil when the query does not cover whole tables, or when finding all elements
  /// takes no longer.
  ///
  /// The first few elements in a sort order are found in a fraction of the time of a full sort, so evaluating the query
  /// afterwards adds little.
  func prefix(_ count: Int, of base: ResultsSource, _ session: Session) -> ResultsPrefix? {
    guard let rows else { return nil }
    if sorts, count > Self.fewOfAnOrder || parsed.modifiers.count > 1 || base.union != nil { return nil }
    switch base {
    case .table(let binding):
      let table = binding.with { $0.table }
      return ResultsPrefix(.keys(session.read { rows.prefix(count, in: $0) }, table), wanted: count)
    case .union:
      return ResultsPrefix(.links(session.read { rows.links(in: $0, first: count) }), wanted: count)
    case .collection, .backlinks, .view, .tested: return nil
    }
  }

  /// The maximum number of sorted elements that are searched for without a full sort.
  private static var fewOfAnOrder: Int { 256 }

  /// Whether the query sorts its elements.
  var sorts: Bool { parsed.modifiers.contains { if case .sort = $0 { true } else { false } } }
}
