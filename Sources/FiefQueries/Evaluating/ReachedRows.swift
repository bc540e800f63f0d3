import FiefGraph

/// The rows that the hops of a path have reached, in the order in which they were reached first.
///
/// Where rows link to each other, the number of ways is exponential in the number of hops to many rows. So rows are
/// merged, and their ways added, once there are more entries than rows in the table. Before that, a row may have
/// several entries. A path with one hop to many rows has no more ways than this hop has elements, so its rows are not
/// merged.
struct ReachedRows {
  /// The rows, each with the number of ways to it: `Int64.max` if there are more.
  private(set) var entries: [(key: ObjectKey?, ways: Int64)] = []
  /// The number of rows in their table, and the missing row; the maximum if no rows are merged.
  private let rows: Int
  /// The number of entries at which rows are merged.
  private let limit: Int

  /// One row.
  init(_ key: ObjectKey) {
    entries = [(key, 1)]
    (rows, limit) = (.max, .max)
  }

  /// No rows.
  ///
  /// - Parameter rows: the number of rows in their table; nil if each way keeps its entry.
  init(of rows: Int?) {
    assert(rows.map { $0 >= 0 } ?? true, "A table has a number of rows.")
    self.rows = rows.map { $0 + 1 } ?? .max
    limit = rows.map { max(64, 2 * ($0 + 1)) } ?? .max
  }

  /// Adds a row, and the ways to it.
  mutating func append(_ key: ObjectKey?, _ ways: Int64) {
    assert(ways > 0, "A row that was reached has a way to it.")
    entries.append((key, ways))
    if entries.count >= limit { merge() }
  }

  /// Merges rows at the end of a hop, if they are fewer than the entries.
  mutating func finish() {
    if entries.count > max(16, rows) { merge() }
  }

  private mutating func merge() {
    var places: [ObjectKey?: Int] = [:]
    var merged: [(key: ObjectKey?, ways: Int64)] = []
    for (key, ways) in entries {
      if let place = places[key] {
        merged[place].ways = merged[place].ways.addingSaturating(ways)
      } else {
        places[key] = merged.count
        merged.append((key, ways))
      }
    }
    assert(merged.count <= rows, "Each row of the table, and the missing one, has one entry.")
    // Rows, and the missing one, are at most half of the entries that fit.
    entries = merged
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
