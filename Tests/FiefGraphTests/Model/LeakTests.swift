import FiefGraph
import FiefRuntime
import FiefTestSupport
import Testing

/// Releasing every version frees every node. Nodes are counted only in debug builds.
@Suite(.enabled(if: LiveNodes.areCounted))
struct LeakTests {
  @Test func aHistoryThatIsDroppedLeavesNothing() async {
    await #expect(processExitsWith: .success) {
      expectNoLeaks(of: { LiveNodes.count }) {
        for seed in UInt64(1)...6 {
          var history = History(seed: Seed(seed), size: HistorySize(rows: 12, values: 3, length: 12))
          history.run(operations: 300)
          #expect(history.report.failure == nil)
        }
      }
    }
  }

  @Test func aTransactionThatIsDroppedLeavesNothing() async {
    await #expect(processExitsWith: .success) {
      try expectNoLeaks(of: { LiveNodes.count }) {
        let published = PublishedGraph()
        let transaction = published.begin()
        let rows = try transaction.addTable("Row")
        let list = try transaction.addColumn(to: rows, "list", ColumnType(.any, shape: .list))
        for _ in 0..<1000 {
          let row = try transaction.create(in: rows)
          let cell = Cell(rows, row, list)
          try transaction.createOwned(in: .nestedLists, by: cell, .inserted(at: 0))
          try transaction.append(.link(ObjectLink(rows, ObjectKey(0))), toList: cell)
        }
        try published.publish(transaction)
        // A published version is freed with its last reference, an unpublished one with its transaction.
        let other = published.begin()
        let savepoint = other.savepoint()
        try other.clear(rows)
        other.restore(savepoint)
        try other.delete(ObjectLink(rows, ObjectKey(0)))
      }
    }
  }

  @Test func aNodeThatIsHeldIsCounted() async {
    await #expect(processExitsWith: .success) {
      let before = LiveNodes.count
      let transaction = Transaction(.empty)
      _ = try transaction.addTable("Row")
      #expect(LiveNodes.count > before)
    }
  }
}
