import FiefGraph
import FiefValues

/// The values by which rows are sorted, in a form that sorts fast.
enum SortColumn {
  /// Numbers whose order as unsigned integers is that of the values; and which of them are null, if any is.
  case words([UInt64], nulls: [Bool]?)
  /// Moments, in two numbers.
  case moments(seconds: [UInt64], nanoseconds: [UInt64], nulls: [Bool]?)
  /// Texts, by their first sixteen bytes and then as a whole.
  case texts([String], nulls: [Bool]?)
  /// Anything else.
  case values([Value])

  /// The order-keeping form of an integer.
  static func word(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ 1 << 63 }

  /// The order-keeping form of a double: a NaN first, both zeros as one.
  static func word(_ value: Double) -> UInt64 {
    if value.isNaN { return 0 }
    if value == 0 { return 1 << 63 }
    let bits = value.bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }
}

extension SortColumn {
  /// Sorts `order`, positions in the column, by it. Stable. Nulls first when ascending, last otherwise.
  func sort(_ order: inout [Int], ascending: Bool) {
    switch self {
    case .words(let words, let nulls):
      Self.sort(&order, by: words, ascending)
      Self.part(&order, nulls, ascending)
    case .moments(let seconds, let nanoseconds, let nulls):
      Self.sort(&order, by: nanoseconds, ascending)
      Self.sort(&order, by: seconds, ascending)
      Self.part(&order, nulls, ascending)
    case .texts(let texts, let nulls):
      Self.sort(&order, by: texts, ascending)
      Self.part(&order, nulls, ascending)
    case .values(let values):
      Self.sort(&order) { a, b in
        let relation = StoredOrder.compare(values[a], values[b])
        return ascending ? relation : -relation
      }
    }
  }

  private static func sort(_ order: inout [Int], by words: [UInt64], _ ascending: Bool) {
    RadixSort.sort(&order, by: ascending ? order.map { words[$0] } : order.map { ~words[$0] })
  }

  /// Puts nulls before all others, or behind them, each part in its present order.
  private static func part(_ order: inout [Int], _ nulls: [Bool]?, _ ascending: Bool) {
    guard let nulls else { return }
    let (those, others) = (order.filter { nulls[$0] }, order.filter { !nulls[$0] })
    order = ascending ? those + others : others + those
  }

  /// By a comparison: the position settles what is equal, so that it is stable whatever the algorithm below.
  private static func sort(_ order: inout [Int], _ compare: (Int, Int) -> Int) {
    var entries = Array(order.enumerated())
    entries.sort { a, b in
      let relation = compare(a.element, b.element)
      return relation != 0 ? relation < 0 : a.offset < b.offset
    }
    order = entries.map(\.element)
  }

  // MARK: Texts

  /// Texts sort by their first eight bytes, then those that share them by the next eight, then as a whole.
  private static func sort(_ order: inout [Int], by texts: [String], _ ascending: Bool) {
    var first = [UInt64](repeating: 0, count: texts.count)
    var second = [UInt64](repeating: 0, count: texts.count)
    for place in texts.indices { (first[place], second[place]) = beginning(of: texts[place]) }
    sort(&order, by: second, ascending)
    sort(&order, by: first, ascending)
    // What agrees in sixteen bytes is settled by all of them. Most runs are of one.
    var start = 0
    while start < order.count {
      var end = start + 1
      let (a, b) = (first[order[start]], second[order[start]])
      while end < order.count, first[order[end]] == a, second[order[end]] == b { end += 1 }
      if end - start > 1 {
        var run = Array(order[start..<end])
        sort(&run) { one, two in
          let relation = StoredOrder.compare(texts[one], texts[two])
          return ascending ? relation : -relation
        }
        order.replaceSubrange(start..<end, with: run)
      }
      start = end
    }
  }

  /// The first sixteen bytes of a text as two numbers that order alike; zeros where it is shorter.
  @inline(__always)
  private static func beginning(of text: String) -> (UInt64, UInt64) {
    if RawStrings.isAsExpected {
      let (first, second) = withUnsafeBytes(of: text) { $0.load(as: (UInt64, UInt64).self) }
      // In the short form the bytes are the words, least first; the last byte holds the length.
      if second & RawStrings.shortForm != 0 { return (first.byteSwapped, (second & (UInt64.max >> 8)).byteSwapped) }
    }
    var words: (UInt64, UInt64) = (0, 0)
    var place = 0
    for byte in text.utf8 {
      if place < 8 { words.0 |= UInt64(byte) << UInt64(56 - place * 8) }
      if place >= 8 { words.1 |= UInt64(byte) << UInt64(120 - place * 8) }
      place += 1
      if place == 16 { break }
    }
    return words
  }
}
