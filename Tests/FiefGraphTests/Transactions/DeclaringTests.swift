import FiefGraph
import FiefValues
import Testing

/// Declaring many tables at once.
struct DeclaringTests {
  private func column(_ key: UInt32, _ name: String, _ type: ColumnType) -> Column {
    Column(key: ColumnKey(rawValue: key), name: name, type: type)
  }

  private func table(
    _ key: UInt32, _ name: String, _ columns: [Column], primaryKey: UInt32? = nil, indexes: [IndexDefinition] = []
  ) -> TableSchema {
    TableSchema(
      key: TableKey(rawValue: key), name: name, kind: .ordinary, columns: columns,
      primaryKey: primaryKey.map(ColumnKey.init), indexes: indexes, nextColumn: UInt32(columns.count))
  }

  /// A table of a number and a name, with rows for `numbers`.
  private func numbers(_ numbers: [Int64]) throws -> Transaction {
    let transaction = Transaction(.empty)
    try transaction.declare([table(2, "Number", [column(0, "number", ColumnType(.int))])])
    for number in numbers {
      let row = try transaction.create(in: TableKey(rawValue: 2))
      try transaction.set(.int(number), Cell(TableKey(rawValue: 2), row, ColumnKey(rawValue: 0)))
    }
    return transaction
  }

  @Test func tablesThatLinkToEachOtherComeTogether() throws {
    let transaction = Transaction(.empty)
    let (dog, person) = (TableKey(rawValue: 2), TableKey(rawValue: 3))
    try transaction.declare([
      table(3, "Person", [column(0, "dogs", .link(to: dog, shape: .list))]),
      table(2, "Dog", [column(0, "owner", .link(to: person)), column(1, "name", ColumnType(.string))], primaryKey: 1),
    ])
    #expect(transaction.graph.checkInvariants() == [] && transaction.graph.schema.tables.count == 4)
    #expect(transaction.graph.schema.nextTable == 4)
  }

  @Test func presentTablesGetColumnsWidthsAndIndexesWithTheirRows() throws {
    let transaction = try numbers([5, 100, 5])
    let narrow = column(0, "number", ColumnType(.int, width: .bits8))
    let added = column(1, "name", ColumnType(.string, isOptional: true))
    try transaction.declare([table(2, "Digit", [narrow, added], indexes: [IndexDefinition([narrow.key])])])
    let graph = transaction.graph
    #expect(graph.checkInvariants() == [] && graph.table(named: "Digit")?.count == 3)
    #expect(
      try Delta(from: .empty, to: graph).isEmpty == false
        && Graph.empty.applying(Delta(from: .empty, to: graph)) == graph)
  }

  @Test func schemasThatRowsViolateAreRefusedWithoutAChange() throws {
    let transaction = try numbers([5, 300, 5])
    let before = transaction.graph
    let number = column(0, "number", ColumnType(.int))
    let other = table(3, "Other", [column(0, "number", ColumnType(.int))])
    func expectRefusal(_ code: GraphError.Code, _ saying: String, _ tables: [TableSchema]) {
      let error = #expect(throws: GraphError.self) { try transaction.declare(tables) }
      #expect(error?.code == code && error?.message.contains(saying) == true)
      #expect(transaction.graph == before && transaction.graph.checkInvariants() == [])
    }
    expectRefusal(.invalidSchema, "would go", [other, table(2, "Number", [])])
    expectRefusal(
      .invalidSchema, "hold something else", [table(2, "Number", [column(0, "number", ColumnType(.string))])])
    expectRefusal(
      .invalidSchema, "holds 300", [other, table(2, "Number", [column(0, "number", ColumnType(.int, width: .bits8))])])
    expectRefusal(.duplicatePrimaryKey, "5", [other, table(2, "Number", [number], primaryKey: 0)])
    expectRefusal(
      .uniqueConstraint, "once",
      [other, table(2, "Number", [number], indexes: [IndexDefinition([number.key], isUnique: true)])])
    expectRefusal(
      .uniqueConstraint, "once",
      [
        table(
          2, "Number", [number, column(1, "more", ColumnType(.int))],
          indexes: [IndexDefinition([ColumnKey(rawValue: 1)], isUnique: true)])
      ])
    expectRefusal(.invalidSchema, "Two tables", [table(3, "Number", [])])
    expectRefusal(
      .invalidSchema, "not in the schema", [table(3, "Other", [column(0, "link", .link(to: TableKey(rawValue: 9)))])])
    try transaction.declare([other])
    #expect(transaction.graph.schema.tables.count == 4)
  }

  @Test func keysOfWhatWasRemovedAreNotTakenAgain() throws {
    let transaction = try numbers([1])
    try transaction.declare([table(3, "Other", [])])
    try transaction.removeTable(TableKey(rawValue: 3))
    #expect(throws: GraphError.self) { try transaction.declare([table(3, "Other", [])]) }
    try transaction.removeColumn(ColumnKey(rawValue: 0), of: TableKey(rawValue: 2))
    #expect(throws: GraphError.self) {
      try transaction.declare([table(2, "Number", [column(0, "number", ColumnType(.int))])])
    }
  }
}
