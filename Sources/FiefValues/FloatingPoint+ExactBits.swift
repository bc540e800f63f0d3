// Floats as doubles and back, bit for bit.

extension Double {
  /// The number of a float. A NaN keeps its sign and its payload, signalling or not, which a conversion changes.
  @inlinable
  package init(exactBits float: Float) {
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
  package init(exactBits double: Double) {
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
