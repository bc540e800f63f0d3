public import FiefRuntime
public import FiefValues

// Whether two stored values are identical, bit for bit, for the types whose `==` means something else. These functions
// implement `Storable.isIdentical`; for all other types, equal values are identical.

extension Float {
  /// Whether both are the same stored value, bit for bit.
  @inlinable public static func isIdentical(_ a: Float, _ b: Float) -> Bool { a.bitPattern == b.bitPattern }
}

extension Double {
  /// Whether both are the same stored value, bit for bit.
  @inlinable public static func isIdentical(_ a: Double, _ b: Double) -> Bool { a.bitPattern == b.bitPattern }
}

extension String {
  /// Whether both are the same stored value, byte for byte.
  @inlinable public static func isIdentical(_ a: String, _ b: String) -> Bool { ByteOrder.areIdentical(a, b) }
}

extension Decimal128 {
  /// Whether both are the same stored value, bit for bit.
  @inlinable public static func isIdentical(_ a: Decimal128, _ b: Decimal128) -> Bool { a.isIdentical(to: b) }
}
