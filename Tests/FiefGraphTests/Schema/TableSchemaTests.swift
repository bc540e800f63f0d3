import FiefGraph
import FiefTestSupport
import Testing

/// The queries of a table schema.
struct TableSchemaTests {
  let graph: Graph
  let dogs: TableKey
  let columns: [ColumnKey]

  init() throws {
    let transaction = Transaction(.empty)
    dogs = try transaction.addTable("Dog")
    let first = try transaction.addColumn(to: dogs, "name", ColumnType(.string))
    let gone = try transaction.addColumn(to: dogs, "gone", ColumnType(.string))
    let second = try transaction.addColumn(to: dogs, "age", ColumnType(.int))
    try transaction.removeColumn(gone, of: dogs)
    columns = [first, gone, second]
    graph = transaction.graph
  }

  @Test func aColumnIsFoundByItsKeyAndByItsName() throws {
    let schema = try #require(graph[dogs]?.schema)
    #expect(schema.column(columns[2])?.name == "age")
    #expect(schema.column(named: "age")?.key == columns[2])
    #expect(schema.column(named: "Age") == nil && schema.column(named: "") == nil)
  }

  @Test func leavesAreCountedWithoutTheColumnsThatWent() throws {
    let schema = try #require(graph[dogs]?.schema)
    #expect(schema.leaf(of: columns[0]) == 0)
    #expect(schema.leaf(of: columns[1]) == nil)
    #expect(schema.leaf(of: columns[2]) == 1)
    #expect(schema.leaf(of: ColumnKey(rawValue: 3)) == nil)
    #expect(schema.leaf(of: ColumnKey(rawValue: .max)) == nil)
    #expect(schema.columns.map(\.name) == ["name", "age"])
    #expect(schema.nextColumn == 3)
  }

  @Test func tablesAreEqualWhenEveryFactIs() throws {
    let schema = try #require(graph[dogs]?.schema)
    let same = try graph.after { transaction in
      try transaction.renameTable(dogs, to: "Cat")
      try transaction.renameTable(dogs, to: "Dog")
    }
    #expect(same[dogs]?.schema == schema)
    let changes: [(Transaction) throws -> Void] = [
      { try $0.renameTable(dogs, to: "Cat") },
      { try $0.renameColumn(columns[0], of: dogs, to: "title") },
      { try $0.setPrimaryKey(columns[2], of: dogs) },
      { try $0.addIndex(IndexDefinition([columns[2]]), to: dogs) },
      { _ = try $0.setOptional(true, column: columns[2], of: dogs) },
      { try $0.addColumn(to: dogs, "more", ColumnType(.bool)) },
    ]
    for change in changes { #expect(try graph.after(change)[dogs]?.schema != schema) }
  }

  @Test func aSchemaFindsItsTables() throws {
    let schema = graph.schema
    #expect(schema.table(dogs)?.name == "Dog")
    #expect(schema.table(TableKey(rawValue: 77)) == nil)
    #expect(Schema(tables: [], nextTable: 0).table(dogs) == nil)
    for table in schema.tables { #expect(schema.table(table.key) == table) }
    #expect(graph.table(named: "Dog")?.schema.key == dogs)
    #expect(graph.table(named: "Cat") == nil)
    #expect(Graph.empty.schema == .empty)
  }
}
