#if os(Linux) && canImport(Glibc)
  import FiefGraph
  import FiefTestSupport
  import Testing

  /// The memory of a graph, as `HeapTrimming` gives it back.
  @Suite struct ReleasedMemoryTests {
    /// In a process of its own, because all tests of a process share the heap.
    @Test(.enabled(if: PeakMemory.isMeasurable), arguments: ["deleted", "rolled back"])
    func theMemoryOfManyRowsIsGivenBack(_ end: String) async {
      await #expect(processExitsWith: .success) { [end = end as String] in
        let published = PublishedGraph()
        let first = published.begin()
        let table = try first.addTable("Row")
        for number in 0..<24 { _ = try first.addColumn(to: table, "text\(number)", ColumnType(.string)) }
        try published.publish(first)
        let before = PeakMemory.now
        let (full, last) = try Self.resident(with: 60_000, in: table, of: published, areDeleted: end == "deleted")
        let isBack = waits(until: { (PeakMemory.now - before) * 3 < full - before })
        guard isBack, published.current[table]?.count == 0 else {
          fatalError("\(full - before) bytes were in use, and \(PeakMemory.now - before) still are.")
        }
        withExtendedLifetime(last) {}
      }
    }

    /// Makes rows and deletes them, or drops their transaction.
    ///
    /// - Returns: what was resident with the rows; and blocks that were allocated behind them. What is free at the end
    ///   of the heap of a thread belongs to glibc's own policy.
    private static func resident(
      with rows: Int, in table: TableKey, of published: PublishedGraph, areDeleted: Bool
    ) throws -> (Int, [[UInt8]]) {
      let transaction = published.begin()
      for _ in 0..<rows { _ = try transaction.create(in: table) }
      let full = PeakMemory.now
      let last = (0..<32).map { [UInt8](repeating: $0, count: 30_000) }
      if areDeleted {
        try published.publish(transaction)
        let other = published.begin()
        try other.clear(table)
        try published.publish(other)
      }
      return (full, last)
    }
  }
#endif
