import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// Adding, removing and renaming tables.
struct TableChangeTests {
  // MARK: Adding

  @Test func aNewTableOfEachKindIsEmptyAndFoundByItsName() throws {
    let after = try Graph.empty.after { transaction in
      for kind in TableKind.allCases { _ = try transaction.addTable("\(kind)", kind: kind) }
    }
    for kind in TableKind.allCases {
      let table = try #require(after.table(named: "\(kind)"))
      #expect(table.schema.kind == kind && table.count == 0 && table.schema.columns.isEmpty)
      #expect(table.schema.primaryKey == nil && table.schema.indexes.isEmpty)
    }
  }

  @Test func aNameThatIsTakenOrEmptyIsRefused() throws {
    let transaction = try Kennel().transaction
    for name in ["Dog", "any.list", "any.dictionary"] {
      transaction.expectRefusal(.invalidSchema, table: name, saying: "named '\(name)'") {
        _ = try transaction.addTable(name)
      }
    }
    transaction.expectRefusal(.invalidSchema, table: "") { _ = try transaction.addTable("", kind: .embedded) }
    _ = try transaction.addTable("dog")
    #expect(transaction.graph.checkInvariants() == [], "names are told apart by case")
  }

  @Test func aKeyIsNeverGivenOutAgain() throws {
    let transaction = Transaction(.empty)
    let first = try transaction.addTable("Dog")
    let rex = ObjectLink(first, try transaction.create(in: first))
    try transaction.removeTable(first)
    let second = try transaction.addTable("Dog")
    #expect(second.rawValue == first.rawValue + 1)
    try transaction.create(in: second)
    #expect(!transaction.contains(rex) && transaction.graph[first] == nil)
    try transaction.removeTable(second)
    let graph = transaction.graph
    // Deltas and snapshots contain the numbers of removed tables.
    for copy in [graph, try Graph.empty.applying(Delta(from: .empty, to: graph))] {
      let after = try copy.after { transaction in
        let third = try transaction.addTable("Dog")
        #expect(third.rawValue == second.rawValue + 1)
      }
      #expect(after.schema.nextTable == second.rawValue + 2)
    }
  }

  // MARK: Renaming

  @Test func aTableThatIsRenamedKeepsItsKeyItsRowsAndItsLinks() throws {
    let kennel = try Kennel()
    let (ann, rex) = (try kennel.person(), try kennel.newDog())
    try kennel.transaction.set(.link(rex), kennel.cell(ann, kennel.dog))
    let after = try kennel.graph.after { try $0.renameTable(kennel.dogs, to: "Hound") }
    #expect(after.table(named: "Hound")?.schema.key == kennel.dogs && after.table(named: "Dog") == nil)
    #expect(after.value(kennel.cell(ann, kennel.dog)) == .link(rex))
    #expect(after.value(Cell(kennel.dogs, rex.key, kennel.dogName)) == .string("Rex"))
    #expect(after.linkCount(to: rex, from: kennel.persons, kennel.dog) == 1)
  }

  @Test func aTableIsNotRenamedToANameThatIsTakenOrEmpty() throws {
    let kennel = try Kennel()
    let transaction = kennel.transaction
    transaction.expectRefusal(.invalidSchema, table: "Person") {
      try transaction.renameTable(kennel.dogs, to: "Person")
    }
    transaction.expectRefusal(.invalidSchema, table: "any.list") {
      try transaction.renameTable(kennel.dogs, to: "any.list")
    }
    transaction.expectRefusal(.invalidSchema, table: "") { try transaction.renameTable(kennel.dogs, to: "") }
    let before = kennel.graph
    try transaction.renameTable(kennel.dogs, to: "Dog")
    #expect(transaction.graph == before, "its own name is not taken")
  }

  @Test func tablesCanExchangeTheirNames() throws {
    let kennel = try Kennel()
    _ = try kennel.newDog()
    let after = try kennel.graph.after { transaction in
      try transaction.renameTable(kennel.dogs, to: "…")
      try transaction.renameTable(kennel.persons, to: "Dog")
      try transaction.renameTable(kennel.dogs, to: "Person")
    }
    #expect(after.table(named: "Person")?.schema.key == kennel.dogs && after.table(named: "Person")?.count == 1)
    #expect(after.table(named: "Dog")?.schema.key == kennel.persons)
  }

  // MARK: Removing

  @Test func aTableThatColumnsOfOthersLinkToStays() throws {
    let kennel = try Kennel()
    let transaction = kennel.transaction
    transaction.expectRefusal(.invalidSchema, table: "Dog", saying: "'Person.dog' links to it") {
      try transaction.removeTable(kennel.dogs)
    }
    transaction.expectRefusal(.invalidSchema, table: "Address", saying: "'Person.home' links to it") {
      try transaction.removeTable(kennel.addresses)
    }
    for column in [kennel.dog, kennel.dogList, kennel.pack, kennel.byName] {
      try transaction.removeColumn(column, of: kennel.persons)
    }
    transaction.expectRefusal(.invalidSchema, table: "Dog", saying: "'Address.pet' links to it") {
      try transaction.removeTable(kennel.dogs)
    }
    try transaction.removeColumn(kennel.pet, of: kennel.addresses)
    try transaction.graph.after { try $0.removeTable(kennel.dogs) }
  }

  @Test func aTableThatOnlyItselfLinksToGoes() throws {
    let transaction = Transaction(.empty)
    let dogs = try transaction.addTable("Dog")
    let friend = try transaction.addColumn(to: dogs, "friend", .link(to: dogs), deleteRule: .deny)
    let keys = try (0..<3).map { _ in try transaction.create(in: dogs) }
    for key in keys { try transaction.set(.link(ObjectLink(dogs, keys[0])), Cell(dogs, key, friend)) }
    let after = try transaction.graph.after { try $0.removeTable(dogs) }
    #expect(after[dogs] == nil && after.allTables.count == 2)
  }

