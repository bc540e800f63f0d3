import FiefGraph

extension RealmFileReader {
  /// Reads everything in the file, and keeps nothing.
  ///
  /// All errors of a file are found here, before anything is made of it. So a file that is refused takes no memory but
  /// its own, and some for the places of clusters and for comparing keys.
  ///
  /// - Parameter progress: called after each column with the number of its leaves.
  /// - Returns: what is in the file.
  func check(_ progress: (Int) throws -> Void = { _ in }) throws -> RealmFileReport {
    let walk = ColumnWalk(file: file, tables: contents.tables, schema: schema)
    file.beginCheck()
    for table in contents.tables.tables.indices {
      try walk.forEachColumn(ofTable: table) { place, isPrimaryKey in
        var keys = PrimaryKeyCheck(walk, place)
        try walk.forEachLeaf(of: place) { (_, leaf) throws(RealmFileError) in
          if isPrimaryKey { try keys.add(leaf) }
        }
        try keys.finish()
        try progress(contents.tables.tables[table].rows.clusterCount)
      }
    }
    for (position, table) in contents.tables.tables.enumerated() where table.file.kind == .embedded {
      try checkOwners(position, table, walk.tally)
    }
    let disagreeing = try walk.tally.disagreements(with: contents.tables, of: file)
    file.endCheck()
    return RealmFileReport(
      format: file.header.format, version: contents.version,
      tables: contents.tables.tables.map {
        RealmFileReport.Table(name: $0.file.className, rows: $0.rows.count, isAsymmetric: $0.file.kind == .asymmetric)
      },
      links: walk.tally.count, otherTables: contents.otherTables,
      tombstones: contents.tables.tables.reduce(0) { $0 + $1.tombstones }, unresolvedLinks: walk.nests.unresolvedLinks,
      repairedTexts: file.repairedTexts, disagreeingBacklinks: disagreeing, charged: file.charged)
  }

  /// Refuses a table in which an embedded object has no owner, or several.
  ///
  /// The sum of a random hash of the owned rows is compared with that of all rows. Sums that are equal by accident, one
  /// in 2^64, are found by the graph.
  private func checkOwners(
    _ position: Int, _ table: ImportedTable, _ tally: LinkTally
  ) throws(RealmFileError) {
    var (count, sum) = (0, UInt64(0))
    for (number, cluster) in table.rows.clusters.enumerated() {
      for slot in 0..<cluster.count { sum &+= tally.hash(ofOwned: ObjectKey(chunk: Int64(number), bit: slot)) }
      count += cluster.count
    }
    let owned = tally.owned(table: position)
    guard owned.count == count, owned.sum == sum else {
      file.place = FilePlace(table: table.file.className)
      throw file.damage(
        owned.count == count
          ? "an embedded object has several owners, and another has none"
          : "there are \(count) embedded objects, and \(owned.count) links of owners to them")
    }
  }
}
