import FiefGraph

/// Rows with equal keys: of one table by their keys, of several as links.
package struct RowGroup<Row: Sendable>: Sendable {
  /// The common values, one for each path. If equal values differ in form, as `0.0` and `-0.0` do, these are the values
  /// of the first row.
  package let key: [Value]
  /// The rows, in the order in which they were passed.
  package let rows: ContiguousArray<Row>
}
