import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// What a delta says of every kind of change, word for word.
struct DeltaTests {
  let house: Household
  let start: Graph

  init() throws {
    house = try Household()
    start = house.graph
  }

  /// The delta of a change, as text: table by table, deleted, inserted and updated rows.
  func said(sourceLocation: SourceLocation = #_sourceLocation, _ change: (Transaction) throws -> Void) throws
    -> [String]
  {
    let after = try start.after(sourceLocation: sourceLocation, change)
    return describe(Delta(from: start, to: after), after)
  }

  func describe(_ delta: Delta, _ graph: Graph) -> [String] {
    var lines: [String] = []
    if delta.schema != nil { lines.append("schema") }
    for table in delta.tables {
      guard let rows = graph[table.table] else { continue }
      let name = rows.schema.name
      if table.nextKey != start[table.table]?.nextKey ?? 0 { lines.append("\(name) next \(table.nextKey)") }
      for deleted in table.deleted {
        deleted.rows.forEach { lines.append("\(name) - #\(ObjectKey(chunk: deleted.chunk, bit: $0).rawValue)") }
      }
      for inserted in table.inserted {
        inserted.rows.live.forEach { lines.append("\(name) + #\(ObjectKey(chunk: inserted.chunk, bit: $0).rawValue)") }
      }
      for column in table.updated {
        for (key, change) in column.cells {
          let path = "\(name)\(key).\(rows.schema.column(column.column)?.name ?? "?")"
          lines.append("\(path) \(text(change))")
        }
      }
    }
    return lines
  }

  func text(_ change: CellChange) -> String {
    switch change {
    case .value(let value): "= \(value)"
    case .list(let splices): splices.map { "\($0.range) > \($0.values)" }.joined(separator: ", ")
    case .set(let removed, let inserted): "- \(removed) + \(inserted)"
    case .dictionary(let removed, let set):
      "- \(removed.sorted()) + [\(set.map { "\($0.key): \($0.value)" }.joined(separator: ", "))]"
    }
  }

  @Test func ofNothingIsEmpty() throws {
    for graph in [Graph.empty, start] {
      let delta = Delta(from: graph, to: graph)
      #expect(delta.isEmpty && delta.schema == nil && delta.tables.isEmpty)
      #expect(try graph.applying(delta) == graph)
    }
    #expect(Delta().isEmpty)
    // Nor is anything said when what was done was undone by hand.
    let said = try said { transaction in
      try transaction.set("x", house.cell("Person.name", 0))
      try transaction.set("person 0", house.cell("Person.name", 0))
      try transaction.append(.int(9), toList: house.cell("Person.numbers", 1))
      try transaction.remove(at: 0, fromList: house.cell("Person.numbers", 1))
    }
    #expect(said == [])
  }

  @Test func ofACellIsItsNewValue() throws {
    #expect(try said { try $0.set("x", house.cell("Person.name", 2)) } == ["Person#2.name = 'x'"])
    #expect(try said { try $0.set(.null, house.cell("Person.age", 0)) } == ["Person#0.age = null"])
    #expect(try said { try $0.set(1 as Int64, house.cell("Person.age", 1)) } == ["Person#1.age = 1"])
    #expect(try said { try $0.set(99 as Int64, house.cell("Dog.id", 1)) } == ["Dog#1.id = 99"])
    #expect(try said { try $0.set(nil as Int64?, house.cell("Dog.chip", 1)) } == ["Dog#1.chip = null"])
  }

  @Test func ofACellThatWasSetAMillionTimesIsOneEntry() throws {
    let said = try said { transaction in
      for value in 0..<Int64(1000) { try transaction.set(value % 100, house.cell("Person.age", 2)) }
    }
    #expect(said == ["Person#2.age = 99"])
  }

  @Test func ofTheSameNumberWithOtherBitsIsAChange() throws {
    let said = try said { transaction in
      try transaction.set(.double(0.0), house.cell("Person.anything", 1))
      try transaction.set(.double(-0.0), house.cell("Person.anything", 1))
    }
    #expect(said == ["Person#1.anything = -0.0"])
  }

  @Test func ofALinkIsItsNewTargetAndNothingAboutBacklinks() throws {
    let dog = house.table("Dog")
    #expect(
      try said { try $0.set(house.link("Dog", 3), house.cell("Person.pet", 0)) } == ["Person#0.pet = \(dog)#3"])
  }

