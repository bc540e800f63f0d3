import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// The latest version, those who pin older ones, and the one who replaces it.
struct PublishedGraphTests {
  let published = PublishedGraph()
  let table: TableKey
  let number: ColumnKey

  init() throws {
    let transaction = published.begin()
    table = try transaction.addTable("Row")
    number = try transaction.addColumn(to: table, "number", ColumnType(.int))
    try transaction.create(in: table)
    try published.publish(transaction)
  }

  var cell: Cell { Cell(table, ObjectKey(0), number) }

  @discardableResult
  func publish(_ value: Int64) throws -> Graph {
    let transaction = published.begin()
    try transaction.set(value, cell)
    return try published.publish(transaction)
  }

  @Test func itBeginsWithNothingOrWithTheGraphThatIsGiven() throws {
    #expect(PublishedGraph().current == .empty && PublishedGraph().current.version == 0)
    let other = PublishedGraph(published.current)
    #expect(other.current == published.current && other.current.version == 1)
  }

  @Test func everyVersionHasANumberOneHigherThanItsBase() throws {
    #expect(published.current.version == 1)
    for version in 2..<UInt64(10) {
      let graph = try publish(Int64(version))
      #expect(graph.version == version && published.current.version == version)
      #expect(graph == published.current)
    }
  }

  @Test func aVersionWithoutAChangeIsAVersionToo() throws {
    let before = published.current
    let graph = try published.publish(published.begin())
    #expect(graph.version == before.version + 1 && graph == before)
  }

  @Test func whatIsPinnedStaysAsItWas() throws {
    var pinned: [Graph] = []
    for value in 0..<Int64(50) { pinned.append(try publish(value)) }
    for (value, graph) in pinned.enumerated() {
      #expect(graph.value(cell) == .int(Int64(value)))
      #expect(graph.checkInvariants() == [])
    }
  }

  @Test func aTransactionThatIsDroppedLeavesNothing() throws {
    let before = published.current
    do {
      let transaction = published.begin()
      try transaction.clear(table)
    }
    #expect(published.current == before && published.current.version == before.version)
    #expect(try publish(5).version == before.version + 1)
  }

  @Test func aTransactionFromAnOlderVersionIsRefusedAndChangesNothing() throws {
    let slow = published.begin()
    try slow.set(1 as Int64, cell)
    try publish(2)
    let before = published.current
    #expect {
      try published.publish(slow)
    } throws: { error in
      (error as? GraphError)?.code == .conflict && "\(error)".contains("version 1")
        && "\(error)".contains("begin another")
    }
    #expect(published.current == before && published.current.version == before.version)
    #expect(slow.value(cell) == .int(1), "the transaction is as it was")
  }

  @Test func aTransactionIsPublishedOnce() throws {
    let transaction = published.begin()
    try transaction.set(1 as Int64, cell)
    try published.publish(transaction)
    try transaction.set(2 as Int64, cell)
    #expect(published.current.value(cell) == .int(1), "what is published is not the working copy")
    #expect(throws: GraphError.self) { try published.publish(transaction) }
    #expect(published.current.value(cell) == .int(1))
  }

  @Test func aVersionThatNobodyHoldsIsFreed() throws {
    weak var oldTable: Table?
    weak var oldCluster: Cluster?
    weak var pinnedTable: Table?
    do {
      let pinned = published.current
      oldTable = published.current[table]
      oldCluster = published.current[table]?.rows[0]
      try publish(7)
      pinnedTable = published.current[table]
      #expect(oldTable != nil && oldCluster != nil, "still pinned")
      try publish(8)
      #expect(pinnedTable == nil, "version 2 was held by nobody")
      #expect(pinned.value(cell) == .int(0))
    }
    #expect(oldTable == nil && oldCluster == nil)
  }

  @Test func whatVersionsShareIsNotFreedWithOneOfThem() throws {
    do {
      let grow = published.begin()
      for _ in 0..<1000 { try grow.create(in: table) }
      try published.publish(grow)
    }
    weak var shared: Cluster?
    weak var changed: Cluster?
    shared = published.current[table]?.rows[2]
    changed = published.current[table]?.rows[0]
    try publish(3)
    #expect(shared != nil && shared === published.current[table]?.rows[2])
    #expect(changed == nil)
  }

  @Test func aSavepointAndADeltaHoldWhatTheySpeakOf() throws {
    let before = published.current
    weak var cluster: Cluster?
    do {
      let delta = Delta(from: .empty, to: before)
      cluster = before[table]?.rows[0]
      try publish(4)
      #expect(delta.tables.contains { $0.inserted.contains { $0.rows === cluster } })
      #expect(try Graph.empty.applying(delta) == before)
    }
    #expect(before.value(cell) == .int(0))
  }
}
