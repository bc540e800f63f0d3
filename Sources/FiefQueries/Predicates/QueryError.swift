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
    /// Something that is understood and not supported: an operator on a type that has none, an operator of the
    /// original's framework that stores cannot answer, a path where none may stand.
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

  /// An error from its parts. Of a reason that is long, because of a name in it that is, the middle is left out.
  public init(_ code: Code, _ reason: String, at position: Int? = nil) {
    self.code = code
    self.reason = Self.abbreviated(reason)
    self.position = position
  }

  /// Names, texts and values of any length stand in reasons; cut here, none of them makes an error long on any path.
  private static func abbreviated(_ reason: String) -> String {
    // Scalars, for a single character may be as long as it likes.
    let scalars = reason.unicodeScalars
    guard reason.utf8.count > limit else { return reason }
    return String(scalars.prefix(limit / 8)) + " … " + String(scalars.suffix(limit / 8))
  }

  /// In bytes; whoever shows the error has as many left for words of their own.
  private static let limit = 2048

  /// The reason, with the position if there is one.
  public var description: String { position.map { "At byte \($0): \(reason)" } ?? reason }
}
