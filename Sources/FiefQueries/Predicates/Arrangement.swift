/// A step of what is done to the rows that match, in the order in which it is asked for.
public enum Arrangement: Hashable, Sendable {
  /// Brings rows into an order. Rows that are equal in it stay as they were, so of two sorts the later one counts more.
  case sort([SortKey])
  /// Keeps the first row of each combination of values. Rows with a null link on one of the ways drop out.
  case distinct([PropertyPath])
  /// Leaves out rows at the beginning, and those beyond a number.
  case limit(Int, offset: Int = 0)
}

/// One key of a sort: what is read in each row, and which way.
public struct SortKey: Hashable, Sendable {
  /// The values that decide: to one value, never over a collection unless an aggregate ends it; or over backlinks, of
  /// whose values the least decides when ascending, the greatest when not, and null when there is none.
  public var path: PropertyPath
  /// Smallest first, nulls before all; or greatest first.
  public var ascending: Bool
  /// How text is compared.
  public var collation: TextCollation

  /// A key from its parts.
  public init(_ path: PropertyPath, ascending: Bool = true, collation: TextCollation = .bytes) {
    self.path = path
    self.ascending = ascending
    self.collation = collation
  }
}
