// Reading the working copy while it is being changed, without giving a copy of it out.

extension Graph {
  /// The table at an index, without a reference counted: it lives as long as the graph holds it.
  ///
  /// Right because an optional reference to an object is stored as its address, or zero.
  @inlinable
  @inline(__always)
  package func peekTable(_ index: Int) -> Unmanaged<Table>? {
    guard index < tables.count else { return nil }
    return tables.withUnsafeBytes { bytes in
      bytes.load(fromByteOffset: index * MemoryLayout<Table?>.stride, as: UnsafeRawPointer?.self)
    }.map { Unmanaged.fromOpaque($0) }
  }

  /// The cluster of a chunk of keys, without a reference counted: it lives as long as the graph holds it.
  @inlinable
  @inline(__always)
  package func peekCluster(_ table: TableKey, _ chunk: Int64) -> Unmanaged<Cluster>? {
    peekTable(table.index)?._withUnsafeGuaranteedRef { $0.rows.peek(chunk) }
  }

  /// `Table.peekRow(primaryKey:)`.
  @inlinable
  @inline(__always)
  package func peekRow(primaryKey number: Int64, in table: TableKey) -> PeekedRow? {
    peekTable(table.index)?._withUnsafeGuaranteedRef { $0.peekRow(primaryKey: number) }
  }

  /// The row, without a reference counted.
  @inline(__always)
  func peekRow(_ link: ObjectLink) -> PeekedRow? {
    peekTable(link.table.index)?._withUnsafeGuaranteedRef { $0.peekRow(link.key) }
  }

  /// `Table.find(primaryKey:)`, without a reference counted.
  package func find(primaryKey value: Value, in table: TableKey) -> ObjectKey? {
    peekTable(table.index)?._withUnsafeGuaranteedRef { $0.find(primaryKey: value) }
  }
}

extension Transaction {
  /// The cluster of a chunk of keys as the transaction has it, without a reference counted: it stays where it is until
  /// the next change, whatever that is.
  @inlinable
  package func peekCluster(_ table: TableKey, _ chunk: Int64) -> Unmanaged<Cluster>? {
    working.peekCluster(table, chunk)
  }

  /// `Table.peekRow(primaryKey:)`, of the working copy: right until the next change, whatever that is.
  @inlinable
  package func peekRow(primaryKey number: Int64, in table: TableKey) -> PeekedRow? {
    working.peekRow(primaryKey: number, in: table)
  }

  /// `Table.find(primaryKey:)`, of the working copy.
  package func find(primaryKey value: Value, in table: TableKey) -> ObjectKey? {
    working.find(primaryKey: value, in: table)
  }

  /// Calls `body` with the working copy as it stands.
  ///
  /// The graph, its tables and whatever else can change in place must not outlive the call: the transaction goes on
  /// changing them. `graph` is what gives a copy away.
  package func read<Result>(_ body: (borrowing Graph) throws -> Result) rethrows -> Result {
    checkNotFilling()
    return try body(working)
  }
}
