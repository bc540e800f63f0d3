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
