import FiefGraph
import FiefValues

/// A number with a point or an exponent, or beyond 64 bits, as a format spells it. Its text becomes a number of the
/// kind with which it is compared: `0.1` is another number as a float, as a double and as a decimal.
package struct NumberLiteral: Equatable, Sendable {
  /// The digits, with their sign.
  let text: String

  /// The number of a valid text.
  init(_ text: String) {
    assert(Double(text) != nil, "A number has the digits of one.")
    self.text = text
  }

  /// The number that is nearest to the text among those of a kind; nil beyond all decimals.
  ///
  /// Kinds without fractions get a decimal, which is the text's exact value; all other kinds get a double, also
  /// any-values. A text beyond all floats becomes a double, one beyond all doubles a decimal, and none an infinity.
  /// Aggregates and any-values compare with it exactly; a property of floats or doubles is refused beside it.
  func value(of kind: ValueKind) -> Value? {
    if kind == .float, let number = Float(text), number.isFinite { return .float(number) }
    if kind != .int, kind != .decimal, let number = Double(text), number.isFinite { return .double(number) }
    if let number = try? Decimal128(validating: text), number.isFinite { return .decimal(number) }
    return nil
  }
}
