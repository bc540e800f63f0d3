import FiefGraph
import FiefRuntime
import FiefValues
import Foundation

/// The values of a sort key, in a form that sorts fast.
struct SortColumn {
  /// The place of a row in an ascending order. A descending order reverses all places.
  enum Standing: Int8 {
    /// Its value is null: before all values.
    case null
    case value
    /// A link on the way to its value is null: after all values.
    case unreached
  }

  enum Form {
    /// Numbers whose order as unsigned integers is the order of the values.
    case numbers([UInt64])
    /// Dates, as two numbers each.
    case dates(seconds: [UInt64], nanoseconds: [UInt64])
    /// Strings, sorted by their first sixteen bytes and then as a whole.
    case texts([String])
    /// Strings, sorted by the rules of a locale.
    case localized([String], Locale)
    /// Values of all other kinds, null included.
    case values([Value])
  }

  let form: Form
  /// The standings of the rows; nil when the values alone decide.
  let standings: [Standing]?

  init(_ form: Form, standings: [Standing]? = nil) {
    self.form = form
    self.standings = standings
  }

  /// Converts values of one kind, or null, to the form for that kind. Nil stands for a value that is not reached.
  init(_ values: [Value?], kind: ValueKind, collation: TextCollation) {
    var standings: [Standing]? = nil
    func content(_ index: Int) -> Value? {
      if let value = values[index], !value.isNull { return value }
      if standings == nil { standings = Array(repeating: .value, count: values.count) }
      standings?[index] = values[index] == nil ? .unreached : .null
      return nil
    }
    switch kind {
    case .bool, .int, .float, .double:
      let numbers = values.indices.map { index -> UInt64 in
        switch content(index) {
        case .bool(let flag)?: return Self.number(flag ? 1 : 0 as Int64)
        case .int(let number)?: return Self.number(number)
        case .float(let number)?: return Self.number(Double(number))
        case .double(let number)?: return Self.number(number)
        default: return 0
        }
      }
      self.init(.numbers(numbers), standings: standings)
    case .date:
      var (seconds, nanoseconds): ([UInt64], [UInt64]) = ([], [])
      for index in values.indices {
        var moment = Timestamp(seconds: 0)
        if case .date(let date)? = content(index) { moment = date }
        seconds.append(Self.number(moment.seconds))
        nanoseconds.append(UInt64(moment.nanoseconds))
      }
      self.init(.dates(seconds: seconds, nanoseconds: nanoseconds), standings: standings)
    case .string:
      let texts = values.indices.map { index -> String in
        if case .string(let text)? = content(index) { return text }
        return ""
      }
      self.init(collation.form(of: texts), standings: standings)
    default:
      let known = values.indices.map { content($0) ?? .null }
      self.init(.values(known), standings: standings)
    }
  }

  /// Maps an integer to an unsigned one of equal order.
  static func number(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ 1 << 63 }

  /// Maps a double to an unsigned integer of equal order. A NaN comes first, and both zeros are equal.
  static func number(_ value: Double) -> UInt64 {
    if value.isNaN { return 0 }
    if value == 0 { return 1 << 63 }
    let bits = value.bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }
}

extension SortColumn {
  /// Sorts `order`, which holds positions in the column. The sort is stable. When ascending, nulls are first and rows
  /// behind null links last.
  func sort(_ order: inout [Int], ascending: Bool) {
    assert(standings.map { standings in order.allSatisfy(standings.indices.contains) } ?? true, "Rows have standings.")
    switch form {
    case .numbers(let numbers): PositionSort.sort(&order, by: numbers, ascending: ascending)
    case .dates(let seconds, let nanoseconds):
      PositionSort.sort(&order, by: nanoseconds, ascending: ascending)
      PositionSort.sort(&order, by: seconds, ascending: ascending)
    case .texts(let texts): Self.sort(&order, by: texts, ascending)
    case .localized, .values: Self.sort(&order) { ascending ? compareValues($0, $1) : -compareValues($0, $1) }
    }
    part(&order, ascending: ascending)
  }

  /// Compares the values at two positions: negative, zero or positive. Nulls precede all other values, which precede
  /// those behind null links.
  func compare(_ a: Int, _ b: Int) -> Int {
    if let standings, standings[a] != .value || standings[b] != .value {
      return Int(standings[a].rawValue) - Int(standings[b].rawValue)
    }
    return compareValues(a, b)
  }

  private func compareValues(_ a: Int, _ b: Int) -> Int {
    switch form {
    case .numbers(let numbers): return numbers[a] < numbers[b] ? -1 : numbers[a] == numbers[b] ? 0 : 1
    case .dates(let seconds, let parts):
      if seconds[a] != seconds[b] { return seconds[a] < seconds[b] ? -1 : 1 }
      return parts[a] < parts[b] ? -1 : parts[a] == parts[b] ? 0 : 1
    case .texts(let texts): return StoredOrder.compare(texts[a], texts[b])
    case .localized(let texts, let locale): return TextCollation.compare(texts[a], texts[b], locale: locale)
    case .values(let values): return StoredOrder.compare(values[a], values[b])
    }
  }

  /// Moves the rows whose values do not decide to their ends. All parts keep their order.
  private func part(_ order: inout [Int], ascending: Bool) {
    guard let standings else { return }
    let parts: [Standing] = ascending ? [.null, .value, .unreached] : [.unreached, .value, .null]
    var parted: [Int] = []
    parted.reserveCapacity(order.count)
    // Most columns have rows of two kinds.
    for part in parts where standings.contains(part) {
      for position in order where standings[position] == part { parted.append(position) }
    }
    assert(parted.count == order.count, "Each row has a standing.")
    order = parted
  }

  /// Sorts by a comparison. The position decides between equal elements, which makes the sort stable with any
  /// algorithm.
  private static func sort(_ order: inout [Int], _ compare: (Int, Int) -> Int) {
    var entries = Array(order.enumerated())
    entries.sort { a, b in
      let relation = compare(a.element, b.element)
      return relation != 0 ? relation < 0 : a.offset < b.offset
    }
    order = entries.map(\.element)
  }

  // MARK: Strings

  /// Sorts strings by their first eight bytes, ties by the next eight, and remaining ties by the whole strings.
  private static func sort(_ order: inout [Int], by texts: [String], _ ascending: Bool) {
    assert(order.count <= texts.count, "Each position has a text.")
    var first = [UInt64](repeating: 0, count: texts.count)
    var second = [UInt64](repeating: 0, count: texts.count)
    for index in texts.indices { (first[index], second[index]) = prefix(of: texts[index]) }
    PositionSort.sort(&order, by: second, ascending: ascending)
    PositionSort.sort(&order, by: first, ascending: ascending)
    // Strings that share sixteen bytes are compared as a whole. Most runs have one element.
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

  /// The first sixteen bytes of a string as two numbers of equal order, padded with zeros.
  @inline(__always)
  private static func prefix(of text: String) -> (UInt64, UInt64) {
    // The bytes of a small string are its words, lowest first; the last byte holds the length.
    if let small = SmallString(text, isAvailable: SmallString.isAvailable) {
      return (small.first.byteSwapped, (small.second & (UInt64.max >> 8)).byteSwapped)
    }
    var words: (UInt64, UInt64) = (0, 0)
    var index = 0
    for byte in text.utf8 {
      if index < 8 { words.0 |= UInt64(byte) << UInt64(56 - index * 8) }
      if index >= 8 { words.1 |= UInt64(byte) << UInt64(120 - index * 8) }
      index += 1
      if index == 16 { break }
    }
    return words
  }
}
