import FiefGraph

/// Reads the rows of a file into a graph.
///
///     keys of all rows ─▶ cells, column by column ─▶ collections in any-values ─▶ change of the empty graph ─▶ graph
///
/// The keys come first, because links need the numbers of the rows that they lead to. The change is applied as one from
/// a snapshot is: with all its checks.
struct RealmFileReader {
  private let file: FileBytes
  private let contents: FileContents
  private let schema: Schema
  private let nests = Nests()
  private let tally = LinkTally()

  init(_ file: FileBytes) throws(RealmFileError) {
    self.file = file
    contents = try FileContents(file)
    schema = try GraphSchema(contents, file).schema
  }

  /// Reads all rows.
  ///
  /// - Returns: the graph, the version that the application gave to its schema, and what was left out.
  func read(
    _ progress: (Double) throws -> Void
  ) throws -> (graph: Graph, schemaVersion: UInt64, report: RealmFileReport) {
    let total = max(1, contents.tables.tables.reduce(0) { $0 + $1.rows.clusters.count * ($1.file.columns.count + 1) })
    var done = 0
    var deltas: [TableDelta] = []
    for position in contents.tables.tables.indices {
      let before = done
      deltas.append(
        try read(position) { leaves in
          done = before + leaves
          try progress(Double(done) / Double(total))
        })
    }
    deltas = nests.deltas + deltas
    let disagreeing = try BacklinkCheck(file: file, tables: contents.tables, tally: tally).run()
    let graph: Graph
    do {
      graph = try Graph.empty.applying(Delta(schema: schema, tables: deltas))
    } catch let error as GraphError {
      throw RealmFileError(.damaged, "The file is damaged: \(error.message)", place: FilePlace(table: error.table))
    }
    try progress(1)
    let report = RealmFileReport(
      format: file.header.format, version: contents.version,
      tables: contents.tables.tables.map {
        RealmFileReport.Table(
          name: $0.file.className, rows: $0.rows.count, isAsymmetric: $0.file.kind == .asymmetric)
      },
      links: tally.count, otherTables: contents.otherTables,
      tombstones: contents.tables.tables.reduce(0) { $0 + $1.tombstones }, unresolvedLinks: nests.unresolvedLinks,
      mergedElements: nests.mergedElements, repairedTexts: file.repairedTexts, disagreeingBacklinks: disagreeing,
      charged: file.charged)
    return (graph, contents.schemaVersion, report)
  }

  /// The rows of a table, as changes of the empty graph.
  ///
  /// - Parameter progress: called after each column with the number of leaves that were read.
  private func read(_ position: Int, _ progress: (Int) throws -> Void) throws -> TableDelta {
    let table = contents.tables.tables[position]
    let clusters = table.rows.clusters
    var leaves = [ContiguousArray<Leaf>](repeating: [], count: clusters.count)
    for (index, column) in table.file.columns.enumerated() {
      file.place = FilePlace(table: table.file.className, column: column.name)
      let reader = CellReader(
        file: file, tables: contents.tables, tally: tally, nests: nests, table: position, column: column,
        type: schema.tables[position + 2].columns[index].type, enumeration: try file.enumeration(column.enumeration),
        target: column.opposite.flatMap(contents.tables.position(_:)))
      var keys = PrimaryKeyCheck(file)
      let key = schema.tables[position + 2].columns[index].key
      let isPrimaryKey = schema.tables[position + 2].primaryKey == key
      let isIndexed = schema.tables[position + 2].indexes.contains { $0.columns.contains(key) }
      var equal: [UInt32: Leaf] = [:]
      for (number, cluster) in clusters.enumerated() {
        try file.charge(1, of: 2 * MemoryLayout<Leaf>.stride)
        let leaf = try reader.leaf(cluster, sharing: &equal)
        // The graph makes indexes of the values.
        if isIndexed { try file.charge(cluster.count, of: 48) }
        if isPrimaryKey {
          try file.charge(cluster.count, of: 64)
          try keys.add(leaf)
        }
        leaves[number].append(leaf)
        try nests.readPending()
      }
      try progress((index + 1) * clusters.count)
    }
    file.place = FilePlace()
    var delta = TableDelta(table: table.key, nextKey: Int64(clusters.count) << 8)
    for (number, cluster) in clusters.enumerated() {
      delta.inserted.append(
        InsertedRows(
          chunk: Int64(number), rows: Cluster(live: Bitmap256(prefix: cluster.count), leaves: leaves[number])))
      leaves[number] = []
    }
    return delta
  }
}
