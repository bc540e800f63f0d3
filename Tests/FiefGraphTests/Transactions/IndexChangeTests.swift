import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// Adding and removing property indexes and primary keys of tables with rows.
struct IndexChangeTests {
  let transaction = Transaction(.empty)
  let dogs: TableKey
  let name: ColumnKey
  let age: ColumnKey
  let chip: ColumnKey
  let anything: ColumnKey

  /// Rows #0 … #4, with a name, an age and a chip each.
  init() throws {
    dogs = try transaction.addTable("Dog")
    name = try transaction.addColumn(to: dogs, "name", ColumnType(.string))
    age = try transaction.addColumn(to: dogs, "age", ColumnType(.int, width: .bits8))
    chip = try transaction.addColumn(to: dogs, "chip", ColumnType(.uuid, isOptional: true))
    anything = try transaction.addColumn(to: dogs, "anything", ColumnType(.any))
    for (title, years) in [("Rex", 3), ("Ada", 5), ("Rex", 1), ("Bob", 3), ("ada", 5)] as [(String, Int64)] {
      try transaction.create(in: dogs) { row in
        try row.set(title, name)
        try row.set(years, age)
      }
    }
  }

  private func cell(_ row: Int64, _ column: ColumnKey) -> Cell { Cell(dogs, ObjectKey(row), column) }

  private func order(_ graph: Graph, _ index: Int = 0) -> [Int64] {
    graph[dogs]?.indexes[index].entries.map(\.key.rawValue) ?? []
  }

  // MARK: Indexes

  @Test func aNewIndexHoldsTheRowsThatAreThereInOrder() throws {
    let lines: [([ColumnKey], [Int64])] = [
      ([name], [1, 3, 0, 2, 4]), ([age], [2, 0, 3, 1, 4]), ([name, age], [1, 3, 2, 0, 4]),
      ([age, name], [2, 3, 0, 1, 4]), ([chip], [0, 1, 2, 3, 4]), ([chip, anything, age, name], [2, 3, 0, 1, 4]),
    ]
    for (columns, expected) in lines {
      let after = try transaction.graph.after { try $0.addIndex(IndexDefinition(columns), to: dogs) }
      #expect(order(after) == expected, "\(columns)")
      #expect(after[dogs]?.schema.indexes == [IndexDefinition(columns)])
    }
  }

  @Test func anIndexIsAddedAndRemovedAmongOthers() throws {
    let (first, second, third) = (IndexDefinition([name]), IndexDefinition([age, name]), IndexDefinition([age]))
    let before = transaction.graph
    for index in [first, second, third] { try transaction.addIndex(index, to: dogs) }
    let after = try transaction.graph.after { try $0.removeIndex(over: [age, name], of: dogs) }
    #expect(after[dogs]?.schema.indexes == [first, third])
    #expect(order(after, 1) == [2, 0, 3, 1, 4])
    for index in [third, first, second] { try transaction.removeIndex(over: index.columns, of: dogs) }
    #expect(transaction.graph == before)
  }

  @Test func anIndexThatIsNotThereCannotBeRemoved() throws {
    try transaction.addIndex(IndexDefinition([name, age]), to: dogs)
    for columns in [[name], [age], [age, name], [], [ColumnKey(rawValue: 99)]] {
      transaction.expectRefusal(.invalidSchema, table: "Dog", saying: "no index") {
        try transaction.removeIndex(over: columns, of: dogs)
      }
    }
  }

  @Test func aUniqueIndexIsRefusedWhileRowsRepeatItsValues() throws {
    transaction.expectRefusal(.uniqueConstraint, table: "Dog", column: "name", key: ObjectKey(2), saying: "object #0") {
      try transaction.addIndex(IndexDefinition([name], isUnique: true), to: dogs)
    }
    transaction.expectRefusal(.uniqueConstraint, table: "Dog", column: "age", key: ObjectKey(3)) {
      try transaction.addIndex(IndexDefinition([age], isUnique: true), to: dogs)
    }
    // The combinations are unique until the last of them repeats one.
    let after = try transaction.graph.after { try $0.addIndex(IndexDefinition([name, age], isUnique: true), to: dogs) }
    #expect(order(after) == [1, 3, 2, 0, 4])
    try transaction.set(3 as Int64, cell(2, age))
    transaction.expectRefusal(.uniqueConstraint, table: "Dog", column: "age, name", key: ObjectKey(2)) {
      try transaction.addIndex(IndexDefinition([age, name], isUnique: true), to: dogs)
    }
    try transaction.delete(ObjectLink(dogs, ObjectKey(0)))
    try transaction.graph.after { try $0.addIndex(IndexDefinition([name], isUnique: true), to: dogs) }
  }

  @Test func rowsWithANullAreFreeOfAUniqueIndex() throws {
    try transaction.graph.after { try $0.addIndex(IndexDefinition([chip], isUnique: true), to: dogs) }
    try transaction.graph.after { try $0.addIndex(IndexDefinition([age, chip], isUnique: true), to: dogs) }
    try transaction.graph.after { try $0.addIndex(IndexDefinition([anything, name], isUnique: true), to: dogs) }
    let id = SampleValues.uuid("00000000-0000-0000-0000-000000000001")
    for row in [0, 3] as [Int64] { try transaction.set(id, cell(row, chip)) }
    transaction.expectRefusal(.uniqueConstraint, table: "Dog", column: "chip", key: ObjectKey(3)) {
      try transaction.addIndex(IndexDefinition([chip], isUnique: true), to: dogs)
    }
    transaction.expectRefusal(.uniqueConstraint, table: "Dog", column: "age, chip", key: ObjectKey(3)) {
      try transaction.addIndex(IndexDefinition([age, chip], isUnique: true), to: dogs)
    }
  }

