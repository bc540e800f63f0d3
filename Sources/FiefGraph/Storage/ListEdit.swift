/// A change of the elements of a list; `remove` is one of a set, too. Values fit the column.
enum ListEdit: ElementsEdit {
  case append(Value)
  case insert(Value, at: Int)
  case replace(at: Int, with: Value)
  case replaceSubrange(Range<Int>, with: [Value])
  case remove(at: Int)
  /// Moves the element at a position to another one, its position after the move.
  case move(from: Int, to: Int)
  case swap(Int, Int)

  func callAsFunction<Element: Storable>(_ elements: inout OrderedTree<Element>) {
    switch self {
    case .append(let value): elements.append(stored(value))
    case .insert(let value, let position): elements.insert(stored(value), at: position)
    case .replace(let position, let value): elements.replace(at: position, with: stored(value))
    case .replaceSubrange(let range, let values):
      elements.replaceSubrange(range, with: values.map { stored($0) as Element })
    case .remove(let position): elements.remove(at: position)
    case .move(let source, let destination): elements.move(from: source, to: destination)
    case .swap(let first, let second): elements.swapAt(first, second)
    }
  }
}

extension AnyStoredElements {
  /// Changes a list, or removes an element of a set.
  func change(_ change: ListEdit) {
    #if DEBUG
      if shape == .set, case .remove = change {
      } else {
        assert(shape == .list, "Elements of a set have an order of their own.")
      }
    #endif
    edit(change)
  }

  /// Removes the `number` links to rows of `gone`, in a pass up to the last one. The elements are links, or any-values.
  func removeLinks(_ number: Int, as type: ColumnType, _ gone: (ObjectLink) -> Bool) {
    if let links = self as? StoredElements<Int64>, let target = type.target {
      links.elements.removeAll(atMost: number) { gone(ObjectLink(target, ObjectKey($0))) }
    } else if let values = self as? StoredElements<Value> {
      values.elements.removeAll(atMost: number) { $0.linked.map(gone) ?? false }
    }
  }

  /// The edits that lead from `old`, a list or a set of the same column, to this one.
  func changes(from old: AnyStoredElements, visited: inout Int) -> [OrderedTreeEdit] {
    assert(shape == old.shape, "Two collections of one column are compared.")
    let (edits, nodes) = read(ElementChanges(old: old))
    visited += nodes
    return edits
  }
}

private struct ElementChanges: ElementsReading {
  let old: AnyStoredElements

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> ([OrderedTreeEdit], Int) {
    guard let old = old as? StoredElements<Element> else {
      fatalError("Two collections of one column have different element types.")
    }
    var visited = 0
    let edits = OrderedTree.changes(
      from: old.elements, to: elements, nodesVisited: &visited, areIdentical: Element.isIdentical)
    return (edits, visited)
  }
}
