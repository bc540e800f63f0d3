import FiefValues
import Foundation

/// A set without its element type: what the kernel's generic parts see.
public class AnyStoredSet: StoredCollection, @unchecked Sendable {
  /// The type of its elements.
  public let kind: ElementKind

  init(_ kind: ElementKind) {
    self.kind = kind
    super.init(.set)
  }
}

/// The elements of a set cell, each once, in the order of `StoredOrder`.
public final class StoredSet<Element: Storable>: AnyStoredSet, @unchecked Sendable {
  /// The elements, ascending.
  @exclusivity(unchecked) public internal(set) var elements: OrderedTree<Element>

  init(_ elements: OrderedTree<Element> = OrderedTree()) {
    self.elements = elements
    super.init(Element.elementKind)
  }
}

extension AnyStoredSet {
  /// The set with its element type. `kind` says which it is, and the set sets that for itself.
  @inline(__always)
  private func typed<Element: Storable>(_ type: Element.Type) -> StoredSet<Element> {
    unsafeDowncast(self, to: StoredSet<Element>.self)
  }

  @inline(__always)
  private func elements<Element: Storable>(_ type: Element.Type) -> OrderedTree<Element> { typed(type).elements }

  func read<Reading: ElementsReading>(_ reading: Reading) -> Reading.Result {
    switch kind {
    case .int: reading(elements(Int64.self))
    case .float: reading(elements(Float.self))
    case .double: reading(elements(Double.self))
    case .string: reading(elements(String.self))
    case .data: reading(elements(Data.self))
    case .date: reading(elements(Timestamp.self))
    case .objectId: reading(elements(ObjectId.self))
    case .uuid: reading(elements(UUID.self))
    case .decimal: reading(elements(Decimal128.self))
    case .any: reading(elements(Value.self))
    }
  }

  func edit<Edit: ElementsEdit>(_ edit: Edit) -> Edit.Result {
    switch kind {
    case .int: edit(&typed(Int64.self).elements)
    case .float: edit(&typed(Float.self).elements)
    case .double: edit(&typed(Double.self).elements)
    case .string: edit(&typed(String.self).elements)
    case .data: edit(&typed(Data.self).elements)
    case .date: edit(&typed(Timestamp.self).elements)
    case .objectId: edit(&typed(ObjectId.self).elements)
    case .uuid: edit(&typed(UUID.self).elements)
    case .decimal: edit(&typed(Decimal128.self).elements)
    case .any: edit(&typed(Value.self).elements)
    }
  }

  /// Where the element that equals `value` by `StoredOrder` stands, or would stand. O(log count).
  ///
  /// A value of another kind is not present.
  public func find(_ value: Value) -> (position: Int, isPresent: Bool) { read(FindElement(value: value)) }

  /// Adds `value`, which fits the column, unless an equal element is there. O(log count).
  ///
  /// - Returns: whether it was added.
  func insert(_ value: Value) -> Bool { edit(InsertInOrder(value: value)) }

  /// Takes out the element at `position`.
  func remove(at position: Int) { edit(RemoveElement(position: position)) }

  /// What leads from `old`, a set of the same column, to this one.
  func changes(
    from old: AnyStoredSet, as type: ColumnType, visited: inout Int
  ) -> (removed: [Value], inserted: [Value]) {
    let (removed, inserted, nodes) = read(SetChanges(old: old, type: type))
    visited += nodes
    return (removed, inserted)
  }
}

struct CopySet: ElementsReading {
  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> StoredCollection { StoredSet(elements) }
}

struct IsSameSet: ElementsReading {
  let other: AnyStoredSet

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> Bool {
    (other as? StoredSet<Element>).map { elements.isIdentical(to: $0.elements) } ?? false
  }
}

extension OrderedTree where Element: Storable {
  /// Where the element that equals `element` stands in a set, or would stand. O(log count).
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

private struct SetChanges: ElementsReading {
  let old: AnyStoredSet
  let type: ColumnType

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> ([Value], [Value], Int) {
    guard let old = old as? StoredSet<Element> else {
      fatalError("Two sets of one column have different element types.")
    }
    var visited = 0
    var removed: [Value] = []
    var inserted: [Value] = []
    let edits = OrderedTree.changes(
      from: old.elements, to: elements, nodesVisited: &visited, areIdentical: Element.isIdentical)
    for edit in edits {
      for position in edit.oldRange { removed.append(old.elements[position].value(as: type)) }
      for position in edit.newRange { inserted.append(elements[position].value(as: type)) }
    }
    return (removed, inserted, visited)
  }
}
