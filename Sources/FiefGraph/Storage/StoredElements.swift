import FiefValues
import Foundation

/// A list or a set without its element type, for the kernel's generic parts.
///
/// The operations on lists are in `StoredList.swift`, those on sets in `StoredSet.swift`; `shape` distinguishes them.
/// Any thread may read it, as any `StoredCollection`.
public class AnyStoredElements: StoredCollection, @unchecked Sendable {
  /// The kind of its elements' stored type.
  public let kind: ValueKind

  init(_ shape: ColumnShape, _ kind: ValueKind) {
    self.kind = kind
    super.init(shape)
  }
}

/// The elements of a list cell, in the order of the application, or of a set cell, each once and in `StoredOrder`.
/// Any thread may read them; see `StoredCollection`.
public final class StoredElements<Element: Storable>: AnyStoredElements, @unchecked Sendable {
  // Exclusivity is not checked at run time: only `Transaction` changes the elements, never re-entrantly.

  /// The elements.
  @safe @exclusivity(unchecked) public internal(set) var elements: OrderedTree<Element>

  /// Makes the contents of a list or a set cell. The order of a set's elements is not checked here; applying the delta
  /// that inserts them into a graph checks it.
  public init(_ shape: ColumnShape, _ elements: OrderedTree<Element> = OrderedTree()) {
    self.elements = elements
    super.init(shape, Element.storedKind)
  }
}

extension AnyStoredElements {
  /// The collection with its element type. The cast depends on `kind`, which `StoredElements` sets to its own element
  /// type.
  @inline(__always)
  private func typed<Element: Storable>(_ type: Element.Type) -> StoredElements<Element> {
    assert(kind == Element.storedKind, "A collection is read as the type of its elements.")
    return unsafe unsafeDowncast(self, to: StoredElements<Element>.self)
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
    case .bool, .link: wrongLeaf()
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
    case .bool, .link: wrongLeaf()
    }
  }
}

struct CopyElements: ElementsReading {
  let shape: ColumnShape

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> StoredCollection {
    StoredElements(shape, elements)
  }
}

struct AreSameElements: ElementsReading {
  let other: AnyStoredElements

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> Bool {
    (other as? StoredElements<Element>).map { elements.isIdentical(to: $0.elements) } ?? false
  }
}
