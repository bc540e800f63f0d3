import FiefGraph

/// The rows that the hops of a path have reached, in the order in which they were reached first.
///
/// Where rows link to each other, the number of ways is exponential in the number of hops. So rows are merged, and
/// their ways added, once there are more entries than rows in the table. Before that, a row may have several entries.
struct ReachedRows {
  private var keys: [ObjectKey?] = []
  /// The number of ways to each row, `Int64.max` if there are more; empty while it is 1 for all.
  private var ways: [Int64] = []
  /// The number of rows in their table, and the missing row.
  private let rows: Int
  /// The number of entries at which rows are merged.
  private let limit: Int

  /// One row.
  init(_ key: ObjectKey) {
    keys = [key]
    (rows, limit) = (.max, .max)
  }

  /// No rows.
  ///
  /// - Parameter rows: the number of rows in their table.
  init(of rows: Int) {
    assert(rows >= 0, "A table has a number of rows.")
    self.rows = rows + 1
    limit = max(64, 2 * (rows + 1))
  }

  /// Adds a row, and the ways to it.
  mutating func append(_ key: ObjectKey?, _ number: Int64) {
    assert(number > 0, "A row that was reached has a way to it.")
    if number != 1 && ways.isEmpty { ways = Array(repeating: 1, count: keys.count) }
    keys.append(key)
    if number != 1 || !ways.isEmpty { ways.append(number) }
    if keys.count >= limit { merge() }
  }

  /// Merges rows at the end of a hop, if they are fewer than the entries.
  mutating func finish() {
    if keys.count > max(16, rows) { merge() }
  }

  /// Calls `body` with each entry until it returns false.
  func forEach(_ body: (ObjectKey?, Int64) -> Bool) {
    for index in keys.indices {
      guard body(keys[index], ways.isEmpty ? 1 : ways[index]) else { return }
    }
  }

  private mutating func merge() {
    assert(ways.isEmpty || ways.count == keys.count, "Each entry has its ways.")
    var places: [ObjectKey?: Int] = [:]
    var merged: (keys: [ObjectKey?], ways: [Int64]) = ([], [])
    forEach { key, number in
      if let place = places[key] {
        merged.ways[place] = merged.ways[place].addingSaturating(number)
      } else {
        places[key] = merged.keys.count
        merged.keys.append(key)
        merged.ways.append(number)
      }
      return true
    }
    // Rows, and the missing one, are at most half of the entries that fit.
    (keys, ways) = merged
  }
}

extension Int64 {
  /// The sum of two positive numbers, or the maximum if it is greater.
  func addingSaturating(_ other: Int64) -> Int64 {
    assert(self >= 0 && other >= 0, "Numbers of ways are added.")
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}
