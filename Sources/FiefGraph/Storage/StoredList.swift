// The operations on the elements of lists.

extension AnyStoredElements {
  /// Inserts `value`, which must fit the column, at `position` (0...count).
  func insert(_ value: Value, at position: Int) {
    assert(shape == .list && 0...count ~= position, "An element has a position in its list.")
    edit(InsertElement(value: value, position: position))
  }

  /// Appends `value`, which must fit the column.
  func append(_ value: Value) {
    assert(shape == .list, "Elements of a set have an order of their own.")
    edit(AppendElement(value: value))
  }

  /// Replaces the elements of `range` by `values`, which must fit the column.
  func replaceSubrange(_ range: Range<Int>, with values: [Value]) {
    assert(shape == .list && range.upperBound <= count, "Only elements of a list are replaced.")
    edit(ReplaceElements(range: range, values: values))
  }

  /// Replaces the element at `position` by `value`, which must fit the column.
  func replace(at position: Int, with value: Value) {
    assert(shape == .list && 0..<count ~= position, "Only an element of a list is replaced.")
    edit(ReplaceElement(position: position, value: value))
  }

  /// Moves the element at `source` to `destination`, its position after the move.
  func move(from source: Int, to destination: Int) {
    assert(shape == .list, "Elements of a set have an order of their own.")
    edit(MoveElement(source: source, destination: destination))
  }

  /// Swaps two elements.
  func swapAt(_ a: Int, _ b: Int) {
    assert(shape == .list, "Elements of a set have an order of their own.")
    edit(SwapElements(a: a, b: b))
  }

  /// Removes every link to a row of `gone`, in one pass.
  func removeLinks(as type: ColumnType, _ gone: (ObjectLink) -> Bool) {
    withoutActuallyEscaping(gone) { edit(RemoveLinks(type: type, gone: $0)) }
  }

  /// The edits that lead from `old`, a list of the same column, to this one.
  func changes(from old: AnyStoredElements, visited: inout Int) -> [OrderedTreeEdit] {
    assert(shape == .list && old.shape == .list, "Two lists of one column are compared.")
    let (edits, nodes) = read(ListChanges(old: old))
    visited += nodes
    return edits
  }
}

private struct ListChanges: ElementsReading {
  let old: AnyStoredElements

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> ([OrderedTreeEdit], Int) {
    guard let old = old as? StoredElements<Element> else {
      fatalError("Two lists of one column have different element types.")
    }
    var visited = 0
    let edits = OrderedTree.changes(
      from: old.elements, to: elements, nodesVisited: &visited, areIdentical: Element.isIdentical)
    return (edits, visited)
  }
}

private struct InsertElement: ElementsEdit {
  let value: Value
  let position: Int

  func callAsFunction<Element: Storable>(_ elements: inout OrderedTree<Element>) {
    elements.insert(stored(value), at: position)
  }
}

private struct AppendElement: ElementsEdit {
  let value: Value

  func callAsFunction<Element: Storable>(_ elements: inout OrderedTree<Element>) { elements.append(stored(value)) }
}

private struct ReplaceElements: ElementsEdit {
  let range: Range<Int>
  let values: [Value]

  func callAsFunction<Element: Storable>(_ elements: inout OrderedTree<Element>) {
    elements.replaceSubrange(range, with: values.map { stored($0) as Element })
  }
}

private struct ReplaceElement: ElementsEdit {
  let position: Int
  let value: Value

  func callAsFunction<Element: Storable>(_ elements: inout OrderedTree<Element>) {
    elements.replace(at: position, with: stored(value))
  }
}

private struct MoveElement: ElementsEdit {
  let source: Int
  let destination: Int

  func callAsFunction<Element: Storable>(_ elements: inout OrderedTree<Element>) {
    elements.move(from: source, to: destination)
  }
}

private struct SwapElements: ElementsEdit {
  let a: Int
  let b: Int

  func callAsFunction<Element: Storable>(_ elements: inout OrderedTree<Element>) { elements.swapAt(a, b) }
}

private struct RemoveLinks: ElementsEdit {
  let type: ColumnType
  let gone: (ObjectLink) -> Bool

  func callAsFunction<Element: Storable>(_ elements: inout OrderedTree<Element>) {
    elements.removeAll { $0.value(as: type).linked.map(gone) ?? false }
  }
}
