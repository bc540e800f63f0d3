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

  /// The number that is nearest to the text among those of a kind. Kinds without fractions get a decimal, which is the
  /// text's exact value; all other kinds get a double, also any-values.
  func value(of kind: ValueKind) -> Value {
    switch kind {
    case .int, .decimal: if let number = try? Decimal128(validating: text) { return .decimal(number) }
    // A number beyond all floats stays a double, which no float equals.
    case .float: if let number = Float(text), number.isFinite { return .float(number) }
    default: break
    }
    return .double(Double(text) ?? .nan)
  }
}
