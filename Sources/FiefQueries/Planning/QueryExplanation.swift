/// An explanation of how a query was run: its plan and its cost.
///
///     Person: 12 of 100000 rows.
///     Plan: index on city; the 100 rows that it gives are tested.
///     Test: age > 10 AND city == "Oslo"
package struct QueryExplanation: Sendable, Hashable, CustomStringConvertible {
  package let table: String
  /// The plan, as a sentence.
  package let plan: String
  /// The column names of each index that was used, primary keys included.
  package let indexes: [[String]]
  /// The number of rows that were tested, one by one or in leaves.
  package let rowsExamined: Int
  package let rowsInTable: Int
  /// The number of rows that satisfy the condition.
  package let rowsFound: Int
  /// The condition, as a format string.
  package let predicate: String

  /// The whole explanation as a string.
  package var description: String {
    "\(table): \(rowsFound) of \(rowsInTable) rows.\nPlan: \(plan)\nRows examined: \(rowsExamined)\nTest: \(predicate)"
  }
}
