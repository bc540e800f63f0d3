import FiefGraph

/// Rows with equal keys, and the aggregates of these rows.
package struct RowGroup: Sendable {
  /// The common values, one for each path. If equal values differ in form, as `0.0` and `-0.0` do, these are the values
  /// of the first row.
  package let key: [Value]
  /// The rows, in the order in which they were passed.
  package let rows: ContiguousArray<ObjectKey>
  /// The aggregates of the rows, one for each requested total.
  package let totals: [Value]
  /// The number of rows.
  package var count: Int { rows.count }
}
