extension SeededRandom {
  /// Numbers at which floating-point code breaks: both zeros, both infinities, NaN with and without a payload,
  /// subnormals, the largest and smallest magnitudes, and the ends of exact integers.
  public static let doubleEdges: [Double] = [
    0.0, -0.0, 1, -1, 0.1, -0.1,
    .infinity, -.infinity, .nan, -.nan, Double(nan: 0x2A, signaling: false),
    .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude.nextDown, .leastNormalMagnitude,
    .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .ulpOfOne,
    0x1p53, 0x1p53 - 1, -0x1p53, 0x1p63, -0x1p63,
  ]

  /// A number with edge cases: an edge, a small integer, a fraction, or 64 random bits.
  public mutating func double() -> Double {
    switch below(4) {
    case 0: element(of: Self.doubleEdges)
    case 1: Double(below(33) - 16)
    case 2: (unit() - 0.5) * 2000
    default: Double(bitPattern: next())
    }
  }
}
