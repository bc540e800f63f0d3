import FiefRuntime

/// Sorts positions by the numbers that stand there.
///
/// The sort is stable, so several columns are sorted one after the other, the least significant first.
///
///     numbers   7  3  7  1                                          3 differing bits, 2 bits for a position
///     words     7·0  3·1  7·2  1·3  ──digits of the numbers──▶  1·3  3·1  7·0  7·2
enum PositionSort {
  /// A position and its number where both together do not fit a word.
  private struct Entry {
    let number: UInt64
    let position: Int
  }

  /// Fewer positions than this are compared: counting digits takes a table.
  private static let leastForDigits = 128

  /// Sorts positions in `numbers`. Linear in their count for each eleven bits that differ.
  static func sort(_ order: inout [Int], by numbers: [UInt64], ascending: Bool) {
    assert(order.allSatisfy(numbers.indices.contains), "Each position has a number.")
    guard let first = order.first else { return }
    // The complements are in the opposite order.
    let flipped: UInt64 = ascending ? 0 : .max
    var differing: UInt64 = 0
    var isSorted = true
    var last = numbers[first] ^ flipped
    for position in order {
      let number = numbers[position] ^ flipped
      differing |= number ^ last
      if number < last { isSorted = false }
      last = number
    }
    // If the numbers are sorted already, nothing is moved.
    if isSorted { return }
    if order.count < leastForDigits {
      order = order.enumerated().sorted {
        (numbers[$0.element] ^ flipped, $0.offset) < (numbers[$1.element] ^ flipped, $1.offset)
      }.map(\.element)
      return
    }
    let unused = differing.trailingZeroBitCount
    let bits = UInt64.bitWidth - (numbers.count - 1).leadingZeroBitCount
    if UInt64.bitWidth - differing.leadingZeroBitCount - unused + bits <= UInt64.bitWidth {
      // Half the memory of entries. Higher bits, which all numbers share, may be shifted out.
      var words = ContiguousArray(order.lazy.map { ((numbers[$0] ^ flipped) >> unused) << bits | UInt64($0) })
      DigitSort.sort(&words, differing: (differing >> unused) << bits) { $0 }
      for index in words.indices { order[index] = Int(truncatingIfNeeded: words[index] & ~(.max << bits)) }
    } else {
      var entries = ContiguousArray(order.lazy.map { Entry(number: numbers[$0] ^ flipped, position: $0) })
      DigitSort.sort(&entries, differing: differing) { $0.number }
      for index in entries.indices { order[index] = entries[index].position }
    }
  }
}
