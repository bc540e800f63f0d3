import FiefGraph

/// Rows that have equal values of what they are grouped by, and what was worked out of them.
public struct RowGroup: Sendable {
  /// The values that they share, one for each path; of equal ones that differ in form, as `0.0` and `-0.0`, those of
  /// the first row.
  public let key: [Value]
  /// The rows, in the order in which they were given.
  public let rows: ContiguousArray<ObjectKey>
  /// What was worked out of them, one for each total that was asked for.
  public let totals: [Value]
  /// How many rows there are.
  public var count: Int { rows.count }
}
