import FiefGraph

// Adding the integers of whole leaves, at the width in which each leaf stores them.

extension Accumulator {
  /// Adds the integers of a leaf at `slots`. With `isAll`, adds all of them.
  mutating func add(_ values: LeafValues, at slots: Bitmap256, isAll: Bool) {
    switch values {
    case .int8(let array): add(array, at: slots, isAll: isAll)
    case .int16(let array): add(array, at: slots, isAll: isAll)
    case .int32(let array): add(array, at: slots, isAll: isAll)
    case .int64(let array): add(array, at: slots, isAll: isAll)
    default: fatalError("A column of integers is stored as something else.")
    }
  }

  @inline(__always)
  private mutating func add<Number: FixedWidthInteger & SignedInteger>(
    _ array: ContiguousArray<Number>, at slots: Bitmap256, isAll: Bool
  ) {
    let count = isAll ? array.count : slots.count
    if count == 0 { return }
    assert(isAll || (slots - Bitmap256(prefix: array.count)).isEmpty, "A leaf has the slots that are added.")
    unsafe array.withUnsafeBufferPointer { numbers in
      switch operation {
      case .minimum, .maximum:
        let isMinimum = operation == .minimum
        var extreme = isMinimum ? Number.max : Number.min
        switch (isMinimum, isAll) {
        case (true, true): for index in numbers.indices { extreme = unsafe min(extreme, numbers[index]) }
        case (true, false): slots.forEach { extreme = unsafe min(extreme, numbers[$0]) }
        case (false, true): for index in numbers.indices { extreme = unsafe max(extreme, numbers[index]) }
        case (false, false): slots.forEach { extreme = unsafe max(extreme, numbers[$0]) }
        }
        add(extreme: .int(Int64(extreme)), of: count)
      case .count: add(sum: 0, of: count)
      case .sum, .average:
        if Number.bitWidth == 64 {
          // Even a few 64-bit numbers may overflow 64 bits, so each is added in 128 bits.
          var sum: Int128 = 0
          if isAll {
            for index in numbers.indices { unsafe sum &+= Int128(numbers[index]) }
          } else {
            slots.forEach { unsafe sum &+= Int128(numbers[$0]) }
          }
          return add(sum: sum, of: count)
        }
        var sum: Int64 = 0
        if !isAll {
          slots.forEach { unsafe sum &+= Int64(truncatingIfNeeded: numbers[$0]) }
        } else if Number.bitWidth == 8 && numbers.count <= 256 {
          // The sum of up to 256 bytes fits into 16 bits. A vector holds twice as many 16-bit lanes as 32-bit lanes.
          var part: Int16 = 0
          for index in numbers.indices { unsafe part &+= Int16(truncatingIfNeeded: numbers[index]) }
          sum = Int64(part)
        } else {
          for index in numbers.indices { unsafe sum &+= Int64(truncatingIfNeeded: numbers[index]) }
        }
        add(sum: Int128(sum), of: count)
      }
    }
  }
}
