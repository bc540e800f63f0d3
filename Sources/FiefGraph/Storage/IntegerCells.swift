/// The integers of a leaf in place, in the narrowest width that fits them all.
///
/// The buffers are not retained. Callers promise to hold the leaf, unchanged, while they use its cells.
@unsafe
@frozen
public enum IntegerCells {
  /// Integers of 8 bits.
  case int8(UnsafeBufferPointer<Int8>)
  /// Integers of 16 bits.
  case int16(UnsafeBufferPointer<Int16>)
  /// Integers of 32 bits.
  case int32(UnsafeBufferPointer<Int32>)
  /// Integers of 64 bits.
  case int64(UnsafeBufferPointer<Int64>)

  /// The slots whose integers lie in a range. Linear, without decoding.
  @inlinable
  public func slots(in range: ClosedRange<Int64>) -> Bitmap256 {
    switch unsafe self {
    case .int8(let values): unsafe Self.slots(values, in: range)
    case .int16(let values): unsafe Self.slots(values, in: range)
    case .int32(let values): unsafe Self.slots(values, in: range)
    case .int64(let values): unsafe Self.slots(values, in: range)
    }
  }

  /// How many integers lie in a range. Linear, without decoding.
  @inlinable
  public func count(in range: ClosedRange<Int64>) -> Int {
    switch unsafe self {
    case .int8(let values): unsafe Self.count(values, in: range)
    case .int16(let values): unsafe Self.count(values, in: range)
    case .int32(let values): unsafe Self.count(values, in: range)
    case .int64(let values): unsafe Self.count(values, in: range)
    }
  }

  /// The part of `range` that `Narrow` can represent, or nil if that part is empty.
  @inlinable
  @inline(__always)
  static func clamped<Narrow: FixedWidthInteger & SignedInteger>(
    _ range: ClosedRange<Int64>, to type: Narrow.Type
  ) -> (low: Narrow, high: Narrow)? {
    assert(Narrow.bitWidth <= 64, "No leaf of integers is wider than 64 bits.")
    let (least, most) = (Int64(Narrow.min), Int64(Narrow.max))
    guard range.lowerBound <= most && range.upperBound >= least else { return nil }
    return (
      Narrow(truncatingIfNeeded: max(range.lowerBound, least)), Narrow(truncatingIfNeeded: min(range.upperBound, most))
    )
  }

  @inlinable
  @inline(__always)
  static func slots<Narrow: FixedWidthInteger & SignedInteger>(
    _ values: UnsafeBufferPointer<Narrow>, in range: ClosedRange<Int64>
  ) -> Bitmap256 {
    assert(values.count <= 256, "A leaf has a cell for each of at most 256 rows.")
    guard let (low, high) = unsafe clamped(range, to: Narrow.self) else { return Bitmap256() }
    return unsafe LeafValues.selecting(values.count) { flags in
      for slot in 0..<values.count {
        let value = unsafe values[slot]
        unsafe flags[slot] =
          unsafe unsafeBitCast(value >= low, to: UInt8.self) & unsafeBitCast(value <= high, to: UInt8.self)
      }
    }
  }

  @inlinable
  @inline(__always)
  static func count<Narrow: FixedWidthInteger & SignedInteger>(
    _ values: UnsafeBufferPointer<Narrow>, in range: ClosedRange<Int64>
  ) -> Int {
    assert(values.count <= 256, "A leaf has a cell for each of at most 256 rows.")
    guard let (low, high) = unsafe clamped(range, to: Narrow.self) else { return 0 }
    var count = 0
    var slot = 0
    // Blocks of 64, counted in the values' own width (64 fits the narrowest), so that the compiler vectorises the loop.
    // A `Bool` is one byte, 0 or 1. A conditional would cost a branch for each value.
    while slot &+ 64 <= values.count {
      var inBlock: Narrow = 0
      for offset in 0..<64 {
        let value = unsafe values[slot &+ offset]
        unsafe inBlock &+= Narrow(
          truncatingIfNeeded: unsafeBitCast(value >= low, to: UInt8.self)
            & unsafeBitCast(value <= high, to: UInt8.self))
      }
      count &+= Int(inBlock)
      slot &+= 64
    }
    while slot < values.count {
      unsafe count &+= values[slot] >= low && values[slot] <= high ? 1 : 0
      slot &+= 1
    }
    assert(0...values.count ~= count, "No more cells are counted than there are.")
    return count
  }
}
