extension LeafValues {
  /// How many integers of the leaf are less than `limit`, compared in the width in which they are stored.
  ///
  /// Linear and without decoding. The loop compares whole vectors of values, at some 0.1 ns a row for values of one
  /// byte. Slots set in `nulls` are not counted. Traps for a leaf of another type.
  @inlinable
  public func countIntegers(below limit: Int64, nulls: Bitmap256 = Bitmap256()) -> Int {
    var count: Int
    switch self {
    case .int8(let array): count = Self.count(array, below: limit)
    case .int16(let array): count = Self.count(array, below: limit)
    case .int32(let array): count = Self.count(array, below: limit)
    case .int64(let array): count = Self.count(array, below: limit)
    default: wrongLeaf()
    }
    // A null cell holds a zero.
    if !nulls.isEmpty && limit > 0 { count -= nulls.count }
    return count
  }

  @inlinable
  @inline(__always)
  static func count<Narrow: FixedWidthInteger & SignedInteger>(
    _ array: ContiguousArray<Narrow>, below limit: Int64
  ) -> Int {
    if limit > Int64(Narrow.max) { return array.count }
    if limit <= Int64(Narrow.min) { return 0 }
    let bound = Narrow(truncatingIfNeeded: limit)
    return unsafe array.withUnsafeBufferPointer { values in
      var count = 0
      var slot = 0
      // Blocks of 64, counted in the values' own width (64 fits the narrowest), so that the compiler vectorises the
      // loop. A `Bool` is one byte, 0 or 1. A conditional would cost a branch for each value.
      while slot &+ 64 <= values.count {
        var inBlock: Narrow = 0
        for offset in 0..<64 {
          unsafe inBlock &+= Narrow(truncatingIfNeeded: unsafeBitCast(values[slot &+ offset] < bound, to: UInt8.self))
        }
        count &+= Int(inBlock)
        slot &+= 64
      }
      while slot < values.count {
        unsafe count &+= values[slot] < bound ? 1 : 0
        slot &+= 1
      }
      return count
    }
  }
}
