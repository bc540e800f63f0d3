import FiefGraph
import FiefTestSupport
import Testing

/// `Schema.problems`: a test for every message. For most of them a transaction is given an unsound schema. Problems
/// that a transaction cannot cause come from schemas that are constructed directly.
struct SchemaProblemsTests {
  let transaction = Transaction(.empty)
  let dogs: TableKey
  let collars: TableKey
  let entries: TableKey
  let name: ColumnKey
  let owner: ColumnKey

  init() throws {
    dogs = try transaction.addTable("Dog")
    collars = try transaction.addTable("Collar", kind: .embedded)
    entries = try transaction.addTable("Entry", kind: .asymmetric)
    name = try transaction.addColumn(to: dogs, "name", ColumnType(.string))
    owner = try transaction.addColumn(to: dogs, "friend", .link(to: dogs))
  }

  private func expectRefused(
    _ message: String, table: String = "Dog", sourceLocation: SourceLocation = #_sourceLocation,
    _ operation: () throws -> Void
  ) {
    transaction.expectRefusal(
      .invalidSchema, table: table, saying: message, sourceLocation: sourceLocation, of: operation)
  }

  private func expectRefused(
    _ type: ColumnType, deleteRule: DeleteRule = .nullify, in table: TableKey? = nil, _ message: String,
    tableName: String = "Dog", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectRefused(message, table: tableName, sourceLocation: sourceLocation) {
      try transaction.addColumn(to: table ?? dogs, "new", type, deleteRule: deleteRule)
    }
  }

  // MARK: Tables

  @Test func aSoundSchemaHasNoProblems() throws {
    #expect(transaction.graph.schema.problems == [])
    #expect(Schema.empty.problems == [])
    #expect(try EveryColumn().graph.schema.problems == [])
  }

  @Test func keysBeyondAllColumnsAreAProblemAndTakeNoMemory() {
    let far = Column(key: ColumnKey(rawValue: .max - 1), name: "far", type: ColumnType(.int))
    let table = TableSchema(
      key: TableKey(rawValue: 2), name: "Far", kind: .ordinary, columns: [far], nextColumn: .max)
    #expect(table.leaf(of: far.key) == nil)
    let schema = Schema(tables: Schema.empty.tables + [table], nextTable: 3)
    #expect(schema.problems == ["'Far' has had too many columns."])
  }

  @Test func theTablesOfNestedCollectionsMustBeThere() {
    #expect(Schema(tables: [], nextTable: 2).problems == ["The tables of nested collections are missing."])
    let swapped = Schema(tables: Schema.empty.tables.reversed(), nextTable: 2)
    #expect(swapped.problems.contains("The tables of nested collections are missing."))
  }

  @Test func tablesStandInTheOrderOfTheirKeys() {
    let tables = transaction.graph.schema.tables
    let problems = Schema(tables: tables[..<2] + [tables[3], tables[2], tables[4]], nextTable: 5).problems
    #expect(problems.first == "'Dog' is out of order.")
  }

  @Test func aTableOfAKeyThatIsYetToBeGivenOutIsAProblem() {
    let problems = Schema(tables: transaction.graph.schema.tables, nextTable: 4).problems
    #expect(problems == ["'Entry' has a key that is yet to be given out."])
  }

  @Test func aTableNeedsAName() {
    expectRefused("A table has no name.", table: "") { _ = try transaction.addTable("") }
    expectRefused("A table has no name.", table: "") { try transaction.renameTable(dogs, to: "") }
  }

  @Test func twoTablesCannotHaveOneName() {
    expectRefused("Two tables are named 'Dog'.") { _ = try transaction.addTable("Dog") }
    expectRefused("Two tables are named 'Collar'.", table: "Collar") {
      try transaction.renameTable(dogs, to: "Collar")
    }
    expectRefused("Two tables are named 'any.list'.", table: "any.list") { _ = try transaction.addTable("any.list") }
  }

  // MARK: Columns

  @Test func aColumnNeedsAName() {
    expectRefused("A column of 'Dog' has no name.") { try transaction.addColumn(to: dogs, "", ColumnType(.int)) }
    expectRefused("A column of 'Dog' has no name.") { try transaction.renameColumn(name, of: dogs, to: "") }
  }

  @Test func twoColumnsCannotHaveOneName() {
    expectRefused("'Dog.name' is declared twice.") { try transaction.addColumn(to: dogs, "name", ColumnType(.int)) }
    expectRefused("'Dog.friend' is declared twice.") { try transaction.renameColumn(name, of: dogs, to: "friend") }
  }

  @Test func aLinkNeedsATargetInTheSchema() {
    expectRefused(ColumnType(.link), "'Dog.new' links to a table that is not in the schema.")
    expectRefused(
      .link(to: TableKey(rawValue: 99)), "'Dog.new' links to a table that is not in the schema.")
  }

