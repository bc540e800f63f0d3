import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// Inserting rows into clusters and removing them, dense and sparse, through transactions and deltas.
///
/// Every row stores its own key in a required integer, in an optional string (null for every third row), and in a list,
/// so that a wrong slot is detected.
struct ClusterTests {
  let table: TableKey
  let number: ColumnKey
  let text: ColumnKey
  let list: ColumnKey
  /// Rows #0 … #255: one full cluster.
  let full: Graph

  init() throws {
    let transaction = Transaction(.empty)
    table = try transaction.addTable("Row")
    number = try transaction.addColumn(to: table, "number", ColumnType(.int))
    text = try transaction.addColumn(to: table, "text", ColumnType(.string, isOptional: true))
    list = try transaction.addColumn(to: table, "list", ColumnType(.int, shape: .list))
    let filled = Transaction(transaction.graph)
    for key in 0..<256 { try Self.add(filled, table, number, text, list, Int64(key)) }
    full = filled.graph
  }

  static func add(
    _ transaction: Transaction, _ table: TableKey, _ number: ColumnKey, _ text: ColumnKey, _ list: ColumnKey,
    _ key: Int64
  ) throws {
    let made = try transaction.create(in: table) { row in
      try row.set(key * 1000, number)
      if key % 3 != 0 { try row.set("row \(key)", text) }
    }
    #expect(made.rawValue == key)
    if key % 5 == 0 { try transaction.append(.int(key), toList: Cell(table, made, list)) }
  }

  /// Expects the graph to contain exactly the rows `keys`, each with its own cells, at the correct bits and slots.
  func expect(_ graph: Graph, _ keys: [Int64], _ context: @autoclosure () -> String, at location: SourceLocation) {
    var faults: [String] = []
    guard let rows = graph[table] else { return }
    if rows.count != keys.count { faults.append("\(rows.count) rows for \(keys.count)") }
    for chunk in Set(keys.map { $0 >> 8 }) {
      let own = keys.filter { $0 >> 8 == chunk }.sorted()
      guard let cluster = rows.rows[chunk] else {
        faults.append("no cluster \(chunk)")
        continue
      }
      if cluster.count != own.count { faults.append("a count of \(cluster.count)") }
      for (slot, key) in own.enumerated() {
        let bit = Int(key & 255)
        if cluster.slot(ofBit: bit) != slot || cluster.bit(ofSlot: slot) != bit {
          faults.append("#\(key) at slot \(slot)")
        }
      }
      for bit in 0..<256 where !own.contains(chunk << 8 | Int64(bit)) && cluster.slot(ofBit: bit) != nil {
        faults.append("a row at bit \(bit)")
      }
    }
    for key in keys {
      let object = ObjectKey(key)
      if graph.value(Cell(table, object, number)) != .int(key * 1000) { faults.append("the number of #\(key)") }
      if graph.value(Cell(table, object, text)) != (key % 3 == 0 ? .null : .string("row \(key)")) {
        faults.append("the text of #\(key)")
      }
      if graph.contents(Cell(table, object, list)) != (key % 5 == 0 ? [.int(key)] : []) {
        faults.append("the list of #\(key)")
      }
    }
    faults += graph.checkInvariants()
    #expect(faults == [], "\(context())", sourceLocation: location)
  }

  func expect(
    _ graph: Graph, _ keys: some Sequence<Int>, _ context: @autoclosure () -> String = "",
    location: SourceLocation = #_sourceLocation
  ) {
    expect(graph, keys.map(Int64.init), context(), at: location)
  }

  func delete(_ keys: some Sequence<Int>, from graph: Graph) throws -> Graph {
    let transaction = Transaction(graph)
    try transaction.delete(keys.map { ObjectLink(table, ObjectKey(Int64($0))) })
    return transaction.graph
  }

  @Test func aFullClusterIsDense() { expect(full, 0..<256) }

  @Test func aRowCanGoFromAnywhereAndComeBackThere() throws {
    for key in Array(0..<256) where key < 4 || key > 250 || key % 13 == 0 || key % 64 < 2 {
      let without = try delete([key], from: full)
      expect(without, (0..<256).filter { $0 != key }, "#\(key) gone")
      // Deltas insert rows between others: no transaction reuses a key.
      let again = try without.applying(Delta(from: without, to: full))
      expect(again, 0..<256, "#\(key) back")
    }
  }

