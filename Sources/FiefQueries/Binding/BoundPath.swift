import FiefGraph

/// A path whose names are resolved to leaves and columns, which evaluation follows.
///
///     level      hops                          end            walk
///     the row ─▶ link ─▶ links ─▶ backlinks ─▶ cell, …    ─▶ into an any-value
///
/// Hops lead from rows to rows. The end reads values of the last row. A path never leads from a value back to rows.
/// Of the values under keys, embedded objects alone are rows on the way.
struct BoundPath: Sendable {
  /// A step from a row to rows.
  enum Hop: Sendable {
    /// The target of a to-one link.
    case link(leaf: Int, to: TableKey)
    /// The targets in a list, a set or a dictionary.
    case links(leaf: Int, type: ColumnType, to: TableKey)
    /// The target under a key of a dictionary.
    case entry(leaf: Int, key: String, to: TableKey)
    /// The rows that link to the row.
    case backlinks(origin: TableKey, column: ColumnKey)

    /// The table of the target rows.
    var table: TableKey {
      switch self {
      case .link(_, let table), .links(_, _, let table), .entry(_, _, let table), .backlinks(let table, _): table
      }
    }

    /// Whether the hop may lead to several rows.
    var isMany: Bool {
      switch self {
      case .link, .entry: false
      case .links, .backlinks: true
      }
    }

    /// Whether the hop is a link in a cell of its own.
    var isLink: Bool { if case .link = self { true } else { false } }

    /// Whether the hop may lead to a missing row, whose properties read as null.
    var mayBeNull: Bool {
      switch self {
      case .link, .entry: true
      case .links(_, let type, _): type.shape == .dictionary
      case .backlinks: false
      }
    }
  }

  /// The values that the path reads from the last row.
  enum End: Sendable {
    /// The row itself, as a link.
    case row
    /// The value of a single cell.
    case cell(leaf: Int, ColumnType)
    /// The elements of a collection, or the values of a dictionary.
    case elements(leaf: Int, ColumnType)
    case keys(leaf: Int)
    /// The value under a key of a dictionary; null when the key does not exist.
    case entry(leaf: Int, ColumnType, key: String)
    indirect case aggregate(BoundAggregate)
    /// The current element of a query of elements.
    case element(ColumnType)
    /// The lengths of the strings or data that another end reads; null for null.
    indirect case length(of: End)

    /// The end that reads what is stored.
    var stored: End {
      if case .length(let end) = self { end } else { self }
    }
  }

  /// The nesting level of the subquery whose element the path begins at, counted from 1; 0 for the row of the query.
  var level = 0
  /// The table of the row at which the path begins; nil for a query of elements.
  var start: TableKey?
  var hops: [Hop] = []
  var end = End.row
  /// Subscripts into the any-value at the end.
  var walk: [PropertyPath.Component] = []

  var table: TableKey? { hops.last?.table ?? start }

  /// Whether the path reads a single cell of the row at which it begins, and nothing in an any-value there.
  var readsRowAlone: Bool {
    guard hops.isEmpty, walk.isEmpty, case .cell = end else { return false }
    return true
  }

  /// Whether the path may read several values.
  var isMany: Bool {
    if hops.contains(where: \.isMany) || walk.contains(.anyElement) { return true }
    switch end.stored {
    case .elements, .keys: return true
    default: return false
    }
  }

  /// The kind of the values that are not null.
  var kind: ValueKind {
    switch end {
    case .row: .link
    case .cell(_, let type), .elements(_, let type), .entry(_, let type, _), .element(let type): type.kind
    case .keys: .string
    case .aggregate(let aggregate): aggregate.kind
    case .length: .int
    }
  }

  /// The target table, if the path reads links.
  var target: TableKey? {
    switch end {
    case .row: table
    case .cell(_, let type), .elements(_, let type), .entry(_, let type, _), .element(let type): type.target
    default: nil
    }
  }

  /// Whether the path may read null.
  var mayBeNull: Bool {
    if !walk.isEmpty { return true }
    switch end.stored {
    case .row: return hops.last?.mayBeNull ?? false
    case .cell(_, let type): return type.allowsNull || hops.contains(where: \.mayBeNull)
    case .elements(_, let type), .element(let type): return type.allowsNull
    case .keys: return false
    case .entry: return true
    case .aggregate(let aggregate): return aggregate.mayBeNull
    // `end.stored` never is one.
    case .length: return true
    }
  }

  /// The kind of the values that the path aggregates; nil if it aggregates none.
  var aggregated: ValueKind? {
    if case .aggregate(let aggregate) = end { return aggregate.elementKind }
    return nil
  }

  var isAggregate: Bool { aggregated != nil }

  /// The kind by which the values are sorted. A sum of integers may exceed them, and is sorted as decimals are.
  var sortedKind: ValueKind {
    if case .aggregate(let aggregate) = end, aggregate.operation == .sum { return .decimal }
    return kind
  }
}

/// `@count`, `@sum` and the other operators over one collection.
struct BoundAggregate: Sendable {
  let operation: PropertyPath.Aggregate
  /// The path from the row to the elements, or to a cell at the end of links from each element.
  let path: BoundPath
  /// The kind of the values that the path reads.
  let elementKind: ValueKind

  var kind: ValueKind { operation.kind(of: elementKind) }

  var mayBeNull: Bool { operation != .count && operation != .sum }
}
