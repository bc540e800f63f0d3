/// The reason why an operation on a graph was refused. An operation that throws it has changed nothing.
public struct GraphError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of refusal.
  public enum Code: Hashable, Sendable {
    /// A value does not fit the column: wrong type, null in a required column, outside the declared width.
    case invalidValue
    /// A row with that primary key exists.
    case duplicatePrimaryKey
    /// Another row has the same values in a unique index.
    case uniqueConstraint
    /// A row, column or table does not exist, or was removed.
    case missingObject
    /// A delete rule forbids the delete.
    case deleteDenied
    /// An embedded object would have no owner, or two.
    case ownership
    /// The schema, or the change to it, is inconsistent, or the stored data does not fit it.
    case invalidSchema
    /// A transaction began from a version that is no longer the latest.
    case conflict
    /// A delta does not fit the graph that it is applied to.
    case invalidDelta
  }

  /// The kind of refusal.
  public let code: Code
  /// One sentence: what was refused, and what to do about it.
  public let message: String
  /// The name of the table, if the error concerns one.
  public let table: String?
  /// The name of the column, if the error concerns one.
  public let column: String?
  /// The key of the row, if the error concerns one.
  public let key: ObjectKey?

  /// Makes an error of its parts.
  public init(_ code: Code, _ message: String, table: String? = nil, column: String? = nil, key: ObjectKey? = nil) {
    self.code = code
    self.message = message
    self.table = table
    self.column = column
    self.key = key
  }

  /// The message.
  public var description: String { message }
}
