import FiefGraph

/// Rows of one table or of several, in an order: what sorts, distincts, limits and groups arrange.
struct RowList {
  private(set) var keys: ContiguousArray<ObjectKey>
  /// The number of each row's table, among the tables that are queried; nil while there is one.
  private var tables: ContiguousArray<Int>?

  /// Rows of one table.
  init(_ keys: ContiguousArray<ObjectKey>) { self.keys = keys }

  /// Rows of several tables, one after the other.
  init(_ parts: [RowSelection]) {
    keys = parts.first?.keys ?? []
    if parts.count == 1 { return }
    var numbers = ContiguousArray(repeating: 0, count: keys.count)
    for (number, rows) in parts.enumerated().dropFirst() {
      keys += rows.keys
      numbers += repeatElement(number, count: rows.count)
    }
    tables = numbers
    assert(keys.count == numbers.count, "Each row has a table.")
  }

  /// Those rows that belong to one of some tables.
  init(_ links: some Sequence<ObjectLink>, of tables: [TableKey]) {
    keys = []
    var numbers: ContiguousArray<Int> = []
    for link in links {
      guard let number = tables.firstIndex(of: link.table) else { continue }
      keys.append(link.key)
      numbers.append(number)
    }
    self.tables = numbers
    assert(keys.count == numbers.count, "Each row has a table.")
  }

  /// The rows at some positions, in their order.
  func picked(_ positions: some Collection<Int>) -> RowList {
    assert(positions.allSatisfy(keys.indices.contains), "Rows of the list are picked.")
    var picked = RowList(ContiguousArray(positions.lazy.map { keys[$0] }))
    picked.tables = tables.map { tables in ContiguousArray(positions.lazy.map { tables[$0] }) }
    return picked
  }

  /// The rows at whose positions a test holds.
  func filtered(_ isKept: (Int) -> Bool) -> RowList { picked(keys.indices.filter(isKept)) }

  /// The rows after `offset` others, at most `count`.
  func limited(_ count: Int, offset: Int) -> RowList {
    assert(count >= 0 && offset >= 0, "A limit and its offset are not negative.")
    return picked(keys.indices.dropFirst(offset).prefix(count))
  }

  /// The number of the table of the row at a position.
  func table(at position: Int) -> Int { tables?[position] ?? 0 }
}
