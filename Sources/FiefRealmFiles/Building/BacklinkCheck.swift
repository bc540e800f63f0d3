import FiefGraph

/// Compares the backlinks of a file with its links.
///
/// Backlinks are derived from links here, so those of the file are not needed. A difference shows that the file is not
/// what Realm writes; the report says so.
struct BacklinkCheck {
  let file: FileBytes
  let tables: ImportedTables
  let tally: LinkTally

  /// Returns how many objects have backlinks that disagree.
  func run() throws(RealmFileError) -> Int {
    var disagreeing = 0
    var seen: Set<LinkTally.Path> = []
    for (position, table) in tables.tables.enumerated() {
      for column in table.file.backlinks {
        guard let opposite = column.opposite, let origin = tables.position(opposite),
          let originColumn = column.oppositeColumn
        else { continue }
        let path = LinkTally.Path(table: origin, column: originColumn, target: position)
        seen.insert(path)
        file.place = FilePlace(table: table.file.className)
        for (number, cluster) in table.rows.clusters.enumerated() {
          guard column.leaf < cluster.columns.count else {
            throw file.damage("a cluster has \(cluster.columns.count) columns", at: cluster.node.offset)
          }
          let elements = try file.integers(try file.node(cluster.columns[column.leaf]))
          guard elements.count == cluster.count else {
            throw file.damage("there are \(elements.count) backlinks for \(cluster.count) objects")
          }
          for (slot, element) in elements.enumerated()
          where try sum(element) != tally.sum(path, table.rows.starts[number] + slot) {
            disagreeing += 1
          }
        }
      }
    }
    for path in tally.paths where !seen.contains(path) { disagreeing += tally.targetCount(path) }
    file.place = FilePlace()
    return disagreeing
  }

  /// The sum of the hashes of the rows that an element names.
  private func sum(_ element: Int64) throws(RealmFileError) -> UInt64 {
    if element == 0 { return 0 }
    if element & 1 == 1 { return LinkTally.hash(Int64(bitPattern: UInt64(bitPattern: element) >> 1)) }
    var sum: UInt64 = 0
    try ElementTree.forEachLeaf(of: element, in: file) { (node) throws(RealmFileError) in
      let keys = try file.integers(node)
      for key in keys { sum &+= LinkTally.hash(key) }
      return keys.count
    }
    return sum
  }
}
