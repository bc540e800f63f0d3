import FiefGraph
import FiefTestSupport
import Testing

/// The latest version: reading it, replacing it, and the lifetime of older versions.
struct PublishedGraphTests {
  @Test func versionsAreNumberedInTheirLine() throws {
    let published = PublishedGraph()
    #expect(published.current.version == 0)
    #expect(published.current == .empty)
    for number in 1...5 as ClosedRange<UInt64> {
      let transaction = published.begin()
      #expect(transaction.base.version == number - 1)
      _ = try transaction.addTable("Table \(number)")
      #expect(published.current.version == number - 1, "nothing is seen before it is published")
      let graph = try published.publish(transaction)
      #expect(graph.version == number)
      #expect(published.current.version == number)
      #expect(published.current == graph)
      #expect(graph.allTables.count == Int(number) + 2)
    }
    // A series of versions may begin with a version of another.
    let branch = PublishedGraph(published.current)
    #expect(branch.current.version == 5)
    #expect(try branch.publish(branch.begin()).version == 6)
    #expect(published.current.version == 5)
  }

  @Test func aVersionThatIsHeldStays() throws {
    let published = PublishedGraph(try DeltaStage().graph)
    let rows = try #require(published.current.table(named: "Row"))
    let small = try #require(rows.schema.column(named: "small"))
    let cell = Cell(rows.schema.key, ObjectKey(0), small.key)
    var pinned = [published.current]
    for number in 1...20 as ClosedRange<Int64> {
      let transaction = published.begin()
      try transaction.set(number, cell)
      try transaction.create(in: cell.table)
      pinned.append(try published.publish(transaction))
      // Later changes in the transaction do not affect the published version.
      try transaction.set(Int64(-1), cell)
    }
    for (number, graph) in pinned.enumerated() {
      #expect(graph.value(cell) == .int(number == 0 ? 1000 : Int64(number)))
      #expect(graph[cell.table]?.count == number + 2)
      #expect(graph.checkInvariants() == [])
    }
    #expect(published.current == pinned.last)
  }

  @Test func aConflictIsRefusedAndChangesNothing() throws {
    let published = PublishedGraph()
    let (first, second) = (published.begin(), published.begin())
    _ = try first.addTable("First")
    _ = try second.addTable("Second")
    try published.publish(first)
    let latest = published.current
    // The second transaction began from a version that is no longer the latest. Now this is true of the first one, too.
    for late in [second, first] {
      let before = late.graph
      let error = #expect(throws: GraphError.self) { try published.publish(late) }
      #expect(error?.code == .conflict)
      #expect(published.current == latest)
      #expect(published.current.version == 1)
      #expect(late.graph == before)
    }
    let third = published.begin()
    _ = try third.addTable("Third")
    #expect(try published.publish(third).table(named: "First") != nil)
    #expect(published.current.table(named: "Second") == nil)
  }

  @Test func aTransactionThatIsDroppedLeavesNothing() throws {
    let published = PublishedGraph()
    weak var dropped: Table?
    do {
      let transaction = published.begin()
      let key = try transaction.addTable("Dropped")
      dropped = transaction.graph[key]
      #expect(dropped != nil)
    }
    #expect(dropped == nil)
    #expect(published.current == .empty)
  }

  @Test func aVersionThatNobodyHoldsIsFreed() throws {
    let published = PublishedGraph(try DeltaStage().graph)
    let key = try #require(published.current.table(named: "Row")?.schema.key)
    weak let old = published.current[key]
    weak let oldCluster = published.current[key]?.rows[0]
    weak let shared = published.current.table(named: "Keyed")
    var pin: Graph? = published.current
    func change() throws {
      let transaction = published.begin()
      try transaction.delete(ObjectLink(key, ObjectKey(0)))
      try published.publish(transaction)
    }
    try change()
    #expect(old != nil, "it is held")
    #expect(oldCluster != nil)
    #expect(pin?[key]?.count == 2)
    pin = nil
    #expect(old == nil)
    #expect(oldCluster == nil)
    #expect(shared != nil, "what did not change belongs to the present version too")
    #expect(published.current.table(named: "Keyed") === shared)
  }

  /// A reader sees whole versions, and never an older one after a newer one.
  @Test func readersSeeWholeVersionsWhileOthersArePublished() async throws {
    let rounds = 200
    let published = PublishedGraph()
    let transaction = published.begin()
    let table = try transaction.addTable("Row")
    let columns = try (0..<4).map { try transaction.addColumn(to: table, "c\($0)", ColumnType(.int)) }
    let key = try transaction.create(in: table)
    try published.publish(transaction)
    let faults = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<2 {
        group.addTask {
          var faults: [String] = []
          var last: UInt64 = 0
          while last <= rounds {
            let graph = published.current
            if graph.version < last { faults.append("version \(graph.version) came after \(last)") }
            last = graph.version
            let expected = Value.int(Int64(last) - 1)
            if columns.contains(where: { graph.value(Cell(table, key, $0)) != expected }) {
              faults.append("version \(last) is not whole")
            }
            await Task.yield()
          }
          return faults
        }
      }
      group.addTask {
        do {
          for round in 1...Int64(rounds) {
            let transaction = published.begin()
            for column in columns { try transaction.set(round, Cell(table, key, column)) }
            try published.publish(transaction)
            await Task.yield()
          }
          return []
        } catch {
          // Publishes further versions, so that the readers terminate.
          while published.current.version <= rounds { _ = try? published.publish(published.begin()) }
          return ["\(error)"]
        }
      }
      return await group.reduce(into: [String]()) { $0 += $1 }
    }
    #expect(faults == [])
    #expect(published.current.version == UInt64(rounds) + 1)
  }
}
