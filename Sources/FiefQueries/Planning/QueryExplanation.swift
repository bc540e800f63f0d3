/// An explanation of how a query was run: its plan and its cost.
///
///     Person: 12 of 100000 rows.
///     Plan: index on city; the 100 rows that it gives are tested.
///     Test: age > 10 AND city == "Oslo"
public struct QueryExplanation: Sendable, Hashable, CustomStringConvertible {
  /// The name of the table.
  public let table: String
  /// The plan, as a sentence.
  public let plan: String
  /// The column names of each index that was used, primary keys included.
  public let indexes: [[String]]
  /// The number of rows that were tested, one by one or in leaves.
  public let rowsExamined: Int
  /// The number of rows in the table.
  public let rowsInTable: Int
  /// The number of rows that satisfy the condition.
  public let rowsFound: Int
  /// The condition, as a format string.
  public let predicate: String

  /// The whole explanation as a string.
  public var description: String {
    "\(table): \(rowsFound) of \(rowsInTable) rows.\nPlan: \(plan)\nRows examined: \(rowsExamined)\nTest: \(predicate)"
  }
}
