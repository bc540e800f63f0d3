import FiefGraph

extension LinkTally {
  /// Compares the backlinks of a file with its links, and returns how many pairs of a column and a table that it links
  /// to have backlinks that disagree.
  ///
  /// Backlinks are derived from links here, so those of the file are not needed. A difference shows that the file is
  /// not what Realm writes; it is in the report.
  func disagreements(with tables: ImportedTables, of file: FileBytes) throws(RealmFileError) -> Int {
    var sums = settled()
    for (position, table) in tables.tables.enumerated() {
      file.place = FilePlace(table: table.file.className)
      for column in table.file.backlinks {
        guard let origin = column.opposite.flatMap(tables.position), let originColumn = column.oppositeColumn else {
          continue
        }
        var sum: UInt64 = 0
        for cluster in table.rows.clusters {
          let elements = try file.integers(try cluster.column(column.leaf, file))
          guard elements.count == cluster.count else {
            throw file.damage("there are \(elements.count) backlinks for \(cluster.count) objects")
          }
          for (slot, element) in elements.enumerated() { sum &+= try Self.sum(element, to: cluster.key(slot), file) }
        }
        sums.add(0 &- sum, to: Path(table: origin, column: originColumn, target: position))
      }
    }
    file.place = FilePlace()
    return sums.count
  }

  /// The sum of the hashes of the links that an element stands for.
  private static func sum(_ element: Int64, to target: Int64, _ file: FileBytes) throws(RealmFileError) -> UInt64 {
    if element == 0 { return 0 }
    if element & 1 == 1 {
      return hash(from: Int64(bitPattern: UInt64(bitPattern: element) >> 1), to: target)
    }
    var sum: UInt64 = 0
    try ElementTree.forEachLeaf(of: element, in: file) { (node) throws(RealmFileError) in
      let keys = try file.integers(node)
      try file.chargeValues(keys.count, of: 0)
      if node.width == 0 {
        // They are zeros without bytes. Visiting each could take very long in a small file.
        sum &+= UInt64(keys.count) &* hash(from: 0, to: target)
      } else {
        for key in keys { sum &+= hash(from: key, to: target) }
      }
      return keys.count
    }
    return sum
  }
}
