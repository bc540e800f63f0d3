import FiefGraph

/// An error in a query: a format that cannot be parsed, or a predicate that does not fit the schema.
package struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  package enum Code: Hashable, Sendable {
    /// The format does not follow the grammar.
    case syntax
    /// Too few or too many arguments for the format's placeholders, or an argument of the wrong kind.
    case argument
    /// A property or a variable that does not exist.
    case unknownProperty
    /// A value or a property of a type that cannot be compared with the property.
    case typeMismatch
    /// A valid format that is not supported: an operator that its type does not have, an operator of `NSPredicate` that
    /// stores cannot evaluate, or a path where none is allowed.
    case unsupported
    case invalidShape
  }

  /// The kind of the error.
  package let code: Code
  /// One sentence that states what was refused and why.
  package let reason: String
  /// The position in the format, in bytes of UTF-8 from 0; nil for predicates that were not parsed.
  package let position: Int?
  /// The format, for the message; nil for predicates that were not parsed.
  private var format: String?

  /// An error with a reason. If the reason is too long, because it contains a long name, its middle is left out.
  package init(_ code: Code, _ reason: String, at position: Int? = nil) {
    assert(!reason.isEmpty && position ?? 0 >= 0, "An error has a reason, and a position in its format.")
    self.code = code
    self.reason = Self.abbreviated(reason)
    self.position = position
  }

  /// A part of a format as a message shows it: the beginning of one that is long.
  static func short(_ text: String) -> String { text.utf8.count > 64 ? text.prefix(40) + "..." : text }

  /// Limits the length of a reason, which may contain names, strings and values of any length.
  private static func abbreviated(_ reason: String) -> String {
    // Counts scalars, because a single character has no limit of length.
    let scalars = reason.unicodeScalars
    guard reason.utf8.count > limit else { return reason }
    return String(scalars.prefix(limit / 8)) + " … " + String(scalars.suffix(limit / 8))
  }

  /// The limit of a reason in bytes. Code that shows the error may add as many bytes of its own.
  private static let limit = 2048

  /// The reason, after the position and the format, if there are such.
  package var description: String {
    guard let position else { return reason }
    guard let format else { return "At byte \(position): \(reason)" }
    // Of a long format, the part around the position.
    let start = format.utf8.count <= 64 ? 0 : max(0, position - 24)
    let shown = SchemaNames.printed(String(decoding: format.utf8.dropFirst(start), as: UTF8.self))
    return "At byte \(position) of \"\(start > 0 ? "…" : "")\(shown)\": \(reason)"
  }

  /// The error with the format that it is about.
  package func quoting(_ format: String) -> QueryError {
    var error = self
    error.format = format
    return error
  }

  /// The error for a name that a class does not have.
  ///
  /// - Parameter advice: what may help, as the end of a sentence; see `SchemaNames.advice(on:among:)`.
  package static func unknown(
    _ name: String, of className: String, in path: PropertyPath, advice: String, at position: Int?
  ) -> QueryError {
    // A name alone may have been meant as a text.
    let isText = position != nil && path.components.count == 1 && advice.hasPrefix("it has")
    return QueryError(
      .unknownProperty,
      "There is no property '\(name)' in '\(className)': "
        + (isText ? "a text stands in quotes ('\(name)'), and \(advice)" : advice), at: position)
  }
}
