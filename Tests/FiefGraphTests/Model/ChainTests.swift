import FiefGraph
import FiefTestSupport
import Testing

/// Chains that are longer than any stack is deep: operations along them must use a loop.
struct ChainTests {
  static let length = Effort.of(debug: 30_000, release: 1_000_000)

  /// Exercises a chain: compares it with an empty graph, with itself and with a shortened chain, deletes it and frees
  /// it.
  private func live(
    _ transaction: Transaction, deleting root: ObjectLink, length: Int = Self.length, rows: (Graph) -> Int
  ) throws {
    let graph = transaction.graph
    #expect(rows(graph) == length)
    let whole = Delta(from: .empty, to: graph)
    #expect(try Graph.empty.applying(whole) == graph)
    try transaction.delete(root)
    #expect(rows(transaction.graph) == 0)
    #expect(transaction.graph != graph)
    #expect(transaction.graph.checkInvariants() == [])
    let back = try Delta(from: graph, to: transaction.graph).inverse(on: graph)
    #expect(try transaction.graph.applying(back) == graph)
  }

  @Test func aChainOfOwnedRowsLivesAndDies() throws {
    let transaction = Transaction(.empty)
    let roots = try transaction.addTable("Root")
    let links = try transaction.addTable("Link", kind: .embedded)
    let first = try transaction.addColumn(to: roots, "first", .link(to: links))
    let next = try transaction.addColumn(to: links, "next", .link(to: links))
    let root = try transaction.create(in: roots)
    var owner = Cell(roots, root, first)
    for _ in 0..<Self.length {
      owner = Cell(links, try transaction.createOwned(in: links, by: owner, .value), next)
    }
    try live(transaction, deleting: ObjectLink(roots, root)) { $0[links]?.count ?? 0 }
  }

  @Test func aChainOfNestedListsLivesAndDies() throws {
    let transaction = Transaction(.empty)
    let roots = try transaction.addTable("Root")
    let any = try transaction.addColumn(to: roots, "any", ColumnType(.any, shape: .list))
    let root = try transaction.create(in: roots)
    var owner = Cell(roots, root, any)
    for _ in 0..<Self.length / 4 {
      let list = try transaction.createOwned(in: .nestedLists, by: owner, .inserted(at: 0))
      owner = Cell(.nestedLists, list, .nestedElements)
    }
    try live(transaction, deleting: ObjectLink(roots, root), length: Self.length / 4) {
      $0[.nestedLists]?.count ?? 0
    }
  }

  @Test func aChainOfLinkedRowsThatCascadeLivesAndDies() throws {
    let transaction = Transaction(.empty)
    let rows = try transaction.addTable("Row")
    let next = try transaction.addColumn(to: rows, "next", .link(to: rows), deleteRule: .cascade)
    var last: ObjectLink?
    for _ in 0..<Self.length {
      let row = ObjectLink(rows, try transaction.create(in: rows))
      if let last { try transaction.set(.link(last), Cell(rows, row.key, next)) }
      last = row
    }
    guard let last else { return }
    try live(transaction, deleting: last) { $0[rows]?.count ?? 0 }
  }

  /// Without a rule, a delete removes one row, at any position in the chain.
  @Test func aChainOfLinkedRowsIsCutInTheMiddle() throws {
    let transaction = Transaction(.empty)
    let rows = try transaction.addTable("Row")
    let next = try transaction.addColumn(to: rows, "next", .link(to: rows))
    for number in 0..<Self.length {
      let row = try transaction.create(in: rows)
      if number > 0 {
        try transaction.set(.link(ObjectLink(rows, ObjectKey(row.rawValue - 1))), Cell(rows, row, next))
      }
    }
    let middle = ObjectKey(Int64(Self.length / 2))
    let before = transaction.graph
    try transaction.delete(ObjectLink(rows, middle))
    #expect(transaction.graph[rows]?.count == Self.length - 1)
    #expect(transaction.graph.value(Cell(rows, ObjectKey(middle.rawValue + 1), next)) == .null)
    #expect(Delta(from: before, to: transaction.graph).nodesVisited <= 64)
  }
}
