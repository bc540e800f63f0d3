/// A string as a key of a dictionary or an element of a set: equal only to strings with the same UTF-8 bytes, as in
/// stored dictionaries. Swift's own keys also equal canonically equivalent strings, such as the two forms of `é`.
package struct IdenticalText: Hashable, Sendable {
  /// The string.
  package let text: String

  /// The key that is the given string.
  package init(_ text: String) { self.text = text }

  package static func == (a: IdenticalText, b: IdenticalText) -> Bool {
    ByteOrder.areIdentical(a.text, b.text)
  }

  // Equal bytes have equal hashes. So have the two forms of `é`.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
