// Keys that were used and rolled back.
//
// A key must never refer to two different rows. Within a graph this holds because keys only ascend, and restoring a
// savepoint keeps them. A transaction that is dropped loses its counters, while a caller may still hold the key of a
// row that was rolled back. Callers whose keys outlive a transaction, such as accessors of objects, use these functions
// to carry the counters over.

/// The next keys of all tables at one moment.
public struct KeyMarks: Sendable {
  var next: ContiguousArray<Int64> = []

  /// Makes marks without any keys.
  public init() {}

  /// The next key of a table; 0 if the marks do not contain it.
  package func nextKey(of table: TableKey) -> Int64 {
    let index = Int(table.rawValue)
    return next.indices.contains(index) ? next[index] : 0
  }

  /// Keeps the higher next key of each table.
  public mutating func merge(_ other: KeyMarks) {
    for (table, key) in other.next.enumerated() {
      if table < next.count { next[table] = max(next[table], key) } else { next.append(key) }
    }
    assert(zip(next, other.next).allSatisfy { $0 >= $1 }, "A merged mark is the higher of both.")
  }
}

extension Transaction {
  /// The current next keys. Linear in the number of tables.
  public var keyMarks: KeyMarks {
    var marks = KeyMarks()
    marks.next = ContiguousArray(working.tables.map { $0?.nextKey ?? 0 })
    assert(marks.next.allSatisfy { $0 >= 0 }, "Keys count from 0.")
    return marks
  }

  /// Ensures that no new row gets a key below the marks.
  public func reserveKeys(_ marks: KeyMarks) {
    checkNotFilling()
    for (index, key) in marks.next.enumerated() where index < working.tables.count {
      guard let table = working.tables[index], table.nextKey < key else { continue }
      releaseCachedCluster()
      writable(index).nextKey = key
    }
    assert(
      zip(marks.next, working.tables).allSatisfy { $1?.nextKey ?? .max >= $0 },
      "No new row gets a key that is reserved.")
  }
}
