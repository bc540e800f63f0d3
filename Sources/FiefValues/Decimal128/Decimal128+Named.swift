// Named methods for the operators, as programs that used Objective-C's decimal numbers call them.

extension Decimal128: Strideable {
  /// The distance between two numbers is a number.
  public typealias Stride = Decimal128

  /// `other` minus this number.
  @inlinable public func distance(to other: Decimal128) -> Decimal128 { other - self }

  /// The sum of this number and `distance`.
  @inlinable public func advanced(by distance: Decimal128) -> Decimal128 { self + distance }
}

extension Decimal128 {
  /// The sum, as `+`.
  @inlinable public func decimalNumber(byAdding other: Decimal128) -> Decimal128 { self + other }

  /// The difference, as `-`.
  @inlinable public func decimalNumber(bySubtracting other: Decimal128) -> Decimal128 { self - other }

  /// The product, as `*`.
  @inlinable public func decimalNumberByMultiplying(by other: Decimal128) -> Decimal128 { self * other }

  /// The quotient, as `/`.
  @inlinable public func decimalNumberByDividing(by other: Decimal128) -> Decimal128 { self / other }

  /// Whether this number is greater, as `>`.
  @inlinable public func isGreaterThan(_ other: Decimal128) -> Bool { self > other }

  /// Whether this number is greater or equal, as `>=`.
  @inlinable public func isGreaterThanOrEqual(to other: Decimal128) -> Bool { self >= other }

  /// Whether this number is less, as `<`.
  @inlinable public func isLessThan(_ other: Decimal128) -> Bool { self < other }

  /// Whether this number is less or equal, as `<=`.
  @inlinable public func isLessThanOrEqual(to other: Decimal128) -> Bool { self <= other }
}
