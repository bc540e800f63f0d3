/// Why a query was refused: a text that is no predicate, or a predicate that does not fit the schema.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of refusal.
  public enum Code: Hashable, Sendable {
    /// The text does not follow the grammar.
    case syntax
    /// Too few arguments for the format's placeholders, too many, or one of a kind that cannot stand there.
    case argument
    /// A property, or a variable, that does not exist.
    case unknownProperty
    /// A value, or another property, of a type that cannot be compared with the property.
    case typeMismatch
    /// Something that is understood and not supported: an operator on a type that has none, an operator of the original's
    /// framework that stores cannot answer, a path where none may stand.
    case unsupported
    /// A geographic shape that is none.
    case invalidShape
  }

  /// What kind of refusal it is.
  public let code: Code
  /// One sentence: what was refused, and why.
  public let reason: String
  /// Where in the text, counted in bytes of UTF-8 from 0; nil for predicates that were not parsed.
  public let position: Int?

  /// An error from its parts.
  public init(_ code: Code, _ reason: String, at position: Int? = nil) {
    self.code = code
    self.reason = reason
    self.position = position
  }

  /// The reason, with the position if there is one.
  public var description: String { position.map { "At byte \($0): \(reason)" } ?? reason }
}
