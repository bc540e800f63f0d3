import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// Adding, removing and renaming tables.
struct SchemaTablesTests {
  let start: Graph
  let people: TableKey
  let dogs: TableKey
  let name: ColumnKey
  let anything: ColumnKey
  let friend: ColumnKey

  init() throws {
    let transaction = Transaction(.empty)
    people = try transaction.addTable("Person")
    dogs = try transaction.addTable("Dog")
    name = try transaction.addColumn(to: people, "name", ColumnType(.string))
    anything = try transaction.addColumn(to: people, "anything", ColumnType(.any))
    friend = try transaction.addColumn(to: dogs, "friend", .link(to: dogs))
    for number in 0..<3 {
      try transaction.create(in: people) { [name] in try $0.set("person \(number)", name) }
      try transaction.create(in: dogs)
    }
    start = transaction.graph
  }

  @Test func aTableIsAddedBare() throws {
    for kind in TableKind.allCases {
      var table = people
      let after = try start.after { table = try $0.addTable("Cat", kind: kind) }
      let cats = try #require(after[table])
      #expect(cats.schema.kind == kind && cats.schema.name == "Cat" && cats.count == 0)
      #expect(cats.schema.columns == [] && cats.schema.primaryKey == nil && cats.schema.indexes == [])
      #expect(after.schema.nextTable == start.schema.nextTable + 1)
    }
  }

  @Test func theKeyOfATableIsNeverGivenOutAgain() throws {
    var first = people
    var second = people
    let after = try start.after { transaction in
      first = try transaction.addTable("Cat")
      try transaction.removeTable(first)
      second = try transaction.addTable("Cat")
    }
    #expect(first != second)
    #expect(after[first] == nil && after[second] != nil)
    #expect(after.allTables.count == start.allTables.count + 1)
  }

  @Test func aTableIsRenamedWithEverythingInIt() throws {
    let after = try start.after { try $0.renameTable(people, to: "Human") }
    #expect(after.table(named: "Human")?.schema.key == people)
    #expect(after.table(named: "Person") == nil)
    #expect(after[people]?.count == 3)
    #expect(after.value(Cell(people, ObjectKey(1), name)) == .string("person 1"))
  }

  @Test func twoTablesCanExchangeTheirNames() throws {
    let after = try start.after { transaction in
      try transaction.renameTable(people, to: "Interim")
      try transaction.renameTable(dogs, to: "Person")
      try transaction.renameTable(people, to: "Dog")
    }
    #expect(after.table(named: "Dog")?.schema.key == people)
  }

  @Test func aTableGoesWithItsRowsAndItsLinksToItself() throws {
    let after = try start.after { transaction in
      try transaction.set(.link(ObjectLink(dogs, ObjectKey(1))), Cell(dogs, ObjectKey(0), friend))
      try transaction.removeTable(dogs)
    }
    #expect(after[dogs] == nil && after.table(named: "Dog") == nil)
    #expect(after.schema.nextTable == start.schema.nextTable)
    #expect(!after.contains(ObjectLink(dogs, ObjectKey(0))))
  }

  @Test func anyValuesThatLinkIntoATableThatGoesBecomeNull() throws {
    let linked = try start.after { transaction in
      try transaction.set(.link(ObjectLink(dogs, ObjectKey(0))), Cell(people, ObjectKey(0), anything))
      let list = try transaction.createOwned(in: .nestedLists, by: Cell(people, ObjectKey(1), anything), .value)
      let elements = Cell(.nestedLists, list, .nestedElements)
      try transaction.append(.link(ObjectLink(dogs, ObjectKey(0))), toList: elements)
      try transaction.append(.int(7), toList: elements)
      let inner = try transaction.createOwned(in: .nestedDictionaries, by: elements, .inserted(at: 0))
      let entries = Cell(.nestedDictionaries, inner, .nestedElements)
      try transaction.set(.link(ObjectLink(dogs, ObjectKey(2))), forKey: "dog", inDictionary: entries)
    }
    let after = try linked.after { try $0.removeTable(dogs) }
    #expect(after.value(Cell(people, ObjectKey(0), anything)) == .null)
    let list = Cell(.nestedLists, ObjectKey(0), .nestedElements)
    #expect(after.contents(list).count == 2 && after.contents(list).last == .int(7))
    #expect(after.entries(Cell(.nestedDictionaries, ObjectKey(0), .nestedElements)) == ["dog": .null])
  }

