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

extension Double {
  /// The number of a float. A NaN keeps its sign and its payload, signalling or not, which a conversion changes.
  @inlinable
  public init(exactBits float: Float) {
    guard float.isNaN else {
      self.init(float)
      return
    }
    let bits = UInt64(float.bitPattern)
    self.init(bitPattern: (bits & 0x8000_0000) << 32 | 0x7FF0_0000_0000_0000 | (bits & 0x7F_FFFF) << 29)
  }
}

extension Float {
  /// The float of a number that was made by `Double.init(exactBits:)`.
  @inlinable
  public init(exactBits double: Double) {
    guard double.isNaN else {
      self.init(double)
      return
    }
    let bits = double.bitPattern
    // As one expression it takes a third of the time in which the types of the whole module are checked.
    let sign = UInt32(truncatingIfNeeded: bits >> 32) & 0x8000_0000
    let payload = UInt32(truncatingIfNeeded: bits >> 29) & 0x7F_FFFF
    self.init(bitPattern: sign | 0x7F80_0000 | payload)
  }
}

extension String {
  /// Whether both are the same stored value, byte for byte.
  @inlinable public static func isIdentical(_ a: String, _ b: String) -> Bool { StoredOrder.areIdentical(a, b) }
}

extension Decimal128 {
  /// Whether both are the same stored value, bit for bit.
  @inlinable public static func isIdentical(_ a: Decimal128, _ b: Decimal128) -> Bool { a.isIdentical(to: b) }
}
