/// A source that cannot be copied: a sentence that names the place and the mistake.
package struct CopyError: Error, Sendable, CustomStringConvertible {
  /// The sentence.
  package let message: String

  /// An error with a message.
  package init(_ message: String) { self.message = message }

  /// The sentence.
  package var description: String { message }
}
