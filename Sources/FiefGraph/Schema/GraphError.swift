/// Why an operation on a graph was refused. Whatever throws it has changed nothing.
public struct GraphError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of refusal.
  public enum Code: Hashable, Sendable {
    /// A value that the column cannot hold: wrong type, null where it is required, out of the declared width.
    case invalidValue
    /// A row with that primary key exists.
    case duplicatePrimaryKey
    /// Another row has the values that a unique index allows once.
    case uniqueConstraint
    /// A row that is spoken of does not exist (any more).
    case missingObject
    /// A delete rule forbids the delete.
    case deleteDenied
    /// An embedded object would have no owner, or two.
    case ownership
    /// The schema, or the change to it, makes no sense, or the stored data does not fit it.
    case invalidSchema
    /// A transaction began from a version that is no longer the latest.
    case conflict
    /// A delta does not fit the graph that it is applied to.
    case invalidDelta
  }

  /// What kind of refusal it is.
  public let code: Code
  /// One sentence: what was refused, and what to do.
  public let message: String
  /// The name of the table concerned, if one is.
  public let table: String?
  /// The name of the column concerned, if one is.
  public let column: String?
  /// The row concerned, if one is.
  public let key: ObjectKey?

  /// An error from its parts.
  public init(_ code: Code, _ message: String, table: String? = nil, column: String? = nil, key: ObjectKey? = nil) {
    self.code = code
    self.message = message
    self.table = table
    self.column = column
    self.key = key
  }

  /// The sentence.
  public var description: String { message }
}
