extension SeededRandom {
  /// Integers at which code breaks: zero and its neighbours, and both ends of every width with the numbers beyond them.
  public static let integerEdges: [Int64] = {
    var edges: [Int64] = [0, 1, -1, 2, -2]
    for bits in [8, 16, 32] as [Int64] {
      let end = Int64(1) << (bits - 1)
      edges += [end - 1, end, end + 1, -end + 1, -end, -end - 1]
      edges += [end * 2 - 1, end * 2]
    }
    return edges + [Int64.max, .max - 1, .min, .min + 1]
  }()

  /// An integer with edge cases: an edge, a small number, or 64 random bits shifted to a random width.
  public mutating func int64() -> Int64 {
    switch below(4) {
    case 0: return element(of: Self.integerEdges)
    case 1: return Int64(below(33)) - 16
    default:
      // An arithmetic shift: every width is equally likely, and both signs occur.
      return Int64(bitPattern: next()) >> Int64(below(64))
    }
  }

  /// An integer with edge cases; see ``int64()``.
  public mutating func int() -> Int {
    Int(truncatingIfNeeded: int64())
  }
}
