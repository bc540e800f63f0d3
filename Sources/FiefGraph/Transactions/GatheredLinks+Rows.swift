import FiefRuntime

extension GatheredLinks {
  /// Gathers the links of new rows.
  ///
  /// - Parameters:
  ///   - leaf: The leaf of a column of links to one table.
  ///   - limit: The key that the next row of that table gets.
  /// - Returns: the links of each run of rows.
  static func gathered(from rows: [InsertedRows], leaf: Int, below limit: Int64) -> [GatheredLinks] {
    let runs = Processors.parts(of: rows.count, least: 32)
    let ranges = Ranges(below: runs.count == 1 ? 0 : limit)
    return Processors.map(runs.count) { run in
      let rows = rows[runs[run]]
      let count = rows.reduce(0) { $0 + $1.rows.leaves[leaf].linkedKeyCount }
      return GatheredLinks(count, to: ranges) { add in
        for inserted in rows {
          inserted.rows.leaves[leaf].forEachLinkedKey { key, slot in
            add(ObjectKey(chunk: inserted.chunk, bit: inserted.rows.bit(ofSlot: slot)), key)
          }
        }
      }
    }
  }
}
