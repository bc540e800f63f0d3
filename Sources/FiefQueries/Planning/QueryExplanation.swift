/// How a query was answered: by what, and at what cost.
///
///     Person: 12 of 100000 rows.
///     Plan: index on city; the 100 rows that it gives are tested.
///     Test: age > 10 AND city == "Oslo"
public struct QueryExplanation: Sendable, Hashable, CustomStringConvertible {
  /// The name of the table.
  public let table: String
  /// How the rows were found, in a sentence.
  public let plan: String
  /// The names of the columns of each index that was used, primary keys included.
  public let indexes: [[String]]
  /// How many rows were looked at, one by one or in leaves.
  public let rowsExamined: Int
  /// How many rows the table has.
  public let rowsInTable: Int
  /// How many rows satisfy the condition.
  public let rowsFound: Int
  /// The condition, as a format string.
  public let predicate: String

  /// All of it, as text.
  public var description: String {
    "\(table): \(rowsFound) of \(rowsInTable) rows.\nPlan: \(plan)\nRows examined: \(rowsExamined)\nTest: \(predicate)"
  }
}
