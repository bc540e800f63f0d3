import FiefGraph

/// Searches for numbers that are there twice, in limited memory.
///
///     numbers ──▶ those of one part, by a random hash ──▶ sorted ──▶ equal neighbours
///
/// There are as many parts as the memory demands, and the numbers are listed again for each.
struct RepetitionSearch {
  /// How many numbers are kept at once, for a file of so many bytes: they take at most its size, or 1 MiB.
  static func limit(fileSize: Int) -> Int { max(1 << 17, fileSize / 8) }

  /// How many numbers are kept at once.
  let limit: Int
  // A forged file cannot crowd one part.
  private let seed = UInt64.random(in: 0 ... .max)

  init(limit: Int) { self.limit = limit }

  /// Calls `found` with numbers that are there twice, if there are any. O(n log n), and linear for each part.
  ///
  /// - Parameters:
  ///   - count: how many numbers there are.
  ///   - numbers: calls its argument with each number, every time in the same order.
  ///   - found: throws if the number is really one too many: different values may have one number.
  func run(
    among count: Int, _ numbers: ((UInt64) -> Void) throws(RealmFileError) -> Void,
    found: (UInt64) throws(RealmFileError) -> Void
  ) throws(RealmFileError) {
    // Parts are half as large as they may be: none gets twice its share, unless numbers are there many times.
    let parts = count <= limit ? 1 : UInt64((2 * count + limit - 1) / limit)
    for part in 0..<parts {
      var kept: ContiguousArray<UInt64> = []
      kept.reserveCapacity(min(limit, count))
      var (next, repeated) = (limit, Set<UInt64>())
      try numbers { number in
        guard parts == 1 || LinkTally.mixed(number ^ seed) % parts == part else { return }
        if kept.count == next {
          Self.takeRepetitions(outOf: &kept, &repeated)
          next = max(limit, 2 * kept.count)
        }
        kept.append(number)
      }
      Self.takeRepetitions(outOf: &kept, &repeated)
      for number in repeated { try found(number) }
    }
  }

  /// Sorts numbers, leaves one of equal ones, and notes some of those that are there twice or more often.
  ///
  /// If values have equal numbers by accident, there are very few of these. Otherwise one is enough.
  static func takeRepetitions(outOf numbers: inout ContiguousArray<UInt64>, _ repeated: inout Set<UInt64>) {
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
