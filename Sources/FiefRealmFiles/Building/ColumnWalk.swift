import FiefGraph

/// Goes through the columns of a file, cluster by cluster. The file is checked and read with the same code: both take
/// its leaves, and only the second keeps them.
struct ColumnWalk {
  /// A column: the positions of its table among the imported ones, and of its own in the table.
  struct Place {
    let table: Int
    let column: Int
  }

  let file: FileBytes
  let tables: ImportedTables
  let schema: Schema
  let nests = Nests()
  let tally = LinkTally()

  /// The schema of a table.
  func schema(ofTable table: Int) -> TableSchema { schema.tables[table + ImportedTable.firstKey] }

  /// The type of a column in the graph.
  func type(of place: Place) -> ColumnType { schema(ofTable: place.table).columns[place.column].type }

  /// Calls `body` with each cluster of a column: its number, and its cells.
  func forEachLeaf(of place: Place, _ body: (Int, Leaf) throws(RealmFileError) -> Void) throws(RealmFileError) {
    let (table, schema) = (tables.tables[place.table], schema(ofTable: place.table))
    let column = table.file.columns[place.column]
    let key = schema.columns[place.column].key
    file.place = FilePlace(table: table.file.className, column: column.name)
    let reader = CellReader(
      file: file, tables: tables, tally: tally, nests: nests, table: place.table, column: column,
      type: type(of: place), enumeration: try file.enumeration(column.enumeration),
      target: column.opposite.flatMap(tables.position(_:)))
    let isIndexed = schema.indexes.contains { $0.columns.contains(key) }
    var equal: [UInt32: Leaf] = [:]
    for (number, cluster) in table.rows.clusters.enumerated() {
      try file.charge(1, of: 2 * MemoryLayout<Leaf>.stride)
      let leaf = try reader.leaf(cluster, sharing: &equal)
      // The graph makes indexes of the values.
      if isIndexed { try file.charge(cluster.count, of: 48) }
      if schema.primaryKey == key { try file.charge(cluster.count, of: 64) }
      try body(number, leaf)
      try nests.readPending(reader)
    }
  }

  /// Calls `body` with the place of each column, and whether it is the primary key.
  func forEachColumn(ofTable table: Int, _ body: (Place, Bool) throws -> Void) throws {
    let schema = schema(ofTable: table)
    for (index, column) in schema.columns.enumerated() {
      try body(Place(table: table, column: index), schema.primaryKey == column.key)
    }
    file.place = FilePlace()
  }
}
