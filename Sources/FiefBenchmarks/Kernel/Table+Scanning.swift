import FiefGraph

// Scans of one column as the kernel offers them: cluster by cluster, over each leaf's array as it lies in memory.

extension Table {
  /// The sum of a column of integers.
  @inline(never)
  func sum(leaf: Int) -> Int {
    var sum: Int64 = 0
    rows.forEach { _, cluster in
      switch cluster[leaf: leaf].values {
      case .int8(let array): sum &+= Self.sum(array)
      case .int16(let array): sum &+= Self.sum(array)
      case .int32(let array): sum &+= Self.sum(array)
      case .int64(let array): sum &+= Self.sum(array)
      default: fatalError("A column that does not hold integers was summed.")
      }
      return true
    }
    return Int(sum)
  }

  @inline(__always)
  private static func sum<Number: FixedWidthInteger>(_ array: ContiguousArray<Number>) -> Int64 {
    array.withUnsafeBufferPointer { numbers in
      var sum: Int64 = 0
      for number in numbers { sum &+= Int64(truncatingIfNeeded: number) }
      return sum
    }
  }

  /// How many numbers of a column of integers are less than `limit`.
  @inline(never)
  func count(below limit: Int64, leaf: Int) -> Int {
    var count = 0
    rows.forEach { _, cluster in
      switch cluster[leaf: leaf].values {
      case .int8(let array): count &+= Self.count(array, below: limit)
      case .int16(let array): count &+= Self.count(array, below: limit)
      case .int32(let array): count &+= Self.count(array, below: limit)
      case .int64(let array): count &+= Self.count(array, below: limit)
      default: fatalError("Numbers were counted in a column that does not hold integers.")
      }
      return true
    }
    return count
  }

  @inline(__always)
  private static func count(_ array: ContiguousArray<Int8>, below limit: Int64) -> Int {
    guard let narrow = Int8(exactly: limit) else { return limit > 0 ? array.count : 0 }
    return array.withUnsafeBufferPointer { numbers in
      // A counter of a byte lets the compiler compare and count sixteen numbers at a time. It holds up to 255, so a
      // leaf's 256 rows are counted in two halves.
      let middle = numbers.count / 2
      var (low, high): (UInt8, UInt8) = (0, 0)
      for place in 0..<middle { low &+= numbers[place] < narrow ? 1 : 0 }
      for place in middle..<numbers.count { high &+= numbers[place] < narrow ? 1 : 0 }
      return Int(low) + Int(high)
    }
  }

  @inline(__always)
  private static func count<Number: FixedWidthInteger>(_ array: ContiguousArray<Number>, below limit: Int64) -> Int {
    array.withUnsafeBufferPointer { numbers in
      var count = 0
      for number in numbers { count &+= Int64(number) < limit ? 1 : 0 }
      return count
    }
  }

  /// How many strings of a column are, byte for byte, `text`.
  @inline(never)
  func count(of text: String, leaf: Int) -> Int {
    var count = 0
    rows.forEach { _, cluster in
      guard case .string(let array) = cluster[leaf: leaf].values else {
        fatalError("Strings were counted in a column that does not hold strings.")
      }
      for string in array where String.isIdentical(string, text) { count += 1 }
      return true
    }
    return count
  }
}
