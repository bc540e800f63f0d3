import FiefGraph

/// The first rows that a query finds, for whoever wants no more of it.
///
///     first, isEmpty     one
///     prefix(3)          three
struct ResultsBeginning {
  private let rows: Rows
  /// Whether there are no others.
  private let isAll: Bool

  enum Rows {
    /// Of one class.
    case keys(ContiguousArray<ObjectKey>, TableKey)
    /// Of several.
    case links(ContiguousArray<ObjectLink>)
  }

  /// - Parameter wanted: how many were asked for: there are no others when fewer were found.
  init(_ rows: Rows, wanted: Int) {
    self.rows = rows
    isAll = Self.count(rows) < wanted
  }

  /// How many rows are known.
  var count: Int { Self.count(rows) }

  private static func count(_ rows: Rows) -> Int {
    switch rows {
    case .keys(let keys, _): keys.count
    case .links(let links): links.count
    }
  }

  /// Whether it says what the first `wanted` are.
  func answers(_ wanted: Int) -> Bool { isAll || wanted <= count }

  /// The row at a position, of one class; nil when it is not known.
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
  /// The first elements, no more than `count`; nil when the query is not asked of whole tables, or they are found no
  /// sooner than all.
  ///
  /// A few of an order are found in a fraction of the time that sorting takes, so that whoever goes on pays little
  /// twice.
  func beginning(_ count: Int, of base: ResultsBase, _ session: Session) -> ResultsBeginning? {
    if sorts {
      guard count <= Self.fewOfAnOrder, parsed.arrangements.count == 1, rows != nil else { return nil }
    }
    switch base {
    case .table(let binding):
      guard let rows else { return nil }
      let table = binding._withUnsafeGuaranteedRef { $0.table }
      return ResultsBeginning(.keys(session.read { rows.beginning(count, in: $0) }, table), wanted: count)
    case .union:
      guard let union else { return nil }
      return ResultsBeginning(.links(session.read { union.beginning(count, in: $0) }), wanted: count)
    case .collection, .backlinks, .view, .tested: return nil
    }
  }

  /// Up to so many elements of an order are looked for by themselves.
  private static var fewOfAnOrder: Int { 256 }

  /// Whether it brings elements into an order.
  var sorts: Bool { parsed.arrangements.contains { if case .sort = $0 { true } else { false } } }
}
