import FiefGraph

/// Reads the rows of a file into a graph.
///
///     keys of all rows ─▶ check of everything ─▶ cells, column by column ─▶ change of the empty graph ─▶ graph
///                         nothing is kept        collections in any-values
///
/// The keys come first, because links need the numbers of the rows that they lead to. The change is applied as one from
/// a snapshot is: with all its checks.
struct RealmFileReader {
  let file: FileBytes
  let contents: FileContents
  let schema: Schema

  init(_ file: FileBytes) throws(RealmFileError) {
    self.file = file
    contents = try FileContents(file)
    schema = try Schema(contents, file)
  }

  /// Checks the file, and then reads all rows.
  ///
  /// - Returns: the graph, the version that the application gave to its schema, and what was left out.
  func read(
    _ progress: (Double) throws -> Void
  ) throws -> (graph: Graph, schemaVersion: UInt64, report: RealmFileReport) {
    let tables = contents.tables.tables
    let total = max(1, 2 * tables.reduce(0) { $0 + $1.rows.clusterCount * $1.file.columns.count })
    var done = 0
    func advance(_ leaves: Int) throws {
      done += leaves
      try progress(min(Double(done) / Double(total), 0.99))
    }
    var report = try check(advance)
    let walk = ColumnWalk(file: file, tables: contents.tables, schema: schema)
    var deltas: [TableDelta] = []
    for position in tables.indices { deltas.append(try delta(position, walk, progress: advance)) }
    deltas = walk.nests.deltas + deltas
    // The check makes no collections, and cannot tell.
    report.mergedElements = walk.nests.mergedElements
    let graph: Graph
    do {
      graph = try Graph.empty.applying(Delta(schema: schema, tables: deltas))
    } catch let error as GraphError {
      throw RealmFileError(.damaged, "The file is damaged: \(error.message)", place: FilePlace(table: error.table))
    }
    try progress(1)
    return (graph, contents.schemaVersion, report)
  }

  /// The rows of a table, as changes of the empty graph.
  ///
  /// - Parameter progress: called after each column with the number of its leaves.
  private func delta(_ position: Int, _ walk: ColumnWalk, progress: (Int) throws -> Void) throws -> TableDelta {
    let table = contents.tables.tables[position]
    var leaves = [ContiguousArray<Leaf>](repeating: [], count: table.rows.clusterCount)
    try walk.forEachColumn(ofTable: position) { place, _ in
      try walk.forEachLeaf(of: place) { (number, leaf) throws(RealmFileError) in leaves[number].append(leaf) }
      try progress(leaves.count)
    }
    var delta = TableDelta(table: table.key, nextKey: Int64(leaves.count) << 8)
    for (number, cluster) in table.rows.clusters.enumerated() {
      delta.inserted.append(
        InsertedRows(
          chunk: Int64(number), rows: Cluster(live: Bitmap256(prefix: cluster.count), leaves: leaves[number])))
      leaves[number] = []
    }
    return delta
  }
}
