// Names for what operators say, as programs that came from Objective-C's decimal numbers write it.

extension Decimal128: Strideable {
  /// A distance between two numbers is a number.
  public typealias Stride = Decimal128

  /// `other` less this number.
  @inlinable
  public func distance(to other: Decimal128) -> Decimal128 { other - self }

  /// This number and `distance`.
  @inlinable
  public func advanced(by distance: Decimal128) -> Decimal128 { self + distance }
}

extension Decimal128 {
  /// The sum; the same as `+`.
  @inlinable
  public func decimalNumber(byAdding other: Decimal128) -> Decimal128 { self + other }

  /// The difference; the same as `-`.
  @inlinable
  public func decimalNumber(bySubtracting other: Decimal128) -> Decimal128 { self - other }

  /// The product; the same as `*`.
  @inlinable
  public func decimalNumberByMultiplying(by other: Decimal128) -> Decimal128 { self * other }

  /// The quotient; the same as `/`.
  @inlinable
  public func decimalNumberByDividing(by other: Decimal128) -> Decimal128 { self / other }

  /// The same as `>`.
  @inlinable
  public func isGreaterThan(_ other: Decimal128) -> Bool { self > other }

  /// The same as `>=`.
  @inlinable
  public func isGreaterThanOrEqual(to other: Decimal128) -> Bool { self >= other }

  /// The same as `<`.
  @inlinable
  public func isLessThan(_ other: Decimal128) -> Bool { self < other }

  /// The same as `<=`.
  @inlinable
  public func isLessThanOrEqual(to other: Decimal128) -> Bool { self <= other }
}
