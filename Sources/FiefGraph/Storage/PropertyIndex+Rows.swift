// Finds the rows of values.

extension PropertyIndex {
  /// How many rows the value with a reference has.
  @inline(__always)
  func count(at reference: Int64) -> Int {
    if reference >= 0 { return 1 }
    return postings.read(~reference) { $0.count } ?? 0
  }

  /// Whether each value belongs to one row only.
  public var hasOneRowPerValue: Bool { postings.isEmpty }

  /// How many rows the values at these positions have. Constant time while every value has one row; linear in the
  /// values otherwise.
  ///
  /// - Parameter range: Positions in ``values``.
  public func rowCount(in range: Range<Int>) -> Int {
    if hasOneRowPerValue { return range.count }
    var count = 0
    assert(range.upperBound <= values.count, "Rows are counted for values that exist.")
    forEachPosting(in: range) { count &+= self.count(at: $0) }
    return count
  }

  /// Estimates how many rows the values at these positions have. Exact for all values and for up to 16; otherwise based
  /// on the average number of rows per value. Constant time.
  ///
  /// - Parameter range: Positions in ``values``.
  /// - Returns: 0 only if the values have no rows.
  public func estimatedRowCount(in range: Range<Int>) -> Int {
    assert(range.upperBound <= values.count, "Rows are counted for values that exist.")
    if range.count == values.count { return count }
    if range.count <= 16 { return rowCount(in: range) }
    let share = Double(range.count) / Double(values.count)
    return max(range.count, Int(share * Double(count)))
  }

  /// Calls `body` with the rows of the values at these positions, value by value. The rows of one value ascend.
  ///
  /// - Parameter range: Positions in ``values``.
  public func forEachRow(in range: Range<Int>, _ body: (ObjectKey) -> Void) {
    forEachPosting(in: range) { reference in
      if reference >= 0 { return body(ObjectKey(reference)) }
      guard let keys = postings[~reference]?.keys else { return }
      keys.forEachLeaf(in: 0..<keys.count) { keys, _ in
        for key in keys { body(ObjectKey(key)) }
        return true
      }
    }
  }

  /// One entry for each value of every row, ascending by values and then by key. Linear.
  public var entries: [IndexEntry] {
    var entries: [IndexEntry] = []
    entries.reserveCapacity(count)
    for (position, value) in values.enumerated() {
      forEachRow(in: position..<position + 1) {
        entries.append(IndexEntry(first: value.first, rest: value.rest, key: $0))
      }
    }
    return entries
  }

  private func forEachPosting(in range: Range<Int>, _ body: (Int64) -> Void) {
    values.forEachLeaf(in: range) { values, _ in
      // The values are read in place: a copy of one counts a reference.
      unsafe values.withUnsafeBufferPointer { for index in $0.indices { unsafe body($0[index].posting) } }
      return true
    }
  }
}
