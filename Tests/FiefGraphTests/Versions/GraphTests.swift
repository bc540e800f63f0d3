import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// A graph as it is read, and what makes two of them equal.
struct GraphTests {
  let house: Household

  init() throws { house = try Household() }

  @Test func theEmptyGraphHasTheTablesOfNestedCollectionsAlone() {
    #expect(Graph.empty.allTables.map(\.schema.name) == ["any.list", "any.dictionary"])
    #expect(Graph.empty.checkInvariants() == [] && Graph.empty.version == 0)
    #expect(Graph.empty == Graph.empty)
  }

  @Test func whatIsNotThereReadsAsNil() {
    let graph = house.graph
    let name = house.cell("Person.name", 0)
    #expect(graph.value(Cell(name.table, ObjectKey(99), name.column)) == nil)
    #expect(graph.value(Cell(TableKey(rawValue: .max), ObjectKey(0), name.column)) == nil)
    #expect(graph.value(Cell(name.table, ObjectKey(0), ColumnKey(rawValue: .max))) == nil)
    #expect(graph.value(Cell(name.table, ObjectKey(.min), name.column)) == nil)
    #expect(graph.collection(house.cell("Person.tags", 99)) == nil)
    #expect(graph[TableKey(rawValue: 99)] == nil && graph.table(named: "Cat") == nil)
    #expect(!graph.contains(ObjectLink(house.table("Dog"), ObjectKey(4))))
    #expect(!graph.contains(ObjectLink(TableKey(rawValue: 99), ObjectKey(0))))
  }

  @Test func anEmptyCollectionReadsAsNil() {
    #expect(house.graph.collection(house.cell("Person.tags", 1)) == nil)
    #expect(house.graph.collection(house.cell("Person.tags", 0))?.count == 2)
  }

  @Test func theOwnerOfAnEmbeddedObjectIsItsCell() {
    let addresses = house.table("Address")
    let graph = house.graph
    #expect(graph.owner(of: ObjectLink(addresses, ObjectKey(0))) == house.cell("Person.home", 0))
    #expect(graph.owner(of: ObjectLink(addresses, ObjectKey(1))) == house.cell("Address.inner", 0))
    #expect(graph.owner(of: ObjectLink(addresses, ObjectKey(2))) == house.cell("Person.rooms", 0))
    #expect(graph.owner(of: ObjectLink(.nestedLists, ObjectKey(0))) == house.cell("Person.anything", 0))
    #expect(graph.owner(of: ObjectLink(addresses, ObjectKey(99))) == nil)
    #expect(graph.owner(of: ObjectLink(house.table("Dog"), ObjectKey(0))) == nil, "linked to, and owned by nobody")
  }

  @Test func everyFactAndEveryCellCounts() throws {
    let changes: [(Transaction) throws -> Void] = [
      { try $0.set("x", house.cell("Person.name", 0)) }, { try $0.set(.null, house.cell("Person.age", 0)) },
      { try $0.swapAt(0, 1, inList: house.cell("Person.pets", 0)) },
      { try $0.remove(.string("a"), fromSet: house.cell("Person.tags", 0)) },
      { try $0.set(.string("z"), forKey: "z", inDictionary: house.cell("Person.notes", 0)) },
      { try $0.delete(ObjectLink(house.table("Log"), ObjectKey(0))) }, { try $0.create(in: house.table("Log")) },
      { try $0.renameTable(house.table("Log"), to: "Record") }, { _ = try $0.addTable("New") },
      { try $0.removeTable(house.table("Log")) }, { try $0.setPrimaryKey(nil, of: house.table("Dog")) },
      { try $0.removeIndex(over: [house.column("Dog.name")], of: house.table("Dog")) },
      { try $0.setDeleteRule(.deny, ofColumn: house.column("Person.pet"), of: house.table("Person")) },
      { transaction in
        // A key that was given out and whose row is gone again.
        let key = try transaction.create(in: house.table("Log"))
        try transaction.delete(ObjectLink(house.table("Log"), key))
      },
    ]
    let results = try changes.map { try house.graph.after($0) }
    for (place, result) in results.enumerated() {
      #expect(result != house.graph && house.graph != result, "change \(place)")
      for (other, otherResult) in results.enumerated() {
        #expect((result == otherResult) == (place == other), "changes \(place) and \(other)")
      }
    }
  }

  @Test func theVersionDoesNotCount() throws {
    let published = PublishedGraph(house.graph)
    let later = try published.publish(published.begin())
    #expect(later.version != house.graph.version && later == house.graph)
  }
}
