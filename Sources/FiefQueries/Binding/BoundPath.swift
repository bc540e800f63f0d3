import FiefGraph

/// A path whose names have become places: what evaluation follows.
///
///     level      hops                          end            walk
///     the row ─▶ link ─▶ links ─▶ backlinks ─▶ cell, …    ─▶ into an any-value
///
/// Hops lead from rows to rows, the end reads values of the last. A path never leads from a value back to rows.
struct BoundPath: Sendable {
  /// A step from a row to rows.
  enum Hop: Sendable {
    /// The one target of a link.
    case link(leaf: Int, to: TableKey)
    /// The targets in a list, a set or a dictionary.
    case links(leaf: Int, type: ColumnType, to: TableKey)
    /// The rows that link here.
    case backlinks(origin: TableKey, column: ColumnKey)

    /// The table of the rows that it leads to.
    var table: TableKey {
      switch self {
      case .link(_, let table), .links(_, _, let table), .backlinks(let table, _): table
      }
    }

    /// Whether it may lead to several rows.
    var isMany: Bool {
      if case .link = self { return false }
      return true
    }

    /// Whether it may lead to no row, which then reads as nulls.
    var mayBeNull: Bool {
      switch self {
      case .link: true
      case .links(_, let type, _): type.shape == .dictionary
      case .backlinks: false
      }
    }
  }

  /// What is read of the last row.
  enum End: Sendable {
    /// The row itself, as a link.
    case row
    /// A single cell.
    case cell(leaf: Int, ColumnType)
    /// The elements of a collection, or the values of a dictionary.
    case elements(leaf: Int, ColumnType)
    /// The keys of a dictionary.
    case keys(leaf: Int)
    /// The value under a key of a dictionary; null when there is none.
    case entry(leaf: Int, ColumnType, key: String)
    /// A number worked out of a collection.
    case aggregate(BoundAggregate)
    /// The element that a query of elements is asked about.
    case element(ColumnType)
  }

  /// Which subquery's element it begins at, from 1; 0 for the row of the query.
  var level = 0
  /// The table of the row that it begins at; nil for a query of elements.
  var start: TableKey?
  var hops: [Hop] = []
  var end = End.row
  /// Subscripts into an any-value, which the end reads.
  var walk: [PropertyPath.Component] = []

  /// The table of the last row.
  var table: TableKey? { hops.last?.table ?? start }

  /// Whether it may read several values.
  var isMany: Bool {
    if hops.contains(where: \.isMany) || walk.contains(.anyElement) { return true }
    switch end {
    case .elements, .keys: return true
    default: return false
    }
  }

  /// The kind of the values that it reads, when they are not null.
  var kind: ValueKind {
    switch end {
    case .row: .link
    case .cell(_, let type), .elements(_, let type), .entry(_, let type, _), .element(let type): type.kind
    case .keys: .string
    case .aggregate(let aggregate): aggregate.kind
    }
  }

  /// The table of the links that it reads, if it reads links.
  var target: TableKey? {
    switch end {
    case .row: table
    case .cell(_, let type), .elements(_, let type), .entry(_, let type, _), .element(let type): type.target
    default: nil
    }
  }

  /// Whether a value that it reads may be null.
  var mayBeNull: Bool {
    if !walk.isEmpty { return true }
    switch end {
    case .row: return hops.last?.mayBeNull ?? false
    case .cell(_, let type): return type.allowsNull || hops.contains(where: \.mayBeNull)
    case .elements(_, let type), .element(let type): return type.allowsNull
    case .keys: return false
    case .entry: return true
    case .aggregate(let aggregate): return aggregate.mayBeNull
    }
  }

  var isAggregate: Bool {
    if case .aggregate = end { return true }
    return false
  }
}

/// `@count`, `@sum` and their like over one collection.
struct BoundAggregate: Sendable {
  enum Source: Sendable {
    case cell(leaf: Int, ColumnType)
    case backlinks(origin: TableKey, column: ColumnKey)
  }

  let operation: PropertyPath.Component
  let source: Source
  /// What is read of each element: nil for the element itself, else links to follow and a cell.
  let inner: Inner?
  /// The kind of the elements, or of what is read of them.
  let elementKind: ValueKind

  struct Inner: Sendable {
    var hops: [BoundPath.Hop]
    var leaf: Int
    var type: ColumnType
  }

  var kind: ValueKind {
    switch operation {
    case .count: .int
    case .sum: elementKind == .float ? .double : elementKind
    case .average: elementKind == .decimal || elementKind == .any ? .decimal : .double
    default: elementKind
    }
  }

  var mayBeNull: Bool { operation != .count && operation != .sum }
}
