import FiefGraph
import FiefTestSupport
import Testing

/// Deltas whose schema is unsound, or does not fit the existing rows.
struct HostileSchemaTests {
  let stage: DeltaStage
  let graph: Graph

  init() throws {
    stage = try DeltaStage()
    graph = stage.graph
  }

  private func expectRefusals(
    _ schemas: KeyValuePairs<String, Schema>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withEvery("damage", in: schemas.map(\.key)) { name in
      let delta = Delta(schema: try #require(schemas.first { $0.key == name }?.value))
      let transaction = Transaction(graph)
      expectRefusal(.invalidDelta, transaction, sourceLocation: sourceLocation) { try transaction.apply(delta) }
      #expect(transaction.graph == graph, sourceLocation: sourceLocation)
    }
  }

  /// The schema after a change to a graph without rows. The change could not be made to this graph.
  private func schema(_ change: (Transaction) throws -> Void) throws -> Schema {
    let transaction = Transaction(try DeltaStage(emptyWith: .ordinary).graph)
    try change(transaction)
    return transaction.graph.schema
  }

  private func schema(next: UInt32? = nil, _ change: (inout [TableSchema]) -> Void) -> Schema {
    var tables = graph.schema.tables
    change(&tables)
    return Schema(tables: tables, nextTable: next ?? graph.schema.nextTable)
  }

  @Test func schemasWithProblems() throws {
    try expectRefusals([
      "no tables": Schema(tables: [], nextTable: 0),
      "without nested lists": schema { $0.removeFirst() },
      "a table twice": schema { $0.append($0[5]) },
      "out of order": schema { $0.swapAt(4, 5) },
      "a key that is yet to be given out": schema(next: 5) { _ in },
      "more tables than there can be": schema(next: .max) { _ in },
      "a link to a table that is gone": schema { tables in
        tables.removeAll { $0.key == stage.kennel.dogs }
      },
    ])
  }

  @Test func schemasThatTheRowsDoNotBear() throws {
    let (rows, small) = (stage.rows, stage.small)
    try expectRefusals([
      "narrower than a value": try schema {
        try $0.retype(small, of: rows, to: ColumnType(.int, width: .bits8))
      },
      "required over null": try schema { try $0.setOptional(false, column: stage.text, of: rows) },
      "unique over repetitions": try schema {
        try $0.addIndex(IndexDefinition([stage.ratio], isUnique: true), to: rows)
      },
      "a primary key over repetitions": try schema { try $0.setPrimaryKey(stage.text, of: rows) },
      "embedded rows without owners": try DeltaStage(emptyWith: .embedded).graph.schema,
      "without a table that is linked to": schema { tables in tables.removeAll { $0.key == stage.keyed } },
    ])
    // A unique index over values without repetitions is accepted.
    let unique = try schema { try $0.addIndex(IndexDefinition([small], isUnique: true), to: rows) }
    #expect(try graph.applying(Delta(schema: unique)).checkInvariants() == [])
  }

  /// A table that had no rows gets them together with its primary key, by which they were not compared.
  @Test func newRowsThatANewPrimaryKeyDoesNotBear() throws {
    let transaction = Transaction(.empty)
    let rows = try transaction.addTable("Row")
    let id = try transaction.addColumn(to: rows, "id", ColumnType(.int))
    let before = transaction.graph
    try transaction.setPrimaryKey(id, of: rows)
    let schema = transaction.graph.schema
    func delta(_ ids: Int64...) throws -> Delta {
      let filled = Transaction(before)
      for number in ids { try filled.create(in: rows) { try $0.set(number, id) } }
      return Delta(schema: schema, tables: Delta(from: before, to: filled.graph).tables)
    }
    let repeated = try delta(7, 8, 7)
    let other = Transaction(before)
    expectRefusal(.invalidDelta, other) { try other.apply(repeated) }
    let graph = try before.applying(delta(7, 8, 9))
    #expect(graph.checkInvariants() == [] && graph[rows]?.find(primaryKey: .int(9)) == ObjectKey(2))
  }

  /// An any-value linked to an ordinary row, whose table became embedded or asymmetric in a new schema. The row had one
  /// owner and no cycle, so it passed the checks, and deleting the owner would not have deleted it.
  @Test func kindsThatLinkedRowsCannotBeOf() throws {
    for kind in [TableKind.embedded, .asymmetric] {
      let schema = try DeltaStage(emptyWith: kind).graph.schema
      let linked = try stage.changed { transaction in
        try transaction.delete(ObjectLink(stage.rows, stage.second))
        let any = stage.kennel.cell(stage.second, stage.kennel.any)
        try transaction.set(.link(ObjectLink(stage.rows, stage.first)), any)
      }
      let transaction = Transaction(linked)
      expectRefusal(.invalidDelta, transaction) { try transaction.apply(Delta(schema: schema)) }
      #expect(transaction.graph == linked)
    }
    // Rows without incoming links may become asymmetric.
    let logs = try DeltaStage(emptyWith: .asymmetric).graph.schema
    #expect(try graph.applying(Delta(schema: logs)).checkInvariants() == [])
  }

  @Test func schemasThatOrphanOwnedRows() throws {
    let kennel = stage.kennel
    try expectRefusals([
      "without a table that owns": schema { tables in tables.removeAll { $0.key == kennel.persons } },
      "without a column that owns": try schema { try $0.removeColumn(kennel.home, of: kennel.persons) },
      "without a list that owns": try schema { try $0.removeColumn(kennel.homes, of: kennel.persons) },
      "without an any-value that owns a list": try schema { try $0.removeColumn(kennel.any, of: kennel.persons) },
      "without a column by which owned rows own": try schema {
        try $0.removeColumn(kennel.inner, of: kennel.addresses)
      },
      "with another form of a column that owns": try schema {
        try $0.retype(kennel.any, of: kennel.persons, to: ColumnType(.int))
      },
    ])
    // Removing a column that owns nothing is accepted.
    let without = try schema { try $0.removeColumn(kennel.homeMap, of: kennel.persons) }
    #expect(try graph.applying(Delta(schema: without)).checkInvariants() == [])
  }

  @Test func rowsOfATableThatGoes() throws {
    var delta = try stage.delta { try $0.removeTable(stage.rows) }
    delta.tables.append(TableDelta(table: stage.rows, nextKey: 2))
    let transaction = Transaction(graph)
    expectRefusal(.invalidDelta, transaction) { try transaction.apply(delta) }
  }

  @Test func aRequiredColumnIsFineWhenTheDeltaFillsIt() throws {
    let cells = [stage.first, stage.second].map { ($0, CellChange.value(.string("x"))) }
    var table = TableDelta(table: stage.rows, nextKey: 2)
    table.updated = [ColumnDelta(column: stage.text, cells: cells)]
    let required = try schema { try $0.setOptional(false, column: stage.text, of: stage.rows) }
    let result = try graph.applying(Delta(schema: required, tables: [table]))
    #expect(result.checkInvariants() == [])
    #expect(result.value(stage.cell(stage.text)) == .string("x"))
  }
}
