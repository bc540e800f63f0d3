extension Decimal128: ExpressibleByIntegerLiteral {
  /// The type of integer literals: `Int128` can represent all numbers of 34 digits.
  public typealias IntegerLiteralType = Int128

  /// Makes the number equal to `value`, with exponent 0, for explicit calls.
  @inlinable public init(integerLiteral value: Int64) { self.init(value) }

  /// Makes the number of an integer literal, with exponent 0.
  @inlinable
  @_disfavoredOverload
  public init(integerLiteral value: Int128) {
    self = Decimal128.rounded(negative: value < 0, coefficient: value.magnitude, exponent: 0)
  }
}

extension Decimal128: ExpressibleByFloatLiteral {
  /// Makes the number with the shortest digits that read back as the literal's double: 1.1 is 1.1. Use a string literal
  /// for more than 17 digits.
  ///
  ///     let price: Decimal128 = 19.99
  public init(floatLiteral value: Double) { self.init(value) }
}

extension Decimal128: ExpressibleByStringLiteral {
  /// Makes the number of a string literal, or NaN if it is not a number.
  ///
  ///     let price: Decimal128 = "19.99"
  public init(stringLiteral value: String) { self = Decimal128.parse(value) ?? .nan }
}
