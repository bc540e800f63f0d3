// Keys that were given out and taken back.
//
// A key must never come to mean another row. Within a graph that follows from counting up; but undoing takes the
// counter back too, while somebody may still hold the key of a row that was undone. Whoever lets keys outlive an
// undoing (accessors of objects do) carries the counters over with these.

/// The next keys of all tables, at one moment.
public struct KeyMarks: Sendable {
  var next: ContiguousArray<Int64> = []

  /// Marks that say nothing.
  public init() {}

  /// The next key of a table; 0 when they say nothing of it.
  package func nextKey(of table: TableKey) -> Int64 {
    let index = Int(table.rawValue)
    return next.indices.contains(index) ? next[index] : 0
  }

  /// The higher of each pair.
  public mutating func merge(_ other: KeyMarks) {
    for (table, key) in other.next.enumerated() {
      if table < next.count { next[table] = max(next[table], key) } else { next.append(key) }
    }
  }
}

extension Transaction {
  /// The next keys as they stand. Linear in the number of tables.
  public var keyMarks: KeyMarks {
    var marks = KeyMarks()
    marks.next = ContiguousArray(working.tables.map { $0?.nextKey ?? 0 })
    return marks
  }

  /// Sees to it that no key below the marks is given to a new row.
  public func reserveKeys(_ marks: KeyMarks) {
    checkNotFilling()
    for (index, key) in marks.next.enumerated() where index < working.tables.count {
      guard let table = working.tables[index], table.nextKey < key else { continue }
      letGoOfHot()
      writable(index).nextKey = key
    }
  }
}
