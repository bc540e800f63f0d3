import FiefRuntime

// Putting a new value in: the comparisons are most of the work, so values of the two common types are compared where
// they lie, without a call.

extension PropertyIndex {
  /// Adds the values of a row that no other row has.
  mutating func insertValue(of entry: IndexEntry) {
    guard entry.rest.isEmpty else { return insertNewValue(entry, at: AnyPlace(entry: entry)) }
    switch entry.first {
    case .string(let text):
      guard let words = SmallString.words(ofShort: text) else { break }
      return insertNewValue(
        entry,
        at: ShortTextPlace(entry: entry, first: words.0.byteSwapped, second: SmallString.ordered(words.1)))
    case .int(let number): return insertNewValue(entry, at: NumberPlace(entry: entry, number: number))
    default: break
    }
    insertNewValue(entry, at: AnyPlace(entry: entry))
  }

  /// The place of any values.
  private struct AnyPlace: OrderedTreePlace {
    let entry: IndexEntry

    func isBefore(_ other: borrowing IndexedValue) -> Bool { IndexedValue.compare(other, entry) > 0 }
  }

  /// The place of one integer.
  private struct NumberPlace: OrderedTreePlace {
    let entry: IndexEntry
    let number: Int64

    @inline(__always)
    func isBefore(_ other: borrowing IndexedValue) -> Bool {
      guard case .int(let otherNumber) = other.first else { return IndexedValue.compare(other, entry) > 0 }
      return otherNumber > number
    }
  }

  /// The place of one short string, whose bytes are two numbers.
  private struct ShortTextPlace: OrderedTreePlace {
    let entry: IndexEntry
    let first: UInt64
    let second: UInt64

    @inline(__always)
    func isBefore(_ other: borrowing IndexedValue) -> Bool {
      guard case .string(let text) = other.first else { return IndexedValue.compare(other, entry) > 0 }
      let raw = SmallString.words(of: text)
      guard raw.1 & SmallString.flag != 0 else { return IndexedValue.compare(other, entry) > 0 }
      let (a, b) = (raw.0.byteSwapped, SmallString.ordered(raw.1))
      return a != first ? a > first : b > second
    }
  }
}
