import FiefGraph
import FiefTestSupport
import Testing

/// The cost of a delta depends on the changes, not on the size of the graph.
struct DeltaCostTests {
  static let count: Int64 = Effort.of(debug: 50_000, release: 1_000_000)

  /// The limit for a collection: on each of three levels, the identities of 32 children are read in each version, and a
  /// move counts as two such changes.
  private static let collectionLimit = 256

  /// Makes one change in a large graph, and counts the nodes that the delta visits.
  private func expectCheap(
    _ what: String, _ transaction: Transaction, limit: Int = 64, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: () throws -> Void
  ) throws {
    let before = transaction.graph
    try change()
    let delta = Delta(from: before, to: transaction.graph)
    Figures.report("\(what) of \(Self.count): \(delta.nodesVisited) nodes visited")
    #expect(!delta.isEmpty, sourceLocation: sourceLocation)
    #expect(delta.nodesVisited <= limit, "\(what)", sourceLocation: sourceLocation)
    #expect(try before.applying(delta) == transaction.graph, sourceLocation: sourceLocation)
  }

  @Test func oneRowInATableOfAMillion() throws {
    let transaction = Transaction(.empty)
    let rows = try transaction.addTable("Row")
    let name = try transaction.addColumn(to: rows, "name", ColumnType(.string))
    let age = try transaction.addColumn(to: rows, "age", ColumnType(.int, isOptional: true))
    let link = try transaction.addColumn(to: rows, "link", .link(to: rows))
    for number in 0..<Self.count {
      try transaction.create(in: rows) {
        try $0.set("row \(number)", name)
        try $0.set(number, age)
      }
    }
    let key = ObjectKey(Self.count / 3)
    try expectCheap("one integer in a table", transaction) { try transaction.set(Int64(-1), Cell(rows, key, age)) }
    try expectCheap("one null in a table", transaction) { try transaction.set(Int64?.none, Cell(rows, key, age)) }
    try expectCheap("one string in a table", transaction) { try transaction.set("other", Cell(rows, key, name)) }
    try expectCheap("one link in a table", transaction) {
      try transaction.set(.link(ObjectLink(rows, ObjectKey(0))), Cell(rows, key, link))
    }
    try expectCheap("one new row in a table", transaction) { try transaction.create(in: rows) }
    try expectCheap("one row less in a table", transaction) { try transaction.delete(ObjectLink(rows, key)) }
  }

  @Test func oneElementInACollectionOfAMillion() throws {
    let transaction = Transaction(.empty)
    let rows = try transaction.addTable("Row")
    let list = try transaction.addColumn(to: rows, "list", ColumnType(.int, shape: .list))
    let set = try transaction.addColumn(to: rows, "set", ColumnType(.int, shape: .set))
    let map = try transaction.addColumn(to: rows, "map", ColumnType(.int, shape: .dictionary))
    let row = try transaction.create(in: rows)
    let (listCell, setCell, mapCell) = (Cell(rows, row, list), Cell(rows, row, set), Cell(rows, row, map))
    let values = (0..<Self.count).map(Value.int)
    try transaction.insert(contentsOf: values, at: 0, inList: listCell)
    try transaction.formUnion(values, inSet: setCell)
    for number in 0..<Self.count {
      try transaction.set(.int(number), forKey: "key \(number)", inDictionary: mapCell)
    }
    let position = Int(Self.count / 3)
    try expectCheap("one element in a list", transaction, limit: Self.collectionLimit) {
      try transaction.replace(at: position, with: .int(-1), inList: listCell)
    }
    try expectCheap("one element more in a list", transaction, limit: Self.collectionLimit) {
      try transaction.insert(.int(-2), at: position, inList: listCell)
    }
    try expectCheap("one element less in a list", transaction, limit: Self.collectionLimit) {
      try transaction.remove(at: 0, fromList: listCell)
    }
    try expectCheap("one element moved in a list", transaction, limit: Self.collectionLimit) {
      try transaction.move(from: position, to: position * 2, inList: listCell)
    }
    try expectCheap("one element more in a set", transaction, limit: Self.collectionLimit) {
      try transaction.insert(.int(-1), inSet: setCell)
    }
    try expectCheap("one element less in a set", transaction, limit: Self.collectionLimit) {
      try transaction.remove(.int(Self.count / 2), fromSet: setCell)
    }
    try expectCheap("one entry in a dictionary", transaction, limit: Self.collectionLimit) {
      try transaction.set(.int(-1), forKey: "key \(position)", inDictionary: mapCell)
    }
    try expectCheap("one entry less in a dictionary", transaction, limit: Self.collectionLimit) {
      try transaction.remove(key: "key \(position + 1)", fromDictionary: mapCell)
    }
  }

  @Test func versionsOfOneLineThatAreEqualCostAlmostNothing() throws {
    let transaction = Transaction(.empty)
    let rows = try transaction.addTable("Row")
    let number = try transaction.addColumn(to: rows, "number", ColumnType(.int))
    for value in 0..<Self.count { try transaction.create(in: rows) { try $0.set(value, number) } }
    let before = transaction.graph
    let cell = Cell(rows, ObjectKey(5), number)
    try transaction.set(Int64(7), cell)
    try transaction.set(Int64(5), cell)
    let delta = Delta(from: before, to: transaction.graph)
    #expect(delta.isEmpty)
    #expect(delta.nodesVisited <= 64)
  }
}
