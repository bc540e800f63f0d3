#if os(Linux) && canImport(Glibc)
  import FiefGraph
  import FiefTestSupport
  import Testing

  /// Deltas with links to anywhere. Backlinks to them would take some hundred times the bytes of the links: each leads
  /// to a chunk of its own, whose backlinks are a block below inner nodes.
  @Suite struct StrayLinksTests {
    /// What holds the links.
    enum Holder: CaseIterable, Codable {
      case cells, cellsWithLowKeys, anyValues, changes
    }

    /// In a process of its own, because the peak of its memory is measured.
    @Test(.enabled(if: PeakMemory.isMeasurable), arguments: Holder.allCases)
    func linksThatLeadNowhereTakeNoMemoryBeyondTheirOwn(_ holder: Holder) async {
      await #expect(processExitsWith: .success) { [holder = holder as Holder] in
        let stage = try Stage()
        let delta = stage.delta(1 << 18, holder)
        var message = ""
        let growth = try PeakMemory.growth {
          do {
            _ = try stage.graph.applying(delta)
          } catch let error as GraphError { message = "\(error)" }
        }
        guard message.contains("links to an object that is not there") else { fatalError("The error is '\(message)'.") }
        if growth > 80 << 20 { fatalError("The links took \(growth) bytes.") }
      }
    }

    /// A table that has given out nearly all keys, and has one row.
    private struct Stage {
      let table: TableKey
      let list: ColumnKey
      let graph: Graph
      let nextKey: Int64 = 1 << 62

      init() throws {
        let transaction = Transaction(.empty)
        table = try transaction.addTable("Row")
        try transaction.addColumn(to: table, "link", .link(to: table))
        try transaction.addColumn(to: table, "any", ColumnType(.any))
        list = try transaction.addColumn(to: table, "list", .link(to: table, shape: .list))
        try transaction.create(in: table)
        var delta = Delta(from: .empty, to: transaction.graph)
        delta.tables[0].nextKey = nextKey
        graph = try Graph.empty.applying(delta)
      }

      /// A delta with links to rows that are not there.
      func delta(_ count: Int, _ holder: Holder) -> Delta {
        var random = Seed(1).random
        let bits: UInt64 = holder == .cellsWithLowKeys ? 32 : 62
        let keys = ContiguousArray((0..<count).map { _ in 1 + Int64(random.next() >> (64 - bits)) })
        var delta = TableDelta(table: table, nextKey: nextKey)
        if holder == .changes {
          let links = keys.map { Value.link(ObjectLink(table, ObjectKey($0))) }
          delta.updated = [
            ColumnDelta(column: list, cells: [(ObjectKey(0), .list([ListSplice(range: 0..<0, values: links)]))])
          ]
        } else {
          for start in stride(from: 0, to: count, by: 256) {
            let rows = rows(keys[start..<start + 256], holder)
            delta.inserted.append(InsertedRows(chunk: Int64(start >> 8) + 1, rows: rows))
          }
        }
        return Delta(tables: [delta])
      }

      private func rows(_ keys: ContiguousArray<Int64>.SubSequence, _ holder: Holder) -> Cluster {
        let all = Bitmap256(prefix: 256)
        let none = Leaf(values: .int64(ContiguousArray(repeating: 0, count: 256)), nulls: all)
        let links = ContiguousArray(keys.map { Value.link(ObjectLink(table, ObjectKey($0))) })
        let nulls = ContiguousArray(repeating: Value.null, count: 256)
        return Cluster(
          live: all,
          leaves: [
            holder == .anyValues ? none : Leaf(values: .int64(ContiguousArray(keys))),
            Leaf(values: .any(holder == .anyValues ? links : nulls)),
            Leaf(values: .collection(ContiguousArray(repeating: nil, count: 256))),
          ])
      }
    }
  }
#endif
