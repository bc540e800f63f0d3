import FiefGraph

extension StoredCollection {
  /// The values at some positions, in order.
  ///
  /// - Parameters:
  ///   - position: the first position; a position beyond the end gives no values.
  ///   - number: the maximum number of values.
  ///   - type: the column type of the returned values.
  func values(from position: Int, atMost number: Int, as type: ColumnType) -> ContiguousArray<Value> {
    let end = min(count, position + number)
    guard position < end else { return [] }
    if shape == .dictionary {
      return scan((self as? StoredDictionary)?.entries ?? OrderedTree(), position..<end) { $0.value }
    }
    let element = type.element
    // The kind determines the element type: each kind has exactly one.
    switch (self as? AnyStoredElements)?.kind {
    case .int: return scan(elements(Int64.self), position..<end) { $0.value(as: element) }
    case .string: return scan(elements(String.self), position..<end) { .string($0) }
    case .double: return scan(elements(Double.self), position..<end) { .double($0) }
    case .any: return scan(elements(Value.self), position..<end) { $0 }
    default: return ContiguousArray((position..<end).map { value(at: $0, as: type) })
    }
  }

  /// The keys of the rows in a list or set of links.
  var rowKeys: OrderedTree<Int64> { elements(Int64.self) }

  private func elements<Element: Storable>(_ type: Element.Type) -> OrderedTree<Element> {
    (self as? StoredElements<Element>)?.elements ?? OrderedTree()
  }

  private func scan<Element>(
    _ elements: OrderedTree<Element>, _ range: Range<Int>, _ value: (Element) -> Value
  ) -> ContiguousArray<Value> {
    var values = ContiguousArray<Value>()
    values.reserveCapacity(range.count)
    elements.forEachLeaf(in: range) { slice, _ in
      for element in slice { values.append(value(element)) }
      return true
    }
    return values
  }
}
