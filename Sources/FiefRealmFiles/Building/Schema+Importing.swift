import FiefGraph

extension Schema {
  /// The schema of the graph for the tables of a file.
  init(_ contents: FileContents, _ file: FileBytes) throws(RealmFileError) {
    var tables = Schema.empty.tables
    for table in contents.tables.tables { tables.append(try Self.table(table, of: contents, file)) }
    self.init(tables: tables, nextTable: UInt32(tables.count))
    if let problem = problems.first { throw file.unsupported(problem) }
  }

  private static func table(
    _ table: ImportedTable, of contents: FileContents, _ file: FileBytes
  ) throws(RealmFileError) -> TableSchema {
    var columns: [Column] = []
    var indexes: [IndexDefinition] = []
    var primaryKey: ColumnKey?
    let olderKey = contents.primaryKeys[table.file.className]
    for (index, column) in table.file.columns.enumerated() {
      file.place = FilePlace(table: table.file.className, column: column.name)
      let key = ColumnKey(rawValue: UInt32(index))
      let type = try type(of: column, contents, file)
      columns.append(Column(key: key, name: column.name, type: type))
      if let found = table.file.primaryKey { if column.key == found { primaryKey = key } }
      if table.file.primaryKey == nil && column.name == olderKey { primaryKey = key }
      if primaryKey == key || !type.canBeIndexed { continue }
      if column.attributes.contains(.fullText) && type.hasWords {
        indexes.append(.fullText(key))
      } else if column.attributes.contains(.indexed) {
        indexes.append(IndexDefinition([key]))
      }
    }
    let schema = TableSchema(
      key: table.key, name: table.file.className, kind: table.file.kind, columns: columns, primaryKey: primaryKey,
      indexes: indexes, nextColumn: UInt32(columns.count))
    file.place = FilePlace(table: schema.name)
    // A store would take its rows for its own: documents that wait for their delivery, which no class shows.
    if schema.isInternal {
      throw file.unsupported("only tables that a store keeps for itself begin with '\(TableSchema.internalPrefix)'")
    }
    file.place = FilePlace()
    return schema
  }

  private static func type(
    of column: FileColumn, _ contents: FileContents, _ file: FileBytes
  ) throws(RealmFileError) -> ColumnType {
    guard let kind = column.type.kind else { throw file.unsupported("its type is unknown") }
    if kind == .link {
      guard let opposite = column.opposite, let position = contents.tables.position(opposite) else {
        throw file.unsupported("it links to a table that is not of the application")
      }
      return .link(to: contents.tables.tables[position].key, shape: column.shape)
    }
    return ColumnType(kind, shape: column.shape, isOptional: kind != .any && column.isNullable)
  }
}
