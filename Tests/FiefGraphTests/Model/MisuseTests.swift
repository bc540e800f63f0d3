import FiefGraph
import FiefTestSupport
import Testing

/// Programming errors end the program with a message.
struct MisuseTests {
  @Test func positionsBeyondTheEndTrap() async {
    let removing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = try ListOfThree()
      try list.transaction.remove(at: 3, fromList: list.cell)
    }
    expectSentence("Index 3 is out of bounds: cannot remove from a list of 3 elements", of: removing)
    let inserting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = try ListOfThree()
      try list.transaction.insert(.int(1), at: 4, inList: list.cell)
    }
    expectSentence("Index 4 is out of bounds: cannot insert into a list of 3 elements", of: inserting)
    let replacing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = try ListOfThree()
      try list.transaction.replace(at: -1, with: .int(1), inList: list.cell)
    }
    expectSentence("Index -1 is out of bounds: cannot replace in a list of 3 elements", of: replacing)
    let removingSeveral = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = try ListOfThree()
      try list.transaction.removeSubrange(2..<4, fromList: list.cell)
    }
    expectSentence("Range 2..<4 is out of bounds: cannot replace in a list of 3 elements", of: removingSeveral)
    let moving = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = try ListOfThree()
      try list.transaction.move(from: 0, to: 3, inList: list.cell)
    }
    expectSentence("Index 3 is out of bounds: cannot move to a list of 3 elements", of: moving)
    let swapping = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = try ListOfThree()
      try list.transaction.swapAt(0, 3, inList: list.cell)
    }
    expectSentence("Index 3 is out of bounds: cannot swap in a list of 3 elements", of: swapping)
    let owning = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = try ListOfThree()
      try list.transaction.createOwned(in: .nestedLists, by: list.anything, .element(at: 0))
    }
    expectSentence("Index 0 is out of bounds: cannot replace in a list of 0 elements", of: owning)
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
    let creating = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = try ListOfThree()
      try list.transaction.create(in: list.rows) { _ in try list.transaction.create(in: list.rows) }
    }
    expectSentence("used inside the closure that fills a new row", of: creating)
    let reading = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = try ListOfThree()
      try list.transaction.create(in: list.rows) { _ in _ = list.transaction.graph }
    }
    expectSentence("used inside the closure that fills a new row", of: reading)
    let appending = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = try ListOfThree()
      try list.transaction.create(in: list.rows) { _ in try list.transaction.append(.int(1), toList: list.cell) }
    }
    expectSentence("used inside the closure that fills a new row", of: appending)
    let clearing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = try ListOfThree()
      try list.transaction.create(in: list.rows) { _ in try list.transaction.clear(list.rows) }
    }
    expectSentence("used inside the closure that fills a new row", of: clearing)
    let deleting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = try ListOfThree()
      try list.transaction.create(in: list.rows) { _ in try list.transaction.delete(list.cell.object) }
    }
    expectSentence("used inside the closure that fills a new row", of: deleting)
    let declaring = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = try ListOfThree()
      try list.transaction.create(in: list.rows) { _ in
        try list.transaction.addColumn(to: list.rows, "b", ColumnType(.int))
      }
    }
    expectSentence("used inside the closure that fills a new row", of: declaring)
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
