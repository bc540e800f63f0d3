/// The rows that were reached, with their numbers: a hash table with open addressing.
///
///     slots   – │ #16 → 0 │ #17 → 1 │ – │ …        linear probing; at most two thirds are taken
///
/// Sixteen rows with adjacent keys are adjacent in the table. Most walks proceed in key order, and then find the next
/// entry in a cached line.
@usableFromInline
package struct RowNumbers {
  @usableFromInline
  struct Entry {
    @usableFromInline var key: Int64 = 0
    /// The kind of row, since one key in two tables names two rows.
    @usableFromInline var sort: Int32 = 0
    /// The row's number; -1 for an empty entry.
    @usableFromInline var number: Int32 = -1

    @inlinable
    init(key: Int64 = 0, sort: Int32 = 0, number: Int32 = -1) {
      self.key = key
      self.sort = sort
      self.number = number
    }
  }

  @usableFromInline var entries = ContiguousArray(repeating: Entry(), count: 16)
  @usableFromInline var count = 0

  /// No rows.
  package init() {}

  /// Removes all rows, and keeps a small table.
  package mutating func removeAll() {
    if entries.count > 64 {
      self = RowNumbers()
    } else if count > 0 {
      for slot in entries.indices { entries[slot] = Entry() }
      count = 0
    }
  }

  /// Looks a row up, and inserts it when it is missing.
  ///
  /// - Returns: the number of an existing entry; nil when the row was inserted.
  @inlinable
  @inline(__always)
  package mutating func number(of key: Int64, _ sort: Int, orTake number: Int) -> Int? {
    if count &* 3 >= entries.count &* 2 { grow() }
    let mask = entries.count &- 1
    var slot = Self.hash(key, sort) & mask
    while entries[slot].number >= 0 {
      if entries[slot].key == key && entries[slot].sort == Int32(truncatingIfNeeded: sort) {
        return Int(entries[slot].number)
      }
      slot = (slot &+ 1) & mask
    }
    entries[slot] = Entry(
      key: key, sort: Int32(truncatingIfNeeded: sort), number: Int32(truncatingIfNeeded: number))
    count &+= 1
    return nil
  }

  @usableFromInline
  mutating func grow() {
    assert(count < entries.count, "A table has a free entry, at which a search ends.")
    let old = entries
    entries = ContiguousArray(repeating: Entry(), count: old.count * 2)
    assert(entries.count & (entries.count - 1) == 0, "The size of a table is a power of two.")
    let mask = entries.count &- 1
    for entry in old where entry.number >= 0 {
      var slot = Self.hash(entry.key, Int(entry.sort)) & mask
      while entries[slot].number >= 0 { slot = (slot &+ 1) & mask }
      entries[slot] = entry
    }
  }

  /// Fibonacci hashing (Knuth, "Sorting and Searching", 6.4) of all but the lowest four bits.
  @inlinable
  @inline(__always)
  static func hash(_ key: Int64, _ sort: Int) -> Int {
    let group = (UInt64(bitPattern: key) &>> 4 ^ UInt64(truncatingIfNeeded: sort) &<< 40) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: (group &>> 28) &<< 4 | UInt64(bitPattern: key) & 15)
  }
}