  @Test func theLinksOfListsAndSetsCannotBeNull() {
    for shape in [ColumnShape.list, .set] {
      expectRefused(
        ColumnType(.link, shape: shape, isOptional: true, target: dogs),
        "'Dog.new': the links of a \(shape) cannot be null.")
    }
  }

  @Test func nothingLinksToTheInsideOfAnyValues() {
    expectRefused(.link(to: .nestedLists), "'Dog.new' links to the inside of any-values.")
  }

  @Test func nothingLinksToAsymmetricObjects() {
    expectRefused(.link(to: entries), "'Dog.new' links to 'Entry', whose objects cannot be linked to.")
  }

  @Test func anAsymmetricObjectLinksToEmbeddedObjectsOnly() throws {
    expectRefused(
      .link(to: dogs), in: entries, "'Entry.new': an asymmetric object can link to embedded objects only.",
      tableName: "Entry")
    try transaction.addColumn(to: entries, "collar", .link(to: collars))
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func aSetCannotHoldEmbeddedObjects() {
    expectRefused(.link(to: collars, shape: .set), "'Dog.new': a set cannot hold embedded objects.")
  }

  @Test func embeddedObjectsTakeNoDeleteRule() {
    for rule in [DeleteRule.cascade, .deny] {
      expectRefused(
        .link(to: collars), deleteRule: rule,
        "'Dog.new': embedded objects go with their owner and take no delete rule.")
    }
  }

  @Test func onlyLinksHaveATarget() {
    expectRefused(ColumnType(.int, target: dogs), "'Dog.new' has a link target, but is no link.")
  }

  @Test func onlyLinksHaveADeleteRule() {
    expectRefused(ColumnType(.any), deleteRule: .cascade, "'Dog.new' has a delete rule, but is no link.")
    expectRefused("'Dog.name' has a delete rule, but is no link.") {
      try transaction.setDeleteRule(.deny, ofColumn: name, of: dogs)
    }
  }

  @Test func anAnyValueIsNeverOptional() {
    expectRefused(ColumnType(.any, isOptional: true), "'Dog.new': an any-value is never optional, it can be null.")
  }

  @Test func onlyIntegersHaveAWidth() {
    expectRefused(ColumnType(.bool, width: .bits8), "'Dog.new' has a width, but is no integer.")
    expectRefused(ColumnType(.link, width: .bits32, target: dogs), "'Dog.new' has a width, but is no integer.")
  }

  // MARK: Primary keys and indexes

  @Test func aPrimaryKeyIsOfATypeThatCanNameRows() {
    expectRefused("'Dog.friend' is a link, which cannot be a primary key.") {
      try transaction.setPrimaryKey(owner, of: dogs)
    }
  }

  @Test func aPrimaryKeyIsAColumnOfItsTable() {
    expectRefused("'Dog' has a primary key that is none of its columns.") {
      try transaction.setPrimaryKey(ColumnKey(rawValue: 99), of: dogs)
    }
  }

  @Test func anEmbeddedObjectHasNoPrimaryKey() throws {
    let size = try transaction.addColumn(to: collars, "size", ColumnType(.int))
    expectRefused("'Collar' is embedded, and an embedded object cannot have a primary key.", table: "Collar") {
      try transaction.setPrimaryKey(size, of: collars)
    }
  }

  @Test func anIndexNeedsAColumn() {
    expectRefused("An index of 'Dog' has no column.") { try transaction.addIndex(IndexDefinition([]), to: dogs) }
  }

  @Test func anIndexNamesAColumnOnce() {
    expectRefused("An index of 'Dog' names a column twice.") {
      try transaction.addIndex(IndexDefinition([name, name]), to: dogs)
    }
  }

  @Test func anIndexIsThereOnce() throws {
    try transaction.addIndex(IndexDefinition([name]), to: dogs)
    expectRefused("'Dog' has the same index twice.") {
      try transaction.addIndex(IndexDefinition([name], isUnique: true), to: dogs)
    }
  }

  @Test func anIndexNamesColumnsOfItsTable() {
    expectRefused("An index of 'Dog' names a column that it does not have.") {
      try transaction.addIndex(IndexDefinition([ColumnKey(rawValue: 99)]), to: dogs)
    }
  }

  @Test func anIndexIsOverTypesThatHaveAnOrder() throws {
    expectRefused("'Dog.friend' is a link, which cannot be indexed.") {
      try transaction.addIndex(IndexDefinition([owner]), to: dogs)
    }
    let tags = try transaction.addColumn(to: dogs, "tags", ColumnType(.string, shape: .list))
    expectRefused("'Dog.tags' is a list of string, which cannot be indexed.") {
      try transaction.addIndex(IndexDefinition([name, tags]), to: dogs)
    }
  }
}
