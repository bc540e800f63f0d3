import FiefGraph

/// A modifier whose paths are resolved.
enum BoundQueryModifier: Sendable {
  case sort([BoundSortKey])
  case distinct([BoundPath])
  case limit(Int, offset: Int)

  var sortKeys: [BoundSortKey] {
    guard case .sort(let keys) = self else { preconditionFailure("A modifier sorts in all tables of a query.") }
    return keys
  }

  /// The paths by which repetitions are left out.
  var distinctPaths: [BoundPath] {
    guard case .distinct(let paths) = self else {
      preconditionFailure("A modifier leaves out repetitions in all tables of a query.")
    }
    return paths
  }

  /// Whether it depends on cells of the rows alone, and not on other rows.
  var readsRowsAlone: Bool {
    switch self {
    case .sort(let keys): keys.allSatisfy(\.path.readsRowAlone)
    case .distinct(let paths): paths.allSatisfy(\.readsRowAlone)
    case .limit: true
    }
  }
}

/// A sort key whose path is resolved.
struct BoundSortKey: Sendable {
  /// The path as it was passed, for messages.
  let name: PropertyPath
  /// A path to one value, or a path over backlinks. Among the values over backlinks, an ascending sort uses the minimum
  /// and a descending sort the maximum.
  let path: BoundPath
  let ascending: Bool
  let collation: TextCollation
  /// Whether rows whose path leads over a null link stand after all values when ascending, as in sorts. Otherwise they
  /// count as null, as in groups.
  let setsNullLinksApart: Bool
}