  @Test func aRowCanComeBackIntoASparseCluster() throws {
    let sparse = try delete((0..<256).filter { $0 % 7 != 0 }, from: full)
    let kept = (0..<256).filter { $0 % 7 == 0 }
    expect(sparse, kept)
    for key in [1, 5, 8, 61, 62, 64, 65, 127, 128, 129, 191, 193, 254, 255] {
      let with = try delete((0..<256).filter { $0 % 7 != 0 && $0 != key }, from: full)
      let result = try sparse.applying(Delta(from: sparse, to: with))
      expect(result, (kept + [key]).sorted(), "#\(key)")
    }
  }

  @Test func rowsGoUntilNoneIsLeftAndTheClusterWithThem() throws {
    for order in [Array(0..<256), Array((0..<256).reversed()), (0..<256).map { ($0 * 101) % 256 }] {
      let transaction = Transaction(full)
      for (count, key) in order.enumerated() {
        try transaction.delete(ObjectLink(table, ObjectKey(Int64(key))))
        if count % 50 == 49 { expect(transaction.graph, order[(count + 1)...].sorted(), "after \(count + 1)") }
      }
      let empty = transaction.graph
      #expect(empty[table]?.rows.isEmpty == true)
      #expect(empty[table]?.nextKey == 256)
      #expect(empty.checkInvariants() == [])
    }
  }

  @Test func newRowsGoOnAfterTheLastKeyInASparseCluster() throws {
    let transaction = Transaction(full)
    try transaction.delete((0..<256).filter { $0 != 9 }.map { ObjectLink(table, ObjectKey(Int64($0))) })
    try Self.add(transaction, table, number, text, list, 256)
    try Self.add(transaction, table, number, text, list, 257)
    expect(transaction.graph, [9, 256, 257])
  }

  @Test(arguments: Seeds.all) func anyRowsCanGoAndComeAtOnce(seed: Seed) throws {
    var random = seed.random
    // Three clusters. Each of the two graphs keeps a random part, and deltas lead from one to the other.
    let transaction = Transaction(full)
    for key in 256..<700 { try Self.add(transaction, table, number, text, list, Int64(key)) }
    let all = transaction.graph
    func part() throws -> (Graph, [Int]) {
      let density = random.unit()
      let kept = (0..<700).filter { _ in random.bool(density) }
      return (try delete(Set(0..<700).subtracting(kept), from: all), kept)
    }
    let (a, inA) = try part()
    let (b, inB) = try part()
    expect(a, inA)
    expect(b, inB)
    expect(try a.applying(Delta(from: a, to: b)), inB)
    expect(try b.applying(Delta(from: b, to: a)), inA)
  }

  @Test func aClusterThatIsSharedIsNotChanged() throws {
    let cluster = try #require(full[table]?.rows[0])
    let leaf = cluster[leaf: 0].values
    let transaction = Transaction(full)
    try transaction.set(Int64(-1), Cell(table, ObjectKey(7), number))
    let changed = transaction.graph
    let copy = try #require(changed[table]?.rows[0])
    #expect(copy !== cluster)
    #expect(!copy[leaf: 0].values.isSameStorage(as: leaf))
    #expect(copy[leaf: 1].values.isSameStorage(as: cluster[leaf: 1].values), "the other columns are shared")
    expect(full, 0..<256)
  }

  @Test func integersAreKeptInTheNarrowestWidthThatFitsThem() throws {
    let transaction = Transaction(full)
    let small = try transaction.addColumn(to: table, "small", ColumnType(.int))
    let leaf = try #require(transaction.graph[table]?.schema.leaf(of: small))
    func width() -> Int {
      transaction.graph[table]?.rows[0].map { StorableTests.width(of: $0[leaf: leaf].values) } ?? 0
    }
    #expect(width() == 8)
    for (value, expected) in [(100, 8), (1000, 16), (100_000, 32), (1 << 40, 64), (0, 64)] as [(Int64, Int)] {
      try transaction.set(value, Cell(table, ObjectKey(0), small))
      #expect(width() == expected, "after \(value)")
    }
  }

  @Test func anEmptySlotTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("Row")
      try transaction.create(in: table)
      try transaction.create(in: table)
      try transaction.delete(ObjectLink(table, ObjectKey(0)))
      _ = transaction.graph[table]?.rows[0]?.bit(ofSlot: 1)
    }
    #if DEBUG
      expectSentence("Only a slot with a live row has a bit", of: result)
    #else
      expectSentence("There is no bit of rank 1", of: result)
    #endif
  }
}
