extension Graph {
  /// A row and its parts: the embedded rows and the nested collections that it owns, directly or through others. Owners
  /// come before what they own.
  ///
  /// - Returns: nothing if the row does not exist.
  /// - Complexity: linear in the links of these rows.
  package func rowAndParts(_ link: ObjectLink) -> [ObjectLink] {
    guard let table = self[link.table], table.find(link.key) != nil else { return [] }
    var rows = [link]
    var next = 0
    while next < rows.count {
      forEachPart(of: rows[next]) { rows.append($0) }
      next += 1
    }
    return rows
  }

  /// Calls `body` with each row that a row owns directly.
  private func forEachPart(of link: ObjectLink, _ body: (ObjectLink) -> Void) {
    guard let table = self[link.table], let (cluster, slot) = table.find(link.key) else { return }
    for leaf in table.schema.linkLeaves {
      let type = table.schema.columns[leaf].type
      guard type.kind == .any || type.target.flatMap({ self[$0]?.schema.kind }) == .embedded else { continue }
      cluster.leaves[leaf].forEachLink(at: slot, as: type) { target in
        if type.kind != .any || target.table.isNested { body(target) }
      }
    }
  }

  /// Whether a row exists in both of two versions of a store, with identical cells, and so do its parts.
  ///
  /// - Complexity: that of `hasEqualRow(_:in:)` for the row and for each part.
  package func hasEqualContent(_ link: ObjectLink, in other: Graph) -> Bool {
    var work = [link]
    while let row = work.popLast() {
      guard hasEqualRow(row, in: other) else { return false }
      // Equal cells own the same rows.
      forEachPart(of: row) { work.append($0) }
    }
    return true
  }
}
