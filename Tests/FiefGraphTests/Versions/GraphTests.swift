import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// Reading a graph, and the parts of it that equality compares.
struct GraphTests {
  let stage: DeltaStage
  let graph: Graph

  init() throws {
    stage = try DeltaStage()
    graph = stage.graph
  }

  @Test func theEmptyGraphHasTheTablesOfNestedCollectionsAlone() {
    #expect(Graph.empty.allTables.map(\.schema.name) == ["any.list", "any.dictionary"])
    #expect(Graph.empty.checkInvariants() == [] && Graph.empty.version == 0)
  }

  @Test func missingRowsAndColumnsReadAsNil() {
    let (none, nowhere) = (ColumnKey(rawValue: .max), TableKey(rawValue: .max))
    for key in [2, 1 << 40, -1, .max, .min] as [Int64] {
      #expect(graph.value(Cell(stage.rows, ObjectKey(key), stage.small)) == nil, "\(key)")
      #expect(graph.collection(Cell(stage.rows, ObjectKey(key), stage.list)) == nil, "\(key)")
      #expect(!graph.contains(ObjectLink(stage.rows, ObjectKey(key))), "\(key)")
    }
    #expect(graph.value(stage.cell(none)) == nil && graph.collection(stage.cell(none)) == nil)
    #expect(graph.value(Cell(nowhere, stage.first, stage.small)) == nil)
    #expect(graph.collection(Cell(nowhere, stage.first, stage.list)) == nil)
    #expect(graph[nowhere] == nil && graph.table(named: "Cat") == nil)
    #expect(!graph.contains(ObjectLink(nowhere, stage.first)))
  }

  @Test func anEmptyCollectionReadsAsNil() {
    #expect(graph.collection(stage.cell(stage.list))?.count == 5)
    #expect(graph.collection(Cell(stage.rows, stage.second, stage.list)) == nil)
  }

  @Test func theOwnerOfAnEmbeddedObjectIsItsCell() {
    let kennel = stage.kennel
    func address(_ key: Int64) -> ObjectLink { ObjectLink(kennel.addresses, ObjectKey(key)) }
    let (ann, bob) = (stage.first, stage.second)
    #expect(graph.owner(of: address(0)) == kennel.cell(ann, kennel.home))
    #expect(graph.owner(of: address(1)) == Cell(kennel.addresses, stage.first, kennel.inner))
    #expect(graph.owner(of: address(2)) == kennel.cell(bob, kennel.homes))
    #expect(graph.owner(of: ObjectLink(.nestedLists, stage.first)) == kennel.cell(ann, kennel.any))
    #expect(graph.owner(of: address(99)) == nil)
    #expect(graph.owner(of: ObjectLink(kennel.dogs, stage.first)) == nil, "linked to, and owned by nobody")
  }

  @Test func everyFactAndEveryCellCountsAndTheVersionDoesNot() throws {
    let (rows, keyed) = (stage.rows, stage.keyed)
    let changes: [(Transaction) throws -> Void] = [
      { try $0.set(Int64(7), stage.cell(stage.small)) }, { try $0.set("", stage.cell(stage.text)) },
      { try $0.swapAt(0, 1, inList: stage.cell(stage.list)) },
      { try $0.remove(.int(1), fromSet: stage.cell(stage.set)) },
      { try $0.set(.int(1), forKey: "b", inDictionary: stage.cell(stage.map)) },
      { try $0.delete(ObjectLink(rows, stage.second)) }, { try $0.create(in: rows) },
      { try $0.renameTable(rows, to: "Line") }, { _ = try $0.addTable("New") }, { try $0.removeTable(rows) },
      { try $0.renameColumn(stage.small, of: rows, to: "little") }, { try $0.setPrimaryKey(nil, of: keyed) },
      { try $0.removeIndex(over: [stage.mail], of: keyed) }, { try $0.removeColumn(stage.map, of: rows) },
      { _ = try $0.setOptional(true, column: stage.small, of: rows) },
      { transaction in
        // A key that was used by a row that no longer exists.
        try transaction.delete(ObjectLink(rows, try transaction.create(in: rows)))
      },
    ]
    let results = try changes.map(stage.changed)
    for (position, result) in results.enumerated() {
      #expect(result != graph && graph != result, "change \(position)")
      for (other, otherResult) in results.enumerated() where (result == otherResult) != (position == other) {
        Issue.record("changes \(position) and \(other)")
      }
    }
    let published = PublishedGraph(graph)
    let later = try published.publish(published.begin())
    #expect(later.version != graph.version && later == graph)
  }
}
