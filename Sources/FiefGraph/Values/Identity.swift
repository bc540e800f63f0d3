public import FiefValues

// Whether two stored values are one, bit for bit, for the types whose equality means less or more than that. These are
// the witnesses of `Storable.isIdentical`; all other types are identical where they are equal.

extension Float {
  /// Whether the two are the same stored value, bit for bit.
  @inlinable
  public static func isIdentical(_ a: Float, _ b: Float) -> Bool { a.bitPattern == b.bitPattern }
}

extension Double {
  /// Whether the two are the same stored value, bit for bit.
  @inlinable
  public static func isIdentical(_ a: Double, _ b: Double) -> Bool { a.bitPattern == b.bitPattern }
}

extension String {
  /// Whether the two are the same stored value, bit for bit.
  @inlinable
  public static func isIdentical(_ a: String, _ b: String) -> Bool { StoredOrder.areIdentical(a, b) }
}

extension Decimal128 {
  /// Whether the two are the same stored value, bit for bit.
  @inlinable
  public static func isIdentical(_ a: Decimal128, _ b: Decimal128) -> Bool { a.isIdentical(to: b) }
}
