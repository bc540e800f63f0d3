import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// Turning primary keys and indexes on and off in tables that have rows.
struct SchemaIndexesTests {
  let start: Graph
  let dogs: TableKey
  let id: ColumnKey
  let name: ColumnKey
  let age: ColumnKey

  init() throws {
    let transaction = Transaction(.empty)
    dogs = try transaction.addTable("Dog")
    id = try transaction.addColumn(to: dogs, "id", ColumnType(.string))
    name = try transaction.addColumn(to: dogs, "name", ColumnType(.string, isOptional: true))
    age = try transaction.addColumn(to: dogs, "age", ColumnType(.int, isOptional: true))
    for number in 0..<Int64(300) {
      try transaction.create(in: dogs) { [id, name, age] row in
        try row.set("id \(number)", id)
        try row.set(number % 10 == 0 ? nil : "name \(number % 5)", name)
        try row.set(number % 7 == 0 ? nil : number % 7, age)
      }
    }
    start = transaction.graph
  }

  @Test func aColumnBecomesThePrimaryKeyOfPresentRows() throws {
    let keyed = try start.after { try $0.setPrimaryKey(id, of: dogs) }
    #expect(keyed[dogs]?.find(primaryKey: .string("id 299")) == ObjectKey(299))
    let delta = Delta(from: start, to: keyed)
    #expect(delta.schema != nil && delta.tables.isEmpty, "primary keys follow from the rows")
    let plain = try keyed.after { try $0.setPrimaryKey(nil, of: dogs) }
    #expect(plain[dogs]?.find(primaryKey: .string("id 299")) == nil)
    #expect(plain == start)
  }

  @Test func thePrimaryKeyMovesToAnotherColumn() throws {
    let other = try start.after { transaction in
      let serial = try transaction.addColumn(to: dogs, "serial", ColumnType(.int))
      for row in 0..<Int64(300) { try transaction.set(row * 2, Cell(dogs, ObjectKey(row), serial)) }
      try transaction.setPrimaryKey(id, of: dogs)
      try transaction.setPrimaryKey(serial, of: dogs)
    }
    #expect(other[dogs]?.find(primaryKey: .int(598)) == ObjectKey(299))
    #expect(other[dogs]?.find(primaryKey: .string("id 299")) == nil)
  }

  @Test func settingThePrimaryKeyThatIsThereChangesNothing() throws {
    let keyed = try start.after { try $0.setPrimaryKey(id, of: dogs) }
    #expect(try keyed.after { try $0.setPrimaryKey(id, of: dogs) } == keyed)
    #expect(try start.after { try $0.setPrimaryKey(nil, of: dogs) } == start)
  }

  @Test func rowsThatRepeatAValueHaveNoPrimaryKeyInThatColumn() throws {
    let transaction = Transaction(start)
    transaction.expectRefusal(.duplicatePrimaryKey, table: "Dog", column: "age") {
      try transaction.setPrimaryKey(age, of: dogs)
    }
    try transaction.set("id 7", Cell(dogs, ObjectKey(8), id))
    transaction.expectRefusal(.duplicatePrimaryKey, table: "Dog", column: "id", saying: "'id 7'") {
      try transaction.setPrimaryKey(id, of: dogs)
    }
  }

  @Test func twoNullsAreARepetitionToAPrimaryKeyButOneIsAValue() throws {
    let transaction = Transaction(start)
    for row in 0..<Int64(300) { try transaction.set("n\(row)", Cell(dogs, ObjectKey(row), name)) }
    try transaction.set(nil as String?, Cell(dogs, ObjectKey(4), name))
    let one = transaction.savepoint()
    try transaction.setPrimaryKey(name, of: dogs)
    #expect(transaction.graph[dogs]?.find(primaryKey: .null) == ObjectKey(4))
    #expect(transaction.graph.checkInvariants() == [])
    transaction.restore(one)
    try transaction.set(nil as String?, Cell(dogs, ObjectKey(5), name))
    transaction.expectRefusal(.duplicatePrimaryKey, table: "Dog", column: "name", saying: "null") {
      try transaction.setPrimaryKey(name, of: dogs)
    }
  }

  @Test func anIndexIsFilledWithPresentRows() throws {
    let definitions = [
      IndexDefinition([name]), IndexDefinition([age, name]), IndexDefinition([id], isUnique: true),
      IndexDefinition([id, age], isUnique: true),
    ]
    let indexed = try start.after { transaction in
      for definition in definitions { try transaction.addIndex(definition, to: dogs) }
    }
    #expect(indexed[dogs]?.indexes.map(\.definition) == definitions)
    #expect(indexed[dogs]?.indexes.map(\.entries.count) == [300, 300, 300, 300])
    let after = try indexed.after { try $0.removeIndex(over: [age, name], of: dogs) }
    #expect(after[dogs]?.schema.indexes == [definitions[0], definitions[2], definitions[3]])
    #expect(Delta(from: start, to: indexed).tables.isEmpty, "indexes follow from the rows")
  }

  @Test func aUniqueIndexIsRefusedWhileTwoRowsHaveItsValues() throws {
    let transaction = Transaction(start)
    transaction.expectRefusal(.uniqueConstraint, table: "Dog", column: "age", key: ObjectKey(8), saying: "object #1") {
      try transaction.addIndex(IndexDefinition([age], isUnique: true), to: dogs)
    }
    transaction.expectRefusal(
      .uniqueConstraint, table: "Dog", column: "name, age", key: ObjectKey(85), saying: "object #15"
    ) { try transaction.addIndex(IndexDefinition([name, age], isUnique: true), to: dogs) }
  }

  @Test func aUniqueIndexOverlooksRowsWithANull() throws {
    let transaction = Transaction(start)
    for row in 0..<Int64(300) where row % 7 != 0 { try transaction.set(row, Cell(dogs, ObjectKey(row), age)) }
    try transaction.addIndex(IndexDefinition([age], isUnique: true), to: dogs)
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func anIndexThatIsNotThereIsNotRemoved() throws {
    let transaction = Transaction(start)
    try transaction.addIndex(IndexDefinition([name, age]), to: dogs)
    for columns in [[name], [age, name], [], [ColumnKey(rawValue: 99)]] {
      transaction.expectRefusal(.invalidSchema, table: "Dog", saying: "no index") {
        try transaction.removeIndex(over: columns, of: dogs)
      }
    }
  }

  @Test func indexesThatComeAndGoWithOtherColumnsStayExact() throws {
    let indexed = try start.after { transaction in
      try transaction.addIndex(IndexDefinition([age]), to: dogs)
      try transaction.setPrimaryKey(id, of: dogs)
    }
    // The leaves move, and the index entries with them.
    let after = try indexed.after { transaction in
      try transaction.removeColumn(name, of: dogs)
      try transaction.addColumn(to: dogs, "more", ColumnType(.int), value: .int(9))
      try transaction.set(100 as Int64, Cell(dogs, ObjectKey(3), age))
      try transaction.set("other", Cell(dogs, ObjectKey(3), id))
      try transaction.delete(ObjectLink(dogs, ObjectKey(4)))
      try transaction.create(in: dogs, primaryKey: .string("new")) { try $0.set(-5 as Int64, age) }
    }
    #expect(after[dogs]?.indexes[0].entries.last?.first == .int(100))
    #expect(after[dogs]?.find(primaryKey: .string("new")) == ObjectKey(300))
  }
}
