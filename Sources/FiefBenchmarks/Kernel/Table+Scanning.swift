import FiefGraph

// Scans of one column by the kernel's own interface: cluster by cluster, directly over the array of each leaf. As in
// queries, no reference is counted.

extension Table {
  /// The sum of a column of integers.
  @inline(never)
  func sum(leaf: Int) -> Int {
    var sum: Int64 = 0
    rows.forEachBorrowed { _, cluster in
      cluster.with { cluster in
        switch cluster[leaf: leaf].values {
        case .int8(let array): sum &+= Self.sum(array)
        case .int16(let array): sum &+= Self.sum(array)
        case .int32(let array): sum &+= Self.sum(array)
        case .int64(let array): sum &+= Self.sum(array)
        default: fatalError("A column that does not hold integers was summed.")
        }
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

  /// The number of integers in a column without nulls that are less than `limit`.
  @inline(never)
  func count(below limit: Int64, leaf: Int) -> Int {
    var count = 0
    rows.forEachBorrowed { _, cluster in
      count &+= cluster.with { $0.integers(leaf: leaf).count(in: .min...limit - 1) }
      return true
    }
    return count
  }

  /// The number of strings in a column that equal `text` byte for byte.
  @inline(never)
  func count(of text: String, leaf: Int) -> Int {
    var count = 0
    rows.forEach { _, cluster in
      guard case .string(let strings) = cluster[leaf: leaf].values else {
        fatalError("Strings were counted in a column that does not hold strings.")
      }
      for slot in 0..<strings.count where String.isIdentical(strings[slot], text) { count += 1 }
      return true
    }
    return count
  }
}
