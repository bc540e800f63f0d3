import FiefGraph

/// Computes the sum, the minimum and the maximum of integers leaf by leaf, at the width in which each leaf stores them.
struct IntegerAggregate {
  private var sum: Int128 = 0
  private var count = 0
  private var least = Int64.max
  private var greatest = Int64.min

  /// Adds the values at `slots`. With `isAll`, adds all values of the leaf.
  mutating func add(_ values: LeafValues, _ slots: Bitmap256, isAll: Bool, _ operation: AggregateQuery.Operation) {
    switch values {
    case .int8(let array): add(array, slots, isAll, operation)
    case .int16(let array): add(array, slots, isAll, operation)
    case .int32(let array): add(array, slots, isAll, operation)
    case .int64(let array): add(array, slots, isAll, operation)
    default: fatalError("A column of integers is stored as something else.")
    }
  }

  @inline(__always)
  private mutating func add<Number: FixedWidthInteger & SignedInteger>(
    _ array: ContiguousArray<Number>, _ slots: Bitmap256, _ isAll: Bool, _ operation: AggregateQuery.Operation
  ) {
    count += isAll ? array.count : slots.count
    unsafe array.withUnsafeBufferPointer { numbers in
      switch operation {
      case .count: break
      case .sum, .average:
        if Number.bitWidth == 64 {
          // Even a few 64-bit numbers may overflow 64 bits, so each is added in 128 bits.
          if isAll {
            for index in numbers.indices { unsafe sum &+= Int128(numbers[index]) }
          } else {
            slots.forEach { unsafe sum &+= Int128(numbers[$0]) }
          }
          return
        }
        if !isAll {
          var part: Int64 = 0
          slots.forEach { unsafe part &+= Int64(truncatingIfNeeded: numbers[$0]) }
          sum &+= Int128(part)
        } else if Number.bitWidth == 8 && numbers.count <= 256 {
          // The sum of up to 256 bytes fits into 16 bits. A vector holds twice as many 16-bit lanes as 32-bit lanes.
          var part: Int16 = 0
          for index in numbers.indices { unsafe part &+= Int16(truncatingIfNeeded: numbers[index]) }
          sum &+= Int128(part)
        } else {
          var part: Int64 = 0
          for index in numbers.indices { unsafe part &+= Int64(truncatingIfNeeded: numbers[index]) }
          sum &+= Int128(part)
        }
      case .minimum:
        var extreme = Number.max
        if isAll {
          for index in numbers.indices { extreme = unsafe min(extreme, numbers[index]) }
        } else {
          slots.forEach { extreme = unsafe min(extreme, numbers[$0]) }
        }
        if isAll ? !numbers.isEmpty : !slots.isEmpty { least = min(least, Int64(extreme)) }
      case .maximum:
        var extreme = Number.min
        if isAll {
          for index in numbers.indices { extreme = unsafe max(extreme, numbers[index]) }
        } else {
          slots.forEach { extreme = unsafe max(extreme, numbers[$0]) }
        }
        if isAll ? !numbers.isEmpty : !slots.isEmpty { greatest = max(greatest, Int64(extreme)) }
      }
    }
  }

  /// Adds the result to an accumulator.
  func add(to total: inout Accumulator) {
    switch total.operation {
    case .minimum: if count > 0 { total.add(.int(least)) }
    case .maximum: if count > 0 { total.add(.int(greatest)) }
    default: total.add(sum: sum, count: count)
    }
  }
}