  @Test func anyValuesForgetTheLinksIntoATableThatGoes() throws {
    let transaction = Transaction(.empty)
    let (dogs, cats, rooms) = (
      try transaction.addTable("Dog"), try transaction.addTable("Cat"), try transaction.addTable("Room")
    )
    let columns = try ColumnShape.allCases.map {
      try transaction.addColumn(to: rooms, "\($0)", ColumnType(.any, shape: $0))
    }
    let inside = try transaction.addColumn(to: rooms, "inside", ColumnType(.any))
    let rex = Value.link(ObjectLink(dogs, try transaction.create(in: dogs)))
    let tom = Value.link(ObjectLink(cats, try transaction.create(in: cats)))
    let room = try transaction.create(in: rooms)
    let cells = columns.map { Cell(rooms, room, $0) }
    try transaction.addIndex(IndexDefinition([columns[0]]), to: rooms)
    try transaction.set(rex, cells[0])
    try transaction.insert(contentsOf: [rex, .int(1), rex, tom], at: 0, inList: cells[1])
    try transaction.formUnion([rex, .int(1), tom], inSet: cells[2])
    for (key, value) in [("a", rex), ("b", .int(1)), ("c", tom)] {
      try transaction.set(value, forKey: key, inDictionary: cells[3])
    }
    let list = try transaction.createOwned(in: .nestedLists, by: Cell(rooms, room, inside), .value)
    let nested = Cell(.nestedLists, list, .nestedElements)
    try transaction.insert(contentsOf: [.int(7), rex, tom], at: 0, inList: nested)

    let after = try transaction.graph.after { try $0.removeTable(dogs) }
    #expect(after.value(cells[0]) == .null)
    #expect(after.contents(cells[1]) == [.int(1), tom])
    #expect(after.contents(cells[2]) == [.int(1), tom])
    #expect(after.entries(cells[3]) == ["a": .null, "b": .int(1), "c": tom])
    #expect(after.contents(nested) == [.int(7), tom])
  }

  @Test func rowsOwnedByATableAreDeletedWithIt() throws {
    let kennel = try Kennel()
    let transaction = kennel.transaction
    let (ann, rex) = (try kennel.person(), try kennel.newDog())
    let home = try transaction.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.home), .value)
    try transaction.set(.link(rex), Cell(kennel.addresses, home, kennel.pet))
    let second = try transaction.createOwned(
      in: kennel.addresses, by: kennel.cell(ann, kennel.homes), .inserted(at: 0))
    try transaction.createOwned(in: kennel.addresses, by: Cell(kennel.addresses, second, kennel.inner), .value)
    try transaction.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.homeMap), .entry("x"))
    let list = try kennel.nestedList(kennel.cell(ann, kennel.any))
    try transaction.createOwned(in: .nestedDictionaries, by: list, .inserted(at: 0))
    try transaction.set(.link(rex), kennel.cell(ann, kennel.dog))

    let after = try kennel.graph.after { try $0.removeTable(kennel.persons) }
    #expect(after[kennel.addresses]?.count == 0)
    #expect(after[.nestedLists]?.count == 0 && after[.nestedDictionaries]?.count == 0)
    #expect(after.contains(rex) && after.linkCount(to: rex, from: kennel.persons, kennel.dog) == 0)
    #expect(after.linkCount(to: rex, from: kennel.addresses, kennel.pet) == 0)
  }

  @Test func deleteRulesHoldForATableThatGoes() throws {
    for rule in DeleteRule.allCases {
      let kennel = try Kennel(rule: rule)
      let (ann, rex, stray) = (try kennel.person(), try kennel.newDog(), try kennel.newDog("Stray"))
      try kennel.transaction.insert(.link(rex), at: 0, inList: kennel.cell(ann, kennel.dogList))
      if rule == .deny {
        kennel.transaction.expectRefusal(.deleteDenied, table: "Person", column: "dogs", key: ann) {
          try kennel.transaction.removeTable(kennel.persons)
        }
      } else {
        let after = try kennel.graph.after { try $0.removeTable(kennel.persons) }
        #expect(after.contains(rex) == (rule == .nullify) && after.contains(stray))
      }
    }
  }

  @Test func aTableThatIsNotThereCannotBeChanged() throws {
    let transaction = Transaction(.empty)
    let dogs = try transaction.addTable("Dog")
    let name = try transaction.addColumn(to: dogs, "name", ColumnType(.string))
    try transaction.removeTable(dogs)
    for key in [dogs, TableKey(rawValue: 99), TableKey(rawValue: .max)] {
      for change in Self.everyChange(of: key, name) {
        transaction.expectRefusal(.missingObject, saying: "\(key)") { try change(transaction) }
      }
    }
  }

  @Test func theTablesOfNestedCollectionsCannotBeChanged() throws {
    let kennel = try Kennel()
    _ = try kennel.nestedList(kennel.cell(try kennel.person(), kennel.any))
    for key in [TableKey.nestedLists, .nestedDictionaries] {
      for change in Self.everyChange(of: key, .nestedElements) {
        kennel.transaction.expectRefusal(.invalidSchema, saying: "inside any-values") { try change(kennel.transaction) }
      }
    }
  }

  /// Every kind of change to a table and to a column.
  static func everyChange(of table: TableKey, _ column: ColumnKey) -> [(Transaction) throws -> Void] {
    [
      { try $0.removeTable(table) }, { try $0.renameTable(table, to: "new") },
      { try $0.removeColumn(column, of: table) },
    ]
  }
}
