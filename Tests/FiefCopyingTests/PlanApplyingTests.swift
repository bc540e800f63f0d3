import FiefCopying
import FiefGraph
import FiefTestSupport
import Testing

@Suite struct PlanApplyingTests {
  /// A plan of new rows with unique numbers.
  private func plan(_ numbers: [Int64], _ table: TableKey, _ column: ColumnKey) -> InsertionPlan {
    let plan = InsertionPlan()
    plan.canBeRefused = true
    for number in numbers {
      let index = plan.add(PlannedRow(table, PlanStep.root))
      plan.cells.append(PlannedCell(column, number: 0, .value(.int(number))))
      plan.rows[index].cells = plan.cells.count - 1..<plan.cells.count
    }
    return plan
  }

  private func unique() throws -> (Transaction, TableKey, ColumnKey) {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let column = try transaction.addColumn(to: table, "number", ColumnType(.int))
    try transaction.addIndex(IndexDefinition([column], isUnique: true), to: table)
    return (transaction, table, column)
  }

  @Test func plansOfOneNewRowKeepTheClusterInPlace() throws {
    let (transaction, table, column) = try unique()
    try plan([0], table, column).apply(to: transaction, by: .error)
    let moves = transaction.motion.moves
    for number in 1..<100 { try plan([Int64(number)], table, column).apply(to: transaction, by: .error) }
    #expect(transaction.motion.moves == moves && transaction.graph[table]?.count == 100)
  }

  @Test func aRefusedPlanChangesNothing() throws {
    let (transaction, table, column) = try unique()
    try plan([3], table, column).apply(to: transaction, by: .error)
    let before = transaction.graph
    for numbers in [[3], [4, 3], [4, 4]] as [[Int64]] {
      let error = #expect(throws: GraphError.self) {
        try plan(numbers, table, column).apply(to: transaction, by: .error)
      }
      #expect(error?.code == .uniqueConstraint && transaction.graph[table]?.count == 1)
      #expect(transaction.graph.checkInvariants() == [])
    }
    try plan([4], table, column).apply(to: transaction, by: .error)
    #expect(transaction.graph[table]?.count == 2 && before[table]?.count == 1)
  }

  @Test func aPlanForWhichTheKeysDoNotSufficeChangesNothing() throws {
    let (transaction, table, column) = try unique()
    let other = try transaction.addTable("Other")
    try transaction.apply(Delta(tables: [TableDelta(table: table, nextKey: 1 << 62 - 2)]))
    let before = transaction.graph
    let plan = plan([1, 2, 3], table, column)
    plan.canBeRefused = false
    _ = plan.add(PlannedRow(other, PlanStep.root))
    let error = #expect(throws: GraphError.self) { try plan.apply(to: transaction, by: .error) }
    #expect(error?.message.contains("'Row' has given out all its keys") == true)
    #expect(transaction.graph == before)
    try self.plan([1, 2], table, column).apply(to: transaction, by: .error)
    #expect(transaction.graph[table]?.count == 2)
  }
}