  @Test func ofAListIsTheRangesThatDiffer() throws {
    let numbers = house.cell("Person.numbers", 0)
    #expect(try said { try $0.append(.int(9), toList: numbers) } == ["Person#0.numbers 5..<5 > [9]"])
    #expect(try said { try $0.remove(at: 2, fromList: numbers) } == ["Person#0.numbers 2..<3 > []"])
    #expect(try said { try $0.replace(at: 2, with: .int(7), inList: numbers) } == ["Person#0.numbers 2..<3 > [7]"])
    #expect(try said { try $0.removeAll(from: numbers) } == ["Person#0.numbers 0..<5 > []"])
    let both = try said { transaction in
      try transaction.remove(at: 4, fromList: numbers)
      try transaction.insert(.int(-1), at: 0, inList: numbers)
    }
    #expect(both == ["Person#0.numbers 0..<0 > [-1], 4..<5 > []"])
    #expect(
      try said { try $0.append(.int(1), toList: house.cell("Person.numbers", 3)) } == ["Person#3.numbers 0..<0 > [1]"])
  }

  @Test func ofASetIsWhatLeftAndWhatCame() throws {
    let tags = house.cell("Person.tags", 0)
    let said = try said { transaction in
      try transaction.remove(.string("a"), fromSet: tags)
      try transaction.insert(.string("c"), inSet: tags)
    }
    #expect(said == ["Person#0.tags - ['a'] + ['c']"])
  }

  @Test func ofADictionaryIsTheKeysThatLeftAndTheEntriesThatCameOrChanged() throws {
    let notes = house.cell("Person.notes", 0)
    let said = try said { transaction in
      try transaction.remove(key: "z", fromDictionary: notes)
      try transaction.set(.string("m"), forKey: "k", inDictionary: notes)
      try transaction.set(.null, forKey: "a", inDictionary: notes)
    }
    #expect(said == ["Person#0.notes - [\"z\"] + [a: null, k: 'm']"])
  }

  @Test func ofANewRowIsTheRowAndTheNextKey() throws {
    let said = try said { try $0.create(in: house.table("Person")) }
    #expect(said == ["Person next 5", "Person + #4"])
  }

  @Test func ofARowThatCameAndWentIsTheNextKeyAlone() throws {
    let said = try said { transaction in
      let key = try transaction.create(in: house.table("Person"))
      try transaction.delete(ObjectLink(house.table("Person"), key))
    }
    #expect(said == ["Person next 5"])
  }

  @Test func ofARowThatWentIsTheRowAndTheCellsThatForgotIt() throws {
    let said = try said { try $0.delete(ObjectLink(house.table("Dog"), ObjectKey(1))) }
    #expect(
      said == [
        "Person#0.pets 1..<2 > []", "Person#0.friends - [\(house.table("Dog"))#1] + []",
        "Person#0.team - [] + [first: null]", "Dog - #1",
      ])
  }

  @Test func ofAnOwnerThatWentIsAlsoWhatItOwned() throws {
    let said = try said { try $0.delete(ObjectLink(house.table("Person"), ObjectKey(0))) }
    #expect(said == ["any.list - #0", "Person - #0", "Address - #0", "Address - #1", "Address - #2"])
  }

  @Test func ofAnEmbeddedObjectIsItsRowAndItsOwnersCell() throws {
    let said = try said { transaction in
      try transaction.createOwned(in: house.table("Address"), by: house.cell("Person.home", 1), .value)
    }
    let address = house.table("Address")
    #expect(said == ["Person#1.home = \(address)#4", "Address next 5", "Address - #3", "Address + #4"])
  }

  @Test func ofANestedCollectionIsARowOfItsOwn() throws {
    let said = try said { transaction in
      let cell = house.cell("Person.anything", 1)
      let key = try transaction.createOwned(in: .nestedDictionaries, by: cell, .value)
      try transaction.set(.int(1), forKey: "one", inDictionary: Cell(.nestedDictionaries, key, .nestedElements))
    }
    #expect(said == ["any.dictionary next 1", "any.dictionary + #0", "Person#1.anything = table 1#0"])
  }

  @Test func ofFactsIsTheSchemaAlone() throws {
    #expect(try said { try $0.renameTable(house.table("Person"), to: "Human") } == ["schema"])
    #expect(
      try said { try $0.renameColumn(house.column("Dog.name"), of: house.table("Dog"), to: "call") } == ["schema"])
    #expect(try said { try $0.setPrimaryKey(nil, of: house.table("Dog")) } == ["schema"])
    #expect(
      try said { try $0.addIndex(IndexDefinition([house.column("Person.name")]), to: house.table("Person")) } == [
        "schema"
      ])
    #expect(try said { try $0.removeColumn(house.column("Person.numbers"), of: house.table("Person")) } == ["schema"])
    #expect(try said { try $0.addColumn(to: house.table("Person"), "new", ColumnType(.int)) } == ["schema"])
  }

  @Test func ofANewColumnIsTheSchemaAndTheCellsThatAreNotZero() throws {
    let said = try said { transaction in
      let column = try transaction.addColumn(to: house.table("Person"), "new", ColumnType(.int))
      try transaction.set(5 as Int64, Cell(house.table("Person"), ObjectKey(2), column))
    }
    #expect(said == ["schema", "Person#2.new = 5"])
  }

  @Test func ofANewTableIsTheSchemaAndItsRows() throws {
    let said = try said { transaction in
      let cats = try transaction.addTable("Cat")
      try transaction.create(in: cats)
    }
    #expect(said == ["schema", "Cat next 1", "Cat + #0"])
  }

  @Test func ofATableThatWentIsTheSchemaAndTheCellsThatForgotIt() throws {
    let said = try said { transaction in
      try transaction.set(.link(ObjectLink(house.table("Person"), ObjectKey(1))), house.cell("Person.anything", 2))
      try transaction.removeTable(house.table("Log"))
    }
    #expect(said == ["schema", "Person#2.anything = \(house.table("Person"))#1"])
  }

  @Test func fromNothingIsASnapshotWhoseClustersAreTheGraphsOwn() throws {
    let delta = Delta(from: .empty, to: start)
    #expect(delta.schema == start.schema)
    for table in delta.tables {
      #expect(table.deleted.isEmpty && table.updated.isEmpty && table.nextKey == start[table.table]?.nextKey)
      for inserted in table.inserted { #expect(inserted.rows === start[table.table]?.rows[inserted.chunk]) }
    }
    let read = try Graph.empty.applying(delta)
    #expect(read == start && read.checkInvariants() == [])
    for table in delta.tables {
      for inserted in table.inserted { #expect(inserted.rows === read[table.table]?.rows[inserted.chunk]) }
    }
  }

  @Test func toNothingTakesEverythingAway() throws {
    let delta = Delta(from: start, to: .empty)
    #expect(delta.schema == .empty)
    #expect(try start.applying(delta) == .empty)
  }

  @Test func aDeltaDoesNotChangeWithTheGraphThatItWasAppliedTo() throws {
    let delta = Delta(from: .empty, to: start)
    let transaction = Transaction(try Graph.empty.applying(delta))
    try transaction.set("changed", house.cell("Person.name", 0))
    try transaction.append(.int(77), toList: house.cell("Person.numbers", 0))
    #expect(try Graph.empty.applying(delta) == start)
    #expect(start.checkInvariants() == [])
  }

  @Test func aDeltaOnAWorkingCopyIsOneMoreOperation() throws {
    let after = try start.after { try $0.set("x", house.cell("Person.name", 0)) }
    let transaction = Transaction(start)
    try transaction.set(5 as Int64, house.cell("Person.age", 2))
    try transaction.apply(Delta(from: start, to: after))
    try transaction.set(6 as Int64, house.cell("Person.age", 3))
    #expect(transaction.value(house.cell("Person.name", 0)) == .string("x"))
    #expect(transaction.value(house.cell("Person.age", 2)) == .int(5))
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func oneChangeInALargeTableIsFoundOnAShortPath() throws {
    #if DEBUG
      let rows: Int64 = 100_000
    #else
      let rows: Int64 = 1_000_000
    #endif
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let number = try transaction.addColumn(to: table, "number", ColumnType(.int))
    for value in 0..<rows { try transaction.create(in: table) { try $0.set(value, number) } }
    let before = transaction.graph
    try transaction.set(-1 as Int64, Cell(table, ObjectKey(rows / 2), number))
    let after = transaction.graph
    let delta = Delta(from: before, to: after)
    #expect(delta.tables.count == 1 && delta.tables.first?.updated.first?.cells.count == 1)
    // Three tables, one path of a few levels, one cluster and its leaf.
    #expect(delta.nodesVisited <= 12, "\(delta.nodesVisited)")
    #expect(Delta(from: after, to: after).nodesVisited <= 3)
  }
}
