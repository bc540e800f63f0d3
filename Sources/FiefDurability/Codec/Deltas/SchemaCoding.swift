import FiefGraph

extension ByteWriter {
  func schema(_ schema: Schema) {
    varint(UInt64(schema.nextTable))
    varint(schema.tables.count)
    for table in schema.tables { self.table(table) }
  }

  private func table(_ table: TableSchema) {
    varint(UInt64(table.key.rawValue))
    string(table.name)
    append(table.kind.rawValue)
    varint(UInt64(table.nextColumn))
    optional(table.primaryKey?.rawValue)
    varint(table.columns.count)
    for column in table.columns {
      varint(UInt64(column.key.rawValue))
      string(column.name)
      append(column.type.kind.rawValue)
      append(column.type.shape.rawValue)
      append(column.type.isOptional ? 1 : 0 as UInt8)
      append(column.type.width.rawValue)
      optional(column.type.target?.rawValue)
      append(column.deleteRule.rawValue)
    }
    varint(table.indexes.count)
    for index in table.indexes {
      append(index.isFullText ? 2 : index.isUnique ? 1 : 0 as UInt8)
      varint(index.columns.count)
      for column in index.columns { varint(UInt64(column.rawValue)) }
    }
  }

  /// Appends a number that may be absent: one more than the number, or 0.
  private func optional(_ number: UInt32?) { varint(number.map { UInt64($0) + 1 } ?? 0) }
}

extension ByteReader {
  /// Reads the schemas of all tables. `Schema.problems` checks whether they are valid.
  mutating func schema() throws(CodecError) -> Schema {
    let nextTable = try number32("a table")
    var tables: [TableSchema] = []
    for _ in 0..<(try count(of: "tables", eachAtLeast: 7)) { tables.append(try table()) }
    return Schema(tables: tables, nextTable: nextTable)
  }

  private mutating func table() throws(CodecError) -> TableSchema {
    let key = TableKey(rawValue: try number32("a table"))
    let name = try string()
    let kind: TableKind = try choice("table")
    let nextColumn = try number32("a column")
    let primaryKey = try optional("a primary key").map(ColumnKey.init(rawValue:))
    var columns: [Column] = []
    for _ in 0..<(try count(of: "columns", eachAtLeast: 8)) { columns.append(try column()) }
    var indexes: [IndexDefinition] = []
    for _ in 0..<(try count(of: "indexes", eachAtLeast: 2)) {
      let kind = try indexKind()
      var columns: [ColumnKey] = []
      for _ in 0..<(try count(of: "columns of an index")) {
        columns.append(ColumnKey(rawValue: try number32("a column")))
      }
      if kind == 2 {
        guard columns.count == 1 else { throw wrong(.malformed, "a full-text index is over one column") }
        indexes.append(.fullText(columns[0]))
      } else {
        indexes.append(IndexDefinition(columns, isUnique: kind == 1))
      }
    }
    return TableSchema(
      key: key, name: name, kind: kind, columns: columns, primaryKey: primaryKey, indexes: indexes,
      nextColumn: nextColumn)
  }

  private mutating func column() throws(CodecError) -> Column {
    let key = ColumnKey(rawValue: try number32("a column"))
    let name = try string()
    let type = ColumnType(
      try choice("value"), shape: try choice("shape"), isOptional: try flag(), width: try choice("width"),
      target: try optional("a table").map(TableKey.init(rawValue:)))
    return Column(key: key, name: name, type: type, deleteRule: try choice("delete rule"))
  }

  private mutating func choice<Choice: RawRepresentable<UInt8>>(_ what: StaticString) throws(CodecError) -> Choice {
    let start = self
    guard let choice = Choice(rawValue: try byte()) else { throw start.wrong(.malformed, "there is no such \(what)") }
    return choice
  }

  /// Reads the kind of an index: 0 in the order of its columns, 1 unique, 2 full-text.
  private mutating func indexKind() throws(CodecError) -> UInt8 {
    let start = self
    let byte = try byte()
    if byte > 2 { throw start.wrong(.malformed, "there is no such index") }
    return byte
  }

  private mutating func flag() throws(CodecError) -> Bool {
    let start = self
    let byte = try byte()
    if byte > 1 { throw start.wrong(.malformed, "a yes or no is neither") }
    return byte == 1
  }

  private mutating func optional(_ what: StaticString) throws(CodecError) -> UInt32? {
    let start = self
    let number = try varint()
    if number == 0 { return nil }
    guard let number = UInt32(exactly: number - 1) else { throw start.wrong(.malformed, "\(what) is out of range") }
    return number
  }
}
