extension Decimal128: ExpressibleByIntegerLiteral {
  /// What a literal is read as: `Int128` holds every one of 34 digits.
  public typealias IntegerLiteralType = Int128

  /// The number equal to `value`, with exponent 0, for programs that call this by its name.
  @inlinable
  public init(integerLiteral value: Int64) { self.init(value) }

  /// The number that an integer literal writes, with exponent 0.
  @inlinable
  @_disfavoredOverload
  public init(integerLiteral value: Int128) {
    self = Decimal128.rounded(negative: value < 0, coefficient: value.magnitude, exponent: 0)
  }
}

extension Decimal128: ExpressibleByFloatLiteral {
  /// The number with the shortest digits that stand for a literal's double: 1.1 is 1.1. Literals of more than 17 digits
  /// belong in quotation marks.
  public init(floatLiteral value: Double) { self.init(value) }
}

extension Decimal128: ExpressibleByStringLiteral {
  /// The number that a string literal writes, or NaN when it writes none.
  public init(stringLiteral value: String) { self = Decimal128.parse(value) ?? .nan }
}
