// The operations on the elements of sets.

extension AnyStoredElements {
  /// The position of the element that equals `value` by `StoredOrder`, or where to insert it. O(log count).
  ///
  /// A value of another kind is not present.
  public func find(_ value: Value) -> (position: Int, isPresent: Bool) { read(FindElement(value: value)) }

  /// Adds `value`, which must fit the column, unless the set contains an equal element. O(log count).
  ///
  /// - Returns: Whether it was added.
  func insertInOrder(_ value: Value) -> Bool {
    assert(shape == .set, "Elements of a list have positions.")
    defer { assert(find(value).isPresent, "A set has an element that was inserted.") }
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
