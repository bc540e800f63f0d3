import FiefGraph
import FiefTestSupport
import Testing

/// Two graphs are equal if their contents are, regardless of their history.
struct EqualityTests {
  /// A list of a thousand zeros lost its first element and gained a last one. Its nodes were then one position further
  /// on than in the version before, so the difference was a removal and an insertion, although no element had changed.
  @Test func aListThatWasShiftedOntoItselfIsEqual() throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let column = try transaction.addColumn(to: table, "list", ColumnType(.int, shape: .list))
    let cell = Cell(table, try transaction.create(in: table), column)
    try transaction.insert(contentsOf: Array(repeating: Value.int(0), count: 1000), at: 0, inList: cell)
    let before = transaction.graph
    try transaction.remove(at: 0, fromList: cell)
    try transaction.append(.int(0), toList: cell)
    #expect(transaction.graph == before)
    #expect(Delta(from: before, to: transaction.graph).isEmpty)
    // With a period of three, a shift by one position makes another list, and a shift by three makes an equal one.
    try transaction.removeAll(from: cell)
    try transaction.insert(contentsOf: (0..<3000).map { Value.int($0 % 3) }, at: 0, inList: cell)
    let periodic = transaction.graph
    for count in 1...6 {
      try transaction.remove(at: 0, fromList: cell)
      try transaction.append(.int(Int64(count - 1) % 3), toList: cell)
      #expect((transaction.graph == periodic) == (count % 3 == 0), "\(count) cells")
    }
  }

  @Test func versionsThatCameAboutDifferentlyAreEqual() throws {
    func build(_ order: [Int]) throws -> Graph {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("Row")
      let number = try transaction.addColumn(to: table, "number", ColumnType(.int))
      let set = try transaction.addColumn(to: table, "set", ColumnType(.string, shape: .set))
      let rows = try (0..<600).map { _ in try transaction.create(in: table) }
      for index in order {
        try transaction.set(Int64(index * 1000), Cell(table, rows[index], number))
        try transaction.insert(.string("element \(index)"), inSet: Cell(table, rows[0], set))
      }
      return transaction.graph
    }
    var random = SeededRandom(seed: 1)
    let graph = try build(Array(0..<600))
    #expect(try graph == build(Array((0..<600).reversed())))
    #expect(try graph == build(random.shuffled(0..<600)))
    #expect(try graph != build(Array(0..<599)))
  }

  @Test func valuesAreEqualByTheirBits() throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let column = try transaction.addColumn(to: table, "any", ColumnType(.any))
    let cell = Cell(table, try transaction.create(in: table), column)
    let pairs: [(Value, Value)] = [
      (.double(0), .double(-0.0)), (.int(1), .double(1)), (.bool(true), .int(1)), (.decimal("1.0"), .decimal("1.00")),
      (.string("\u{E9}"), .string("e\u{301}")), (.double(.nan), .double(Double(bitPattern: 0x7FF8_0000_0000_0001))),
      (.float(1), .double(1)), (.string("a"), .data(.init([0x61]))),
    ]
    for (one, other) in pairs {
      try transaction.set(one, cell)
      let graph = transaction.graph
      try transaction.set(one, cell)
      #expect(transaction.graph == graph)
      try transaction.set(other, cell)
      #expect(transaction.graph != graph, "\(one) and \(other)")
      #expect(transaction.graph.value(cell) == other)
    }
  }
}