  @Test func aTableThatOthersLinkToStays() throws {
    let transaction = Transaction(start)
    try transaction.addColumn(to: people, "pets", .link(to: dogs, shape: .list))
    transaction.expectRefusal(.invalidSchema, table: "Dog", saying: "'Person.pets' links to it") {
      try transaction.removeTable(dogs)
    }
    try transaction.removeColumn(ColumnKey(rawValue: 2), of: people)
    try transaction.removeTable(dogs)
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func aTableThatOwnsRowsTakesThemAlong() throws {
    var parts = people
    let owning = try start.after { transaction in
      parts = try transaction.addTable("Part", kind: .embedded)
      let own = try transaction.addColumn(to: dogs, "parts", .link(to: parts, shape: .list))
      for dog in 0..<3 {
        for _ in 0..<4 {
          try transaction.createOwned(in: parts, by: Cell(dogs, ObjectKey(Int64(dog)), own), .inserted(at: 0))
        }
      }
    }
    #expect(owning[parts]?.count == 12)
    let after = try owning.after { try $0.removeTable(dogs) }
    #expect(after[parts]?.count == 0 && after[parts]?.nextKey == 12)
  }

  @Test func aDeleteRuleCanKeepATable() throws {
    let transaction = Transaction(start)
    let guardian = try transaction.addColumn(to: dogs, "guardian", .link(to: people), deleteRule: .deny)
    try transaction.set(.link(ObjectLink(people, ObjectKey(0))), Cell(dogs, ObjectKey(0), guardian))
    transaction.expectRefusal(.deleteDenied, table: "Dog", column: "guardian", key: ObjectKey(0)) {
      try transaction.removeTable(dogs)
    }
  }

  @Test func theTablesOfNestedCollectionsCannotBeChanged() {
    let transaction = Transaction(start)
    for table in [TableKey.nestedLists, .nestedDictionaries] {
      let operations: [() throws -> Void] = [
        { try transaction.removeTable(table) }, { try transaction.renameTable(table, to: "x") },
        { try transaction.addColumn(to: table, "x", ColumnType(.int)) },
        { try transaction.removeColumn(.nestedElements, of: table) },
        { try transaction.renameColumn(.nestedElements, of: table, to: "x") },
        { _ = try transaction.changeColumn(.nestedElements, of: table, to: ColumnType(.int)) },
        { try transaction.setPrimaryKey(nil, of: table) },
        { try transaction.addIndex(IndexDefinition([.nestedElements]), to: table) },
      ]
      for operation in operations {
        transaction.expectRefusal(.invalidSchema, saying: "inside any-values", of: operation)
      }
    }
  }

  @Test func aTableThatIsNotThereIsNotChanged() throws {
    let transaction = Transaction(start)
    let cats = try transaction.addTable("Cat")
    try transaction.removeTable(cats)
    for table in [cats, TableKey(rawValue: 99), TableKey(rawValue: .max)] {
      let operations: [() throws -> Void] = [
        { try transaction.removeTable(table) }, { try transaction.renameTable(table, to: "x") },
        { try transaction.addColumn(to: table, "x", ColumnType(.int)) },
        { try transaction.removeColumn(name, of: table) },
        { try transaction.renameColumn(name, of: table, to: "x") },
        { _ = try transaction.changeColumn(name, of: table, to: ColumnType(.int)) },
        { _ = try transaction.setOptional(true, column: name, of: table) },
        { try transaction.setPrimaryKey(name, of: table) },
        { try transaction.addIndex(IndexDefinition([name]), to: table) },
        { try transaction.removeIndex(over: [name], of: table) },
        { try transaction.setDeleteRule(.deny, ofColumn: name, of: table) },
      ]
      for operation in operations { transaction.expectRefusal(.missingObject, saying: "\(table)", of: operation) }
    }
  }
}
