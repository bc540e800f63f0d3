// Selects the cells of a leaf that satisfy a condition, as a bitmap of slots.
//
// Each loop writes a flag of one byte for each cell into 256 bytes on the stack, without branches, so that the compiler
// vectorises it. The flags are packed afterwards. Null cells hold zeros here; the caller corrects the result for them.
//
// Unsafe: the loops index the stack's buffer and the arrays' elements below the array's count, which never exceeds 256.

extension LeafValues {
  /// The integers in place, valid as long as the leaf is held and not changed: the array then keeps them at one
  /// address. Traps for a leaf of another type.
  @inlinable
  @inline(__always)
  public var integers: IntegerCells {
    switch self {
    case .int8(let array): unsafe .int8(array.withUnsafeBufferPointer { unsafe $0 })
    case .int16(let array): unsafe .int16(array.withUnsafeBufferPointer { unsafe $0 })
    case .int32(let array): unsafe .int32(array.withUnsafeBufferPointer { unsafe $0 })
    case .int64(let array): unsafe .int64(array.withUnsafeBufferPointer { unsafe $0 })
    default: wrongLeaf()
    }
  }

  /// The slots whose floating-point numbers lie between two numbers, both included, and the slots of NaN if `orNaN` is
  /// true. Traps for a leaf of another type.
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
    return unsafe array.withUnsafeBufferPointer { values in
      unsafe selecting(values.count) { flags in
        for slot in 0..<values.count {
          let value = unsafe Double(values[slot])
          unsafe flags[slot] =
            unsafe unsafeBitCast(value >= low, to: UInt8.self) & unsafeBitCast(value <= high, to: UInt8.self)
            | unsafeBitCast(value != value, to: UInt8.self) & nan
        }
      }
    }
  }

  /// Calls `fill` to write a flag for each of `count` cells, and packs the flags.
  @inlinable
  @inline(__always)
  static func selecting(_ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) -> Bitmap256 {
    assert(0...256 ~= count, "A leaf has a cell for each of at most 256 rows.")
    return unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { flags in
      unsafe fill(flags)
      return unsafe Bitmap256(flags: flags, count: min(count, 256))
    }
  }
}
