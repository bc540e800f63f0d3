import FiefGraph

extension InsertionPlan {
  /// Whether a place already holds the list or dictionary of an any-value that a content would make there. The rows of
  /// the store then stand for those of the plan.
  ///
  /// - Parameters:
  ///   - content: the content for the place.
  ///   - present: what the place holds.
  func isThere(_ content: PlannedContent, _ present: @autoclosure () -> Value?, in transaction: Transaction) -> Bool {
    guard case .row(let root) = content, isNew(root), case .link(let link)? = present() else { return false }
    var pairs: ContiguousArray<(row: Int, link: ObjectLink)> = [(root, link)]
    var next = 0
    while next < pairs.count {
      let (row, link) = pairs[next]
      next += 1
      let isEqual = transaction.read { graph in
        compare(row, with: link, in: graph) { pairs.append(($0, $1)) }
      }
      if !isEqual { return false }
    }
    for (row, link) in pairs { rows[row].key = link.key }
    return true
  }

  /// Whether a row is a collection of an any-value that is to be made.
  private func isNew(_ row: Int) -> Bool { rows[row].table.isNested && rows[row].key.rawValue < 0 }

  /// Whether the elements of two collections are equal, but for the collections among them, which are passed to
  /// `nested`.
  private func compare(
    _ row: Int, with link: ObjectLink, in graph: Graph, nested: (Int, ObjectLink) -> Void
  ) -> Bool {
    guard rows[row].table == link.table else { return false }
    var range = 0..<0
    for number in rows[row].cells { if case .elements(let elements) = cells[number].content { range = elements } }
    guard let stored = graph.collection(Cell(link.table, link.key, .nestedElements)) else { return range.isEmpty }
    guard stored.count == range.count else { return false }
    let type = ColumnType(.any, shape: stored.shape)
    // Entries are in the order of their keys in the store, and in any order in the plan.
    let isOrdered = stored.shape == .list
    let order = isOrdered ? Array(range) : range.sorted { isBefore(elements[$0].key, elements[$1].key) }
    for (position, index) in order.enumerated() {
      let value = stored.value(at: position, as: type)
      if let key = elements[index].key {
        guard let other = stored.key(ofEntryAt: position), key.utf8.elementsEqual(other.utf8) else { return false }
      }
      switch elements[index].content {
      case .value(let planned): if planned != value { return false }
      case .row(let target):
        guard case .link(let link) = value else { return false }
        if isNew(target) {
          nested(target, link)
        } else if link != ObjectLink(rows[target].table, key(of: target)) {
          return false
        }
      case .elements, .cleared: return false
      }
    }
    return true
  }

  private func isBefore(_ a: String?, _ b: String?) -> Bool { (a ?? "").utf8.lexicographicallyPrecedes((b ?? "").utf8) }
}
