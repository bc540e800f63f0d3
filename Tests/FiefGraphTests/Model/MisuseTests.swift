import FiefGraph
import FiefTestSupport
import Testing

/// Programming errors end the program with a message.
struct MisuseTests {
  @Test func positionsBeyondTheEndTrap() async {
    await #expect(processExitsWith: .failure) {
      let list = try ListOfThree()
      try list.transaction.remove(at: 3, fromList: list.cell)
    }
    await #expect(processExitsWith: .failure) {
      let list = try ListOfThree()
      try list.transaction.insert(.int(1), at: 4, inList: list.cell)
    }
    await #expect(processExitsWith: .failure) {
      let list = try ListOfThree()
      try list.transaction.replace(at: -1, with: .int(1), inList: list.cell)
    }
    await #expect(processExitsWith: .failure) {
      let list = try ListOfThree()
      try list.transaction.removeSubrange(2..<4, fromList: list.cell)
    }
    await #expect(processExitsWith: .failure) {
      let list = try ListOfThree()
      try list.transaction.move(from: 0, to: 3, inList: list.cell)
    }
    await #expect(processExitsWith: .failure) {
      let list = try ListOfThree()
      try list.transaction.swapAt(0, 3, inList: list.cell)
    }
    await #expect(processExitsWith: .failure) {
      let list = try ListOfThree()
      try list.transaction.createOwned(in: .nestedLists, by: list.anything, .element(at: 0))
    }
  }

  @Test func theSameOperationsWithinBoundsDoNotTrap() async {
    await #expect(processExitsWith: .success) {
      let list = try ListOfThree()
      try list.transaction.insert(.int(1), at: 3, inList: list.cell)
      try list.transaction.remove(at: 3, fromList: list.cell)
      try list.transaction.swapAt(0, 2, inList: list.cell)
      try list.transaction.createOwned(in: .nestedLists, by: list.anything, .inserted(at: 0))
    }
  }

  @Test func theTransactionIsNotUsedWhileARowIsFilled() async {
    await #expect(processExitsWith: .failure) {
      let list = try ListOfThree()
      try list.transaction.create(in: list.rows) { _ in try list.transaction.create(in: list.rows) }
    }
    await #expect(processExitsWith: .failure) {
      let list = try ListOfThree()
      try list.transaction.create(in: list.rows) { _ in _ = list.transaction.graph }
    }
    await #expect(processExitsWith: .failure) {
      let list = try ListOfThree()
      try list.transaction.create(in: list.rows) { _ in try list.transaction.append(.int(1), toList: list.cell) }
    }
    await #expect(processExitsWith: .failure) {
      let list = try ListOfThree()
      try list.transaction.create(in: list.rows) { _ in try list.transaction.clear(list.rows) }
    }
    await #expect(processExitsWith: .failure) {
      let list = try ListOfThree()
      try list.transaction.create(in: list.rows) { _ in try list.transaction.delete(list.cell.object) }
    }
    await #expect(processExitsWith: .failure) {
      let list = try ListOfThree()
      try list.transaction.create(in: list.rows) { _ in
        try list.transaction.addColumn(to: list.rows, "b", ColumnType(.int))
      }
    }
  }
}

/// A row with a list of three numbers, and an empty list of any-values.
private struct ListOfThree {
  let transaction = Transaction(.empty)
  let rows: TableKey
  let cell: Cell
  let anything: Cell

  init() throws {
    rows = try transaction.addTable("Row")
    let list = try transaction.addColumn(to: rows, "list", ColumnType(.int, shape: .list))
    let any = try transaction.addColumn(to: rows, "any", ColumnType(.any, shape: .list))
    let row = try transaction.create(in: rows)
    cell = Cell(rows, row, list)
    anything = Cell(rows, row, any)
    try transaction.insert(contentsOf: [.int(1), .int(2), .int(3)], at: 0, inList: cell)
  }
}
