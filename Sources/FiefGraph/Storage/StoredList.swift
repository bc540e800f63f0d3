import FiefValues
import Foundation

/// A list without its element type: what the kernel's generic parts see.
public class AnyStoredList: StoredCollection, @unchecked Sendable {
  /// The type of its elements.
  public let kind: ElementKind

  init(_ kind: ElementKind) {
    self.kind = kind
    super.init(.list)
  }
}

/// The elements of a list cell, repetitions allowed, in the order that the application gave them.
public final class StoredList<Element: Storable>: AnyStoredList, @unchecked Sendable {
  /// The elements.
  @exclusivity(unchecked) public internal(set) var elements: OrderedTree<Element>

  init(_ elements: OrderedTree<Element> = OrderedTree()) {
    self.elements = elements
    super.init(Element.elementKind)
  }
}

extension AnyStoredList {
  /// The list with its element type. `kind` says which it is, and the list sets that for itself.
  @inline(__always)
  private func typed<Element: Storable>(_ type: Element.Type) -> StoredList<Element> {
    unsafeDowncast(self, to: StoredList<Element>.self)
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

  /// Puts `value`, which fits the column, in at `position` (0...count).
  func insert(_ value: Value, at position: Int) { edit(InsertElement(value: value, position: position)) }

  /// Puts `value`, which fits the column, in at the end.
  func append(_ value: Value) { edit(AppendElement(value: value)) }

  /// Puts `values`, which fit the column, in the place of the elements of `range`.
  func replaceSubrange(_ range: Range<Int>, with values: [Value]) {
    edit(ReplaceElements(range: range, values: values))
  }

  /// Puts `value`, which fits the column, in the place of the element at `position`.
  func replace(at position: Int, with value: Value) { edit(ReplaceElement(position: position, value: value)) }

  /// Takes the element at `source` out and puts it in so that it stands at `destination`.
  func move(from source: Int, to destination: Int) { edit(MoveElement(source: source, destination: destination)) }

  /// Exchanges two elements.
  func swapAt(_ a: Int, _ b: Int) { edit(SwapElements(a: a, b: b)) }

  /// Takes out every link to a row of `gone`, in one pass.
  func removeLinks(as type: ColumnType, _ gone: (ObjectLink) -> Bool) {
    withoutActuallyEscaping(gone) { edit(RemoveLinks(type: type, gone: $0)) }
  }

  /// The splices that lead from `old`, a list of the same column, to this one.
  func changes(from old: AnyStoredList, visited: inout Int) -> [OrderedTreeEdit] {
    let (edits, nodes) = read(ListChanges(old: old))
    visited += nodes
    return edits
  }
}

struct CopyList: ElementsReading {
  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> StoredCollection { StoredList(elements) }
}

struct IsSameList: ElementsReading {
  let other: AnyStoredList

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> Bool {
    (other as? StoredList<Element>).map { elements.isIdentical(to: $0.elements) } ?? false
  }
}

private struct ListChanges: ElementsReading {
  let old: AnyStoredList

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> ([OrderedTreeEdit], Int) {
    guard let old = old as? StoredList<Element> else {
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
