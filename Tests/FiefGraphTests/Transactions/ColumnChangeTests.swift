import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// Removing and renaming columns, and changing their delete rules.
struct ColumnChangeTests {
  // MARK: Removing

  @Test func rowsOwnedByAColumnAreDeletedWithIt() throws {
    let kennel = try Kennel()
    let t = kennel.transaction
    let ann = try kennel.person()
    let rex = try kennel.newDog()
    try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.home), .value)
    for position in 0..<2 {
      let key = try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.homes), .inserted(at: position))
      try t.createOwned(in: kennel.addresses, by: Cell(kennel.addresses, key, kennel.innerList), .inserted(at: 0))
      try t.set(.link(rex), Cell(kennel.addresses, key, kennel.pet))
    }
    for name in ["a", "b", "c"] {
      try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.homeMap), .entry(name))
    }
    _ = try kennel.nestedList(kennel.cell(ann, kennel.any))
    try t.createOwned(in: .nestedLists, by: kennel.cell(ann, kennel.anyList), .inserted(at: 0))
    try t.createOwned(in: .nestedDictionaries, by: kennel.cell(ann, kennel.anyMap), .entry("a"))
    let expected: [(ColumnKey, addresses: Int, lists: Int, dictionaries: Int)] = [
      (kennel.home, 7, 2, 1), (kennel.homes, 4, 2, 1), (kennel.homeMap, 5, 2, 1), (kennel.any, 8, 1, 1),
      (kennel.anyList, 8, 1, 1), (kennel.anyMap, 8, 2, 0), (kennel.dog, 8, 2, 1),
    ]
    for (column, addresses, lists, dictionaries) in expected {
      let after = try kennel.graph.after { try $0.removeColumn(column, of: kennel.persons) }
      #expect(after[kennel.addresses]?.count == addresses)
      #expect(after[.nestedLists]?.count == lists && after[.nestedDictionaries]?.count == dictionaries)
      #expect(after.linkCount(to: rex, from: kennel.addresses, kennel.pet) == (column == kennel.homes ? 0 : 2))
    }
  }

  @Test func theLinksOfAColumnLeaveNothingBehind() throws {
    let kennel = try Kennel(rule: .deny)
    let t = kennel.transaction
    let (ann, rex) = (try kennel.person(), try kennel.newDog())
    let link = Value.link(rex)
    for column in [kennel.dog, kennel.any] { try t.set(link, kennel.cell(ann, column)) }
    for column in [kennel.dogList, kennel.anyList] {
      try t.insert(contentsOf: [link, link], at: 0, inList: kennel.cell(ann, column))
    }
    for column in [kennel.pack, kennel.anySet] { try t.insert(link, inSet: kennel.cell(ann, column)) }
    for column in [kennel.byName, kennel.anyMap] {
      try t.set(link, forKey: "a", inDictionary: kennel.cell(ann, column))
    }
    let linking = [
      kennel.dog, kennel.any, kennel.dogList, kennel.anyList, kennel.pack, kennel.anySet, kennel.byName, kennel.anyMap,
    ]
    for column in linking {
      let after = try kennel.graph.after { try $0.removeColumn(column, of: kennel.persons) }
      #expect(after.contains(rex), "no row is deleted, so no rule is asked")
      for other in linking {
        let count = other == column ? 0 : [kennel.dogList, kennel.anyList].contains(other) ? 2 : 1
        #expect(after.linkCount(to: rex, from: kennel.persons, other) == count)
      }
    }
  }

  @Test func theDeleteRulesOfOwnedRowsAreAskedWhenTheirColumnGoes() throws {
    for rule in DeleteRule.allCases {
      let kennel = try Kennel(petRule: rule)
      let (ann, rex) = (try kennel.person(), try kennel.newDog())
      let home = try kennel.transaction.createOwned(
        in: kennel.addresses, by: kennel.cell(ann, kennel.home), .value)
      try kennel.transaction.set(.link(rex), Cell(kennel.addresses, home, kennel.pet))
      if rule == .deny {
        kennel.transaction.expectRefusal(.deleteDenied, table: "Address", column: "pet", key: home) {
          try kennel.transaction.removeColumn(kennel.home, of: kennel.persons)
        }
      } else {
        let after = try kennel.graph.after { try $0.removeColumn(kennel.home, of: kennel.persons) }
        #expect(after.contains(rex) == (rule == .nullify) && after[kennel.addresses]?.count == 0)
      }
    }
  }

  @Test func indexesAndThePrimaryKeyGoWithTheirColumn() throws {
    let transaction = Transaction(.empty)
    let dogs = try transaction.addTable("Dog")
    let (a, b, c) = (
      try transaction.addColumn(to: dogs, "a", ColumnType(.int)),
      try transaction.addColumn(to: dogs, "b", ColumnType(.int)),
      try transaction.addColumn(to: dogs, "c", ColumnType(.string))
    )
    try transaction.setPrimaryKey(a, of: dogs)
    let indexes = [[a], [b, a], [b], [c, b], [c]].map { IndexDefinition($0, isUnique: $0 == [a]) }
    for index in indexes { try transaction.addIndex(index, to: dogs) }
    for number in 0..<3 {
      try transaction.create(in: dogs, primaryKey: .int(Int64(number))) { try $0.set(Int64(9 - number), b) }
    }
    for column in [a, b, c] {
      let after = try transaction.graph.after { try $0.removeColumn(column, of: dogs) }
      let table = try #require(after[dogs])
      #expect(table.schema.indexes == indexes.filter { !$0.columns.contains(column) })
      #expect(table.schema.primaryKey == (column == a ? nil : a))
      #expect(table.find(primaryKey: .int(1)) == (column == a ? nil : ObjectKey(1)))
    }
  }

  // MARK: Renaming, delete rules, and missing columns

  @Test func aColumnThatIsRenamedKeepsItsKeyAndItsCells() throws {
    let kennel = try Kennel()
    let rex = try kennel.newDog()
    try kennel.transaction.addIndex(IndexDefinition([kennel.dogName]), to: kennel.dogs)
    let after = try kennel.graph.after { try $0.renameColumn(kennel.dogName, of: kennel.dogs, to: "title") }
    let schema = try #require(after[kennel.dogs]?.schema)
    #expect(schema.column(named: "title")?.key == kennel.dogName && schema.column(named: "name") == nil)
    #expect(after.value(Cell(kennel.dogs, rex.key, kennel.dogName)) == .string("Rex"))
    let t = kennel.transaction
    for name in ["age", ""] {
      t.expectRefusal(.invalidSchema, table: "Dog") { try t.renameColumn(kennel.dogName, of: kennel.dogs, to: name) }
    }
  }

  @Test func aNewDeleteRuleHoldsForRowsThatAreThere() throws {
    let kennel = try Kennel()
    let t = kennel.transaction
    let (ann, rex) = (try kennel.person(), try kennel.newDog())
    try t.set(.link(rex), kennel.cell(ann, kennel.dog))
    for rule in [DeleteRule.cascade, .deny, .nullify] {
      let after = try kennel.graph.after { try $0.setDeleteRule(rule, ofColumn: kennel.dog, of: kennel.persons) }
      let deleting = Transaction(after)
      if rule == .deny {
        deleting.expectRefusal(.deleteDenied, table: "Person", column: "dog", key: ann) {
          try deleting.delete(ObjectLink(kennel.persons, ann))
        }
      } else {
        try deleting.delete(ObjectLink(kennel.persons, ann))
        #expect(deleting.contains(rex) == (rule == .nullify))
      }
    }
    for column in [kennel.name, kennel.any, kennel.home] {
      t.expectRefusal(.invalidSchema, table: "Person", saying: "delete rule") {
        try t.setDeleteRule(.cascade, ofColumn: column, of: kennel.persons)
      }
    }
  }

  @Test func aColumnThatIsNotThereCannotBeChanged() throws {
    let kennel = try Kennel()
    let t = kennel.transaction
    for column in [ColumnKey(rawValue: 99), ColumnKey(rawValue: .max)] {
      let changes: [() throws -> Void] = [
        { try t.removeColumn(column, of: kennel.dogs) },
        { try t.moveCells(from: column, to: kennel.age, of: kennel.dogs) },
      ]
      for change in changes { t.expectRefusal(.missingObject, table: "Dog", saying: "\(column)", of: change) }
    }
  }
}
