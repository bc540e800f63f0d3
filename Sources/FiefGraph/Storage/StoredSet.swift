// The operations on the elements of sets.

extension AnyStoredElements {
  /// The position of the element of a set that equals `value` by `StoredOrder`. O(log count).
  ///
  /// - Parameter type: The column's type. A value that the column cannot hold is not present, even if its stored form
  ///   equals an element's, as a boolean's equals an integer's.
  public func find(_ value: Value, as type: ColumnType) -> (position: Int, isPresent: Bool) {
    assert(shape == .set && isStorage(for: type), "Elements are found in a set of the type.")
    return type.holdsElement(value) ? read(FindElement(value: value)) : (0, false)
  }

  /// Adds `value`, which must fit the column, unless the set contains an equal element. O(log count).
  ///
  /// - Returns: Whether it was added.
  func insertInOrder(_ value: Value) -> Bool {
    assert(shape == .set, "Elements of a list have positions.")
    defer { assert(read(FindElement(value: value)).isPresent, "A set has an element that was inserted.") }
    return edit(InsertInOrder(value: value))
  }
}

extension OrderedTree where Element: Storable {
  /// The position of the element of a set that equals `element`, or where to insert it. O(log count).
  @inlinable
  public func find(_ element: Element) -> (position: Int, isPresent: Bool) {
    let position = partitionPoint { Element.compare($0, element) >= 0 }
    return (position, position < count && Element.compare(self[position], element) == 0)
  }
}

private struct FindElement: ElementsReading {
  let value: Value

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> (position: Int, isPresent: Bool) {
    guard let element = Element(value) else { return (0, false) }
    return elements.find(element)
  }
}

private struct InsertInOrder: ElementsEdit {
  let value: Value

  func callAsFunction<Element: Storable>(_ elements: inout OrderedTree<Element>) -> Bool {
    let element: Element = stored(value)
    let (position, isPresent) = elements.find(element)
    if !isPresent { elements.insert(element, at: position) }
    return !isPresent
  }
}
