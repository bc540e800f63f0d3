import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// Savepoints: returning to an earlier state of a transaction.
struct SavepointTests {
  let transaction = Transaction(.empty)
  let dogs: TableKey
  let age: ColumnKey

  init() throws {
    dogs = try transaction.addTable("Dog")
    age = try transaction.addColumn(to: dogs, "age", ColumnType(.int))
    try transaction.addIndex(IndexDefinition([age], isUnique: true), to: dogs)
    for number in 0..<Int64(3) { try transaction.create(in: dogs) { try $0.set(number, age) } }
  }

  func expect(_ ages: [Int64], location: SourceLocation = #_sourceLocation) {
    let graph = transaction.graph
    #expect(graph.checkInvariants() == [], sourceLocation: location)
    let present = graph[dogs]?.indexes[0].entries.map(\.first) ?? []
    #expect(present == ages.map { .int($0) }, sourceLocation: location)
  }

  @Test func aRestoredSavepointIsWhereTheTransactionStood() throws {
    let savepoint = transaction.savepoint()
    let before = transaction.graph
    try transaction.create(in: dogs) { try $0.set(10, age) }
    try transaction.delete(ObjectLink(dogs, ObjectKey(0)))
    try transaction.set(11 as Int64, Cell(dogs, ObjectKey(1), age))
    expect([2, 10, 11])
    transaction.restore(savepoint)
    expect([0, 1, 2])
    #expect(transaction.graph != before, "the next key")
    transaction.goBack(to: savepoint)
    #expect(transaction.graph == before)
  }

  @Test func savepointsNest() throws {
    let outer = transaction.savepoint()
    try transaction.set(10 as Int64, Cell(dogs, ObjectKey(0), age))
    let inner = transaction.savepoint()
    try transaction.set(11 as Int64, Cell(dogs, ObjectKey(1), age))
    expect([2, 10, 11])
    transaction.restore(inner)
    expect([1, 2, 10])
    transaction.restore(outer)
    expect([0, 1, 2])
    // An inner savepoint remains valid after the outer one is restored: it is a value.
    transaction.restore(inner)
    expect([1, 2, 10])
  }

  @Test func aSavepointCanBeRestoredAnyNumberOfTimes() throws {
    let savepoint = transaction.savepoint()
    for round in 0..<Int64(5) {
      try transaction.set(100 + round, Cell(dogs, ObjectKey(0), age))
      try transaction.create(in: dogs) { try $0.set(200 + round, age) }
      expect([1, 2, 100 + round, 200 + round])
      transaction.restore(savepoint)
      transaction.restore(savepoint)
      expect([0, 1, 2])
    }
  }

  @Test func keysThatWereTakenBackAreNotGivenOutAgain() throws {
    let outer = transaction.savepoint()
    let first = try transaction.create(in: dogs) { try $0.set(10, age) }
    let inner = transaction.savepoint()
    let second = try transaction.create(in: dogs) { try $0.set(11, age) }
    transaction.restore(inner)
    transaction.restore(outer)
    let third = try transaction.create(in: dogs) { try $0.set(12, age) }
    #expect([first, second, third] == [3, 4, 5].map { ObjectKey($0) })
    // The inner savepoint was taken before the second and the third key were given out.
    transaction.restore(inner)
    #expect(try transaction.create(in: dogs) { try $0.set(13, age) } == ObjectKey(6))
    expect([0, 1, 2, 10, 13])
  }

  @Test func goingBackGivesTheVeryKeysOutAgain() throws {
    let savepoint = transaction.savepoint()
    let first = try transaction.create(in: dogs) { try $0.set(10, age) }
    transaction.goBack(to: savepoint)
    #expect(try transaction.create(in: dogs) { try $0.set(11, age) } == first)
  }

  @Test func undoingLeavesTheGraphButForKeys() throws {
    struct Refused: Error {}
    let before = transaction.graph
    #expect(throws: Refused.self) {
      try transaction.undoing { transaction in
        try transaction.create(in: dogs) { try $0.set(10, age) }
        try transaction.delete(ObjectLink(dogs, ObjectKey(0)))
        throw Refused()
      }
    }
    expect([0, 1, 2])
    #expect(Delta(from: before, to: transaction.graph).showsNothing)
    #expect(transaction.graph[dogs]?.nextKey == 4)
    #expect(transaction.undoing { $0.count(of: Cell(dogs, ObjectKey(0), age)) } == 0)
  }

  @Test func undoingKeepsWhatDoesNotThrow() throws {
    let key = try transaction.undoing { try $0.create(in: dogs) { try $0.set(10, age) } }
    #expect(key == ObjectKey(3))
    expect([0, 1, 2, 10])
  }

  @Test func workGoesOnInPlaceAfterARestore() throws {
    // The hot path stores the last cluster. A restore, or returning a copy, must reset it.
    let savepoint = transaction.savepoint()
    let cell = Cell(dogs, ObjectKey(0), age)
    try transaction.set(10 as Int64, cell)
    transaction.restore(savepoint)
    try transaction.set(20 as Int64, cell)
    let pinned = transaction.graph
    try transaction.set(30 as Int64, cell)
    #expect(pinned.value(cell) == .int(20))
    transaction.restore(savepoint)
    #expect(transaction.value(cell) == .int(0))
    expect([0, 1, 2])
  }

  @Test func aSavepointBringsBackTablesAndColumns() throws {
    let before = transaction.graph
    let savepoint = transaction.savepoint()
    try transaction.removeColumn(age, of: dogs)
    let cats = try transaction.addTable("Cat")
    try transaction.create(in: cats)
    try transaction.removeTable(dogs)
    transaction.restore(savepoint)
    #expect(transaction.graph == before)
    expect([0, 1, 2])
    #expect(try transaction.addTable("Mouse") == cats, "the key of the table that never was")
  }

  @Test func restoringInsideTheClosureTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("Dog")
      let savepoint = transaction.savepoint()
      try transaction.create(in: table) { _ in transaction.restore(savepoint) }
    }
    expectSentence("used inside the closure that fills a new row", of: result)
  }

  @Test(arguments: Seeds.all) func anyWayThroughSavepointsMatchesAStackOfArrays(seed: Seed) throws {
    var random = seed.random
    let table = try transaction.addTable("Row")
    let number = try transaction.addColumn(to: table, "number", ColumnType(.int))
    var model: [Int64: Int64] = [:]
    var next: Int64 = 0
    var saved: [(Transaction.Savepoint, [Int64: Int64])] = []
    for _ in 0..<200 {
      let key = model.isEmpty ? nil : random.element(of: model.keys.sorted())
      switch random.below(8) {
      case 0: saved.append((transaction.savepoint(), model))
      case 1:
        guard !saved.isEmpty else { continue }
        let position = random.below(saved.count)
        transaction.restore(saved[position].0)
        model = saved[position].1
        if random.bool() { saved.removeSubrange(position...) }
      case 2:
        guard let key else { continue }
        try transaction.delete(ObjectLink(table, ObjectKey(key)))
        model[key] = nil
      case 3, 4:
        guard let key else { continue }
        try transaction.set(next * 7, Cell(table, ObjectKey(key), number))
        model[key] = next * 7
      default:
        try transaction.create(in: table) { try $0.set(next, number) }
        model[next] = next
        next += 1
      }
    }
    let graph = transaction.graph
    #expect(graph.checkInvariants() == [])
    #expect(graph[table]?.count == model.count && graph[table]?.nextKey == next)
    for (key, value) in model { #expect(graph.value(Cell(table, ObjectKey(key), number)) == .int(value)) }
  }
}
