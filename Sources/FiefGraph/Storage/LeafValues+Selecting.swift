// Which cells of a leaf satisfy a condition, as a bitmap of slots.
//
// Each loop writes a flag of one byte for each cell into 256 bytes on the stack, without branches, so that the compiler makes
// vectors of it; the flags are packed afterwards. Null cells hold zeros here and are for the caller to put right.
//
// Unsafe: the stack's buffer, and the arrays' elements, are indexed below the array's count, which no leaf lets exceed 256.

extension LeafValues {
  /// The slots whose integers lie in a range. Linear, without decoding. Traps for a leaf of another type.
  @inlinable
  public func slots(in range: ClosedRange<Int64>) -> Bitmap256 {
    switch self {
    case .int8(let array): Self.slots(array, in: range)
    case .int16(let array): Self.slots(array, in: range)
    case .int32(let array): Self.slots(array, in: range)
    case .int64(let array): Self.slots(array, in: range)
    default: wrongLeaf()
    }
  }

  /// How many integers lie in a range. Linear, without decoding. Traps for a leaf of another type.
  @inlinable
  public func countIntegers(in range: ClosedRange<Int64>) -> Int {
    switch self {
    case .int8(let array): Self.count(array, in: range)
    case .int16(let array): Self.count(array, in: range)
    case .int32(let array): Self.count(array, in: range)
    case .int64(let array): Self.count(array, in: range)
    default: wrongLeaf()
    }
  }

  /// The part of `range` that `Narrow` can hold, or nil when that is none.
  @inlinable
  @inline(__always)
  static func clamped<Narrow: FixedWidthInteger & SignedInteger>(
    _ range: ClosedRange<Int64>, to type: Narrow.Type
  ) -> (low: Narrow, high: Narrow)? {
    let (least, most) = (Int64(Narrow.min), Int64(Narrow.max))
    guard range.lowerBound <= most && range.upperBound >= least else { return nil }
    return (
      Narrow(truncatingIfNeeded: max(range.lowerBound, least)), Narrow(truncatingIfNeeded: min(range.upperBound, most))
    )
  }

  @inlinable
  @inline(__always)
  static func slots<Narrow: FixedWidthInteger & SignedInteger>(
    _ array: ContiguousArray<Narrow>, in range: ClosedRange<Int64>
  ) -> Bitmap256 {
    guard let (low, high) = clamped(range, to: Narrow.self) else { return Bitmap256() }
    return array.withUnsafeBufferPointer { values in
      selecting(values.count) { flags in
        for slot in 0..<values.count {
          let value = values[slot]
          flags[slot] =
            unsafeBitCast(value >= low, to: UInt8.self) & unsafeBitCast(value <= high, to: UInt8.self)
        }
      }
    }
  }

  @inlinable
  @inline(__always)
  static func count<Narrow: FixedWidthInteger & SignedInteger>(
    _ array: ContiguousArray<Narrow>, in range: ClosedRange<Int64>
  ) -> Int {
    guard let (low, high) = clamped(range, to: Narrow.self) else { return 0 }
    return array.withUnsafeBufferPointer { values in
      var count = 0
      var slot = 0
      // Blocks of 64, as in `count(_:below:)`.
      while slot &+ 64 <= values.count {
        var inBlock: Narrow = 0
        for offset in 0..<64 {
          let value = values[slot &+ offset]
          inBlock &+= Narrow(
            truncatingIfNeeded: unsafeBitCast(value >= low, to: UInt8.self)
              & unsafeBitCast(value <= high, to: UInt8.self))
        }
        count &+= Int(inBlock)
        slot &+= 64
      }
      while slot < values.count {
        count &+= values[slot] >= low && values[slot] <= high ? 1 : 0
        slot &+= 1
      }
      return count
    }
  }

  /// The slots whose floating-point numbers lie between two, both included; and those that are NaN, if `orNaN` says so.
  /// Traps for a leaf of another type.
  @inlinable
  public func slots(from low: Double, through high: Double, orNaN: Bool) -> Bitmap256 {
    switch self {
    case .float(let array): Self.slots(array, from: low, through: high, orNaN: orNaN)
    case .double(let array): Self.slots(array, from: low, through: high, orNaN: orNaN)
    default: wrongLeaf()
    }
  }

  @inlinable
  @inline(__always)
  static func slots<Number: BinaryFloatingPoint>(
    _ array: ContiguousArray<Number>, from low: Double, through high: Double, orNaN: Bool
  ) -> Bitmap256 {
    let nan: UInt8 = orNaN ? 1 : 0
    return array.withUnsafeBufferPointer { values in
      selecting(values.count) { flags in
        for slot in 0..<values.count {
          let value = Double(values[slot])
          flags[slot] =
            unsafeBitCast(value >= low, to: UInt8.self) & unsafeBitCast(value <= high, to: UInt8.self)
            | unsafeBitCast(value != value, to: UInt8.self) & nan
        }
      }
    }
  }

  /// Lets `fill` write a flag for each of `count` cells, and packs them.
  @inlinable
  @inline(__always)
  static func selecting(_ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) -> Bitmap256 {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { flags in
      fill(flags)
      return Bitmap256(flags: flags, count: min(count, 256))
    }
  }
}
