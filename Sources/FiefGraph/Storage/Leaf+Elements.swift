extension Leaf {
  /// The value of a single cell, all elements of a list or a set, or all values of a dictionary.
  func values(at slot: Int, as type: ColumnType) -> [Value] {
    assert(0..<values.count ~= slot, "A leaf has a cell for each live row.")
    guard type.isCollection else { return [value(at: slot, as: type)] }
    guard let contents = values.collection(at: slot) else { return [] }
    var values: [Value] = []
    values.reserveCapacity(contents.count)
    contents.forEach(as: type) {
      values.append($0)
      return true
    }
    return values
  }

  /// How many links `forEachLinkedKey` finds.
  var linkedKeyCount: Int {
    guard case .collection(let all) = values else { return values.count - nulls.count }
    return all.reduce(0) { $0 + ($1?.count ?? 0) }
  }

  /// Calls `body` with the key and the slot of every link, repetitions included, of a column that links to one table
  /// and is no dictionary.
  func forEachLinkedKey(_ body: (_ key: Int64, _ slot: Int) throws -> Void) rethrows {
    if case .collection(let all) = values {
      for (slot, contents) in all.enumerated() { try contents?.asElements.forEachInteger { try body($0, slot) } }
      return
    }
    let linked = Bitmap256(prefix: values.count) - nulls
    if linked.isEmpty { return }
    let keys = Int64.buffer(of: values)
    try linked.forEach { try body(keys[$0], $0) }
  }

  /// Calls `body` with every link of the cell at `slot`, repetitions included.
  func forEachLink(at slot: Int, as type: ColumnType, _ body: (ObjectLink) -> Void) {
    assert(0..<values.count ~= slot, "A leaf has a cell for each live row.")
    if type.isCollection {
      values.collection(at: slot)?.forEachLink(as: type, body)
    } else if case .link(let link) = value(at: slot, as: type) {
      body(link)
    }
  }
}
