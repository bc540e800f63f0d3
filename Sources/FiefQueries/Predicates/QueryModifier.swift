/// A step that sorts, deduplicates or limits the rows of a query. Steps run in the order in which they are given.
package enum QueryModifier: Hashable, Sendable {
  /// Sorts the rows. The sort is stable, so the last of several sorts is the primary one.
  case sort([SortKey])
  /// Keeps the first row of each combination of values. Rows with a null link on one of the paths are left out.
  case distinct([PropertyPath])
  /// Skips `offset` rows, then keeps at most the given number.
  case limit(Int, offset: Int = 0)
}

/// One key of a sort: a path and a direction.
package struct SortKey: Hashable, Sendable {
  /// The path to the value that is compared. It does not lead over a collection unless it ends in an aggregate. A path
  /// over backlinks is allowed: the minimum decides when ascending, the maximum when descending, and null when there is
  /// no value.
  package var path: PropertyPath
  /// Whether the order is ascending, with nulls first and rows behind null links last.
  package var ascending: Bool
  /// How strings are compared.
  package var collation: TextCollation

  /// A key for the values at a path.
  package init(_ path: PropertyPath, ascending: Bool = true, collation: TextCollation = .bytes) {
    self.path = path
    self.ascending = ascending
    self.collation = collation
  }
}
