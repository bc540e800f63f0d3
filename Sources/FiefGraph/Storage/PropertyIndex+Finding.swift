// Finding the entries of a value: two descents, each of which compares as many entries as the tree is deep in bits.
//
// An index of texts in the short form is asked without a call for each comparison: their bytes are two numbers.

extension PropertyIndex {
  /// The first position whose values do not come before `value` in the first column. O(log n).
  public func lowerBound(_ value: Value) -> Int { bound(value, orAfter: false) }

  /// The first position whose values come after `value` in the first column. O(log n).
  public func upperBound(_ value: Value) -> Int { bound(value, orAfter: true) }

  /// The positions of the entries with `value` in the first column. O(log n): little more than one descent when they are few.
  public func range(of value: Value) -> Range<Int> { comparing(with: value) { entries.equalRange(seeing: $0) } }

  /// How many entries have `value` in the first column. O(log n), and less than finding where they stand.
  public func count(of value: Value) -> Int { comparing(with: value) { entries.equalCount(seeing: $0) } }

  /// Hands over how entries stand to a value: negative before, zero equal, positive after.
  @inline(__always)
  private func comparing<Result>(with value: Value, _ find: ((borrowing IndexEntry) -> Int) -> Result) -> Result {
    switch value {
    case .string(let text):
      guard RawStrings.isAsExpected, let words = RawStrings.shortWords(of: text) else { break }
      let (first, second) = (words.0.byteSwapped, RawStrings.ordered(words.1))
      return find({ entry in
        guard case .string(let other) = entry.first else { return StoredOrder.compare(entry.first, value) }
        let raw = withUnsafeBytes(of: other) { $0.load(as: (UInt64, UInt64).self) }
        guard raw.1 & RawStrings.shortForm != 0 else { return StoredOrder.compare(other, text) }
        let (a, b) = (raw.0.byteSwapped, RawStrings.ordered(raw.1))
        if a != first { return a < first ? -1 : 1 }
        return b < second ? -1 : b == second ? 0 : 1
      })
    case .int(let number):
      return find({ entry in
        guard case .int(let other) = entry.first else { return StoredOrder.compare(entry.first, value) }
        return other < number ? -1 : other == number ? 0 : 1
      })
    default: break
    }
    return find({ StoredOrder.compare($0.first, value) })
  }

  private func bound(_ value: Value, orAfter: Bool) -> Int {
    switch value {
    case .string(let text):
      guard RawStrings.isAsExpected, let words = RawStrings.shortWords(of: text) else { break }
      let (first, second) = (words.0.byteSwapped, RawStrings.ordered(words.1))
      return entries.partitionPoint(seeing: { entry in
        guard case .string(let other) = entry.first else {
          // Nulls, booleans and numbers come before all texts; the others after them.
          return StoredOrder.compare(entry.first, value) > 0
        }
        let raw = withUnsafeBytes(of: other) { $0.load(as: (UInt64, UInt64).self) }
        guard raw.1 & RawStrings.shortForm != 0 else {
          let order = StoredOrder.compare(other, text)
          return orAfter ? order > 0 : order >= 0
        }
        let (a, b) = (raw.0.byteSwapped, RawStrings.ordered(raw.1))
        if a != first { return a > first }
        return orAfter ? b > second : b >= second
      })
    case .int(let number):
      return entries.partitionPoint(seeing: { entry in
        guard case .int(let other) = entry.first else {
          let order = StoredOrder.compare(entry.first, value)
          return orAfter ? order > 0 : order >= 0
        }
        return orAfter ? other > number : other >= number
      })
    default: break
    }
    return entries.partitionPoint {
      let order = StoredOrder.compare($0.first, value)
      return orAfter ? order > 0 : order >= 0
    }
  }
}

extension RawStrings {
  /// The second word of a text in the short form as a number that orders like its bytes, and then like its length.
  @inline(__always)
  static func ordered(_ word: UInt64) -> UInt64 {
    (word & (UInt64.max >> 8)).byteSwapped | (word >> 56) & 0xF
  }
}
