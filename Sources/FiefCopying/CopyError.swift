/// A source that cannot be copied: a sentence that names the place and the mistake.
package struct CopyError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable {
    /// A value does not fit its property, or a source cannot be copied as the options require.
    case invalidValue
    /// A value reaches itself where cycles are not allowed.
    case cycle
    /// A primary key exists already.
    case duplicatePrimaryKey
    /// An object is to be added that another store holds.
    case managedElsewhere
  }

  package let code: Code
  package let message: String

  package init(_ message: String) { self.init(.invalidValue, message) }

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
