import FiefGraph
import FiefRuntime
import Testing

/// What work on a graph counts in its meter.
@Suite struct MeteredWorkTests {
  @Test func applyingCountsEachRowAndEachChangedCell() throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let name = try transaction.addColumn(to: table, "name", ColumnType(.string))
    let rows = try (0..<600).map { _ in try transaction.create(in: table) { try $0.set("a", name) } }
    let first = transaction.graph
    for row in rows.prefix(40) { try transaction.set(.string("b"), Cell(table, row, name)) }
    try transaction.create(in: table) { try $0.set("c", name) }
    let second = transaction.graph
    for (from, to, steps) in [(Graph.empty, first, 600), (first, second, 41)] {
      let delta = Delta(from: from, to: to)
      #expect(delta.stepCount == steps)
      let meter = WorkMeter()
      meter.begin(.reading, of: steps)
      let target = Transaction(from)
      try target.applyFinally(delta, counting: WorkMeter.Share(steps, of: meter, inSteps: steps))
      #expect(meter.state.done == steps && target.graph == to)
    }
  }

  @Test func checkingCountsEachRow() throws {
    let transaction = Transaction(.empty)
    for name in ["A", "B"] {
      let table = try transaction.addTable(name)
      for _ in 0..<300 { try transaction.create(in: table) { _ in } }
    }
    let meter = WorkMeter()
    #expect(transaction.graph.checkInvariants(counting: meter).isEmpty)
    #expect(meter.state.stage == .checking && meter.state.total == 600)
    #expect(meter.state.done == 600)
  }
}
