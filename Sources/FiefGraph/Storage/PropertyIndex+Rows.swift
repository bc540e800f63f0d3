// From values to their rows.

extension PropertyIndex {
  /// How many rows the value at a place has.
  @inline(__always)
  func count(at place: Int64) -> Int {
    if place >= 0 { return 1 }
    return postings.peek(~place)?._withUnsafeGuaranteedRef { $0.count } ?? 0
  }

  /// Whether no value is that of several rows.
  public var hasOneRowPerValue: Bool { postings.isEmpty }

  /// How many rows the values at these positions have. Constant time while every value has one row; otherwise linear in
  /// the values.
  ///
  /// - Parameter range: positions in ``values``.
  public func rowCount(in range: Range<Int>) -> Int {
    if hasOneRowPerValue { return range.count }
    var count = 0
    forEachPlace(in: range) { count &+= self.count(at: $0) }
    return count
  }

  /// About as many: exactly those of a few values, and of many as many as values have on average. Constant time.
  ///
  /// - Parameter range: positions in ``values``.
  /// - Returns: 0 only when there is no row.
  public func estimatedRowCount(in range: Range<Int>) -> Int {
    if range.count == values.count { return count }
    if range.count <= 16 { return rowCount(in: range) }
    return max(range.count, Int(Double(range.count) / Double(values.count) * Double(count)))
  }

  /// Calls `body` with the rows of the values at these positions, value by value, those of one ascending.
  ///
  /// - Parameter range: positions in ``values``.
  public func forEachRow(in range: Range<Int>, _ body: (ObjectKey) -> Void) {
    forEachPlace(in: range) { place in
      if place >= 0 { return body(ObjectKey(place)) }
      guard let keys = postings[~place]?.keys else { return }
      keys.forEachLeaf(in: 0..<keys.count) { keys, _ in
        for key in keys { body(ObjectKey(key)) }
        return true
      }
    }
  }

  /// Every row under its values, ascending by values and then by key. Linear.
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

  private func forEachPlace(in range: Range<Int>, _ body: (Int64) -> Void) {
    values.forEachLeaf(in: range) { values, _ in
      // Where they lie: a copy of a value counts a reference.
      values.withUnsafeBufferPointer { for index in $0.indices { body($0[index].place) } }
      return true
    }
  }
}
