public import FiefRuntime

// Reads a graph without counting references.

extension Graph {
  /// The table at an index, without counting a reference. It lives as long as the graph holds it.
  ///
  /// The unsafe load is sound because an optional object reference is stored as its address, or zero.
  @inlinable
  @inline(__always)
  package func borrowedTable(_ index: Int) -> Borrowed<Table>? {
    assert(index >= 0, "A table has an index.")
    guard index < tables.count else { return nil }
    return unsafe tables.withUnsafeBytes { bytes in
      unsafe bytes.load(fromByteOffset: index * MemoryLayout<Table?>.stride, as: UnsafeRawPointer?.self)
    }.map { unsafe Borrowed(at: $0) }
  }

  /// The cluster of a chunk of keys, without counting a reference. It lives as long as the graph holds it.
  @inlinable
  @inline(__always)
  package func borrowedCluster(_ table: TableKey, _ chunk: Int64) -> Borrowed<Cluster>? {
    borrowedTable(table.index)?.with { $0.rows.borrowed(chunk) }
  }

  /// The position of a row, without counting a reference.
  @inline(__always)
  func borrowedRow(_ link: ObjectLink) -> BorrowedRow? {
    borrowedTable(link.table.index)?.with { $0.borrowedRow(link.key) }
  }

  /// Calls `Table.find(primaryKey:)` for a table of the graph, without counting a reference.
  package func find(primaryKey value: Value, in table: TableKey) -> ObjectKey? {
    borrowedTable(table.index)?.with { $0.find(primaryKey: value) }
  }
}