  @Test func numbersOfOneValueRepeatEachOtherAmongAnyValues() throws {
    try transaction.set(.int(1), cell(0, anything))
    try transaction.set(.double(1), cell(1, anything))
    transaction.expectRefusal(.uniqueConstraint, table: "Dog", column: "anything", key: ObjectKey(1)) {
      try transaction.addIndex(IndexDefinition([anything], isUnique: true), to: dogs)
    }
    try transaction.set(.string("1"), cell(1, anything))
    try transaction.graph.after { try $0.addIndex(IndexDefinition([anything], isUnique: true), to: dogs) }
  }

  @Test func aUniqueIndexThatIsNewGuardsAndOneThatWentDoesNot() throws {
    try transaction.set("Max", cell(2, name))
    try transaction.addIndex(IndexDefinition([name], isUnique: true), to: dogs)
    transaction.expectRefusal(.uniqueConstraint, table: "Dog", column: "name", key: ObjectKey(3)) {
      try transaction.set("Rex", cell(3, name))
    }
    try transaction.removeIndex(over: [name], of: dogs)
    try transaction.graph.after { try $0.set("Rex", cell(3, name)) }
  }

  // MARK: Primary keys

  @Test func rowsAreFoundByANewPrimaryKey() throws {
    try transaction.set("Max", cell(2, name))
    let after = try transaction.graph.after { try $0.setPrimaryKey(name, of: dogs) }
    let table = try #require(after[dogs])
    for (row, title) in ["Rex", "Ada", "Max", "Bob", "ada"].enumerated() {
      #expect(table.find(primaryKey: .string(title)) == ObjectKey(Int64(row)))
    }
    #expect(table.find(primaryKey: .string("Tom")) == nil && table.find(primaryKey: .int(3)) == nil)
    let keyed = Transaction(after)
    keyed.expectRefusal(.duplicatePrimaryKey, table: "Dog", column: "name") {
      try keyed.create(in: dogs, primaryKey: .string("Bob"))
    }
    let bare = try after.after { try $0.setPrimaryKey(nil, of: dogs) }
    #expect(bare == transaction.graph && bare[dogs]?.find(primaryKey: .string("Rex")) == nil)
  }

  @Test func aPrimaryKeyIsRefusedWhileRowsShareIt() throws {
    transaction.expectRefusal(.duplicatePrimaryKey, table: "Dog", column: "name", saying: "Rex") {
      try transaction.setPrimaryKey(name, of: dogs)
    }
    transaction.expectRefusal(.duplicatePrimaryKey, table: "Dog", column: "age") {
      try transaction.setPrimaryKey(age, of: dogs)
    }
    // Null counts as a value of a primary key: one row may have it.
    transaction.expectRefusal(.duplicatePrimaryKey, table: "Dog", column: "chip") {
      try transaction.setPrimaryKey(chip, of: dogs)
    }
    for row in 1..<Int64(5) {
      try transaction.set(SampleValues.uuid("00000000-0000-0000-0000-00000000000\(row)"), cell(row, chip))
    }
    let after = try transaction.graph.after { try $0.setPrimaryKey(chip, of: dogs) }
    #expect(after[dogs]?.find(primaryKey: .null) == ObjectKey(0))
  }

  @Test func textThatLooksTheSameIsNotTheSameName() throws {
    try transaction.set("e\u{301}", cell(0, name))
    try transaction.set("\u{E9}", cell(2, name))
    let after = try transaction.graph.after { transaction in
      try transaction.addIndex(IndexDefinition([name], isUnique: true), to: dogs)
      try transaction.setPrimaryKey(name, of: dogs)
    }
    #expect(after[dogs]?.find(primaryKey: .string("e\u{301}")) == ObjectKey(0))
    #expect(after[dogs]?.find(primaryKey: .string("\u{E9}")) == ObjectKey(2))
  }

  @Test func aTableChangesItsPrimaryKeyForAnother() throws {
    try transaction.set("Max", cell(2, name))
    let number = try transaction.addColumn(to: dogs, "number", ColumnType(.int))
    for row in 0..<Int64(5) { try transaction.set(row * 10, cell(row, number)) }
    try transaction.setPrimaryKey(name, of: dogs)
    let after = try transaction.graph.after { try $0.setPrimaryKey(number, of: dogs) }
    #expect(after[dogs]?.find(primaryKey: .int(30)) == ObjectKey(3))
    #expect(after[dogs]?.find(primaryKey: .string("Max")) == nil)
    let before = transaction.graph
    try transaction.setPrimaryKey(name, of: dogs)
    #expect(transaction.graph == before)
    transaction.expectRefusal(.duplicatePrimaryKey, table: "Dog", column: "age") {
      try transaction.setPrimaryKey(age, of: dogs)
    }
  }

  /// When the delta is applied, the rows get the values of the column and the primary key over it at once.
  @Test func aColumnThatIsNewBecomesThePrimaryKeyOfManyRows() throws {
    for _ in 0..<5_000 { try transaction.create(in: dogs) }
    let before = transaction.graph
    let number = try transaction.addColumn(to: dogs, "number", ColumnType(.int))
    for row in 0..<Int64(5_005) { try transaction.set(-row, cell(row, number)) }
    try transaction.addIndex(IndexDefinition([number], isUnique: true), to: dogs)
    try transaction.setPrimaryKey(number, of: dogs)
    let after = try before.applying(Delta(from: before, to: transaction.graph))
    #expect(after == transaction.graph && after.checkInvariants() == [])
    #expect(after[dogs]?.find(primaryKey: .int(-5_004)) == ObjectKey(5_004))
    #expect(order(after) == (0..<5_005).reversed())
    #expect(try after.applying(Delta(from: after, to: before)) == before)
  }
}
