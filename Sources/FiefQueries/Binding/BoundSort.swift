import FiefGraph

/// A step of an arrangement whose paths have their places.
enum BoundArrangement: Sendable {
  case sort([BoundSortKey])
  case distinct([BoundPath])
  case limit(Int, offset: Int)
}

/// A key of a sort whose path has its place.
struct BoundSortKey: Sendable {
  /// To one value; or over backlinks, of whose values the least counts when ascending, and the greatest when not.
  let path: BoundPath
  let ascending: Bool
  let collation: TextCollation
}
