import FiefGraph

/// Searches for keys that are there twice, as numbers of 64 bits.
///
/// Numbers that are there twice are left out now and then, and different keys take different bytes of a file. So the
/// numbers take at most some twice its size, or 1 MiB.
struct RepetitionSearch {
  private var numbers: ContiguousArray<UInt64> = []
  // How many numbers are kept before those that are there twice are left out.
  private var limit = 1 << 17
  private var repeated: Set<UInt64> = []

  /// Adds a key. Null, and values that are no keys, are ignored.
  mutating func add(_ key: Value) {
    guard let number = Self.number(of: key) else { return }
    if numbers.count == limit {
      takeRepetitions()
      limit = max(limit, 2 * numbers.count)
    }
    numbers.append(number)
  }

  /// Some of the numbers that are there twice or more often; empty without such numbers. O(n log n).
  ///
  /// Different keys have one number by accident, and very few of them. Otherwise one is enough.
  mutating func repetitions() -> Set<UInt64> {
    takeRepetitions()
    return repeated
  }

  /// Sorts the numbers, and leaves one of equal ones.
  private mutating func takeRepetitions() {
    numbers.sort()
    var count = min(numbers.count, 1)
    for index in numbers.indices.dropFirst() {
      if numbers[index] != numbers[count - 1] {
        numbers[count] = numbers[index]
        count += 1
      } else if repeated.count < 64 {
        repeated.insert(numbers[index])
      }
    }
    numbers.removeLast(numbers.count - count)
  }

  /// A number for a value: equal ones have equal numbers. Nil for null, and for values that are no keys.
  static func number(of value: Value) -> UInt64? {
    var hasher = Hasher()
    switch value {
    case .int(let number): return UInt64(bitPattern: number)
    case .string(let text): return FileBytes.number(of: text)
    case .objectId(let id): hasher.combine(id)
    case .uuid(let id): hasher.combine(id)
    default: return nil
    }
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}
