import FiefValues
import Foundation

/// A list or a set without its element type, for the kernel's generic parts.
///
/// Elements have four stored types: `Int64`, `Double` for floats, too, `String`, and `Value` for all other kinds. Any
/// thread may read it, as any `StoredCollection`.
public class AnyStoredElements: StoredCollection, @unchecked Sendable {
  /// `ColumnType.elementKind` of its column.
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
  public init(
    _ shape: ColumnShape, _ elements: OrderedTree<Element> = OrderedTree(), kind: ValueKind = Element.storedKind
  ) {
    self.elements = elements
    super.init(shape, kind)
  }
}

extension AnyStoredElements {
  /// A collection without elements.
  static func make(_ shape: ColumnShape, _ kind: ValueKind) -> AnyStoredElements {
    assert(shape == .list || shape == .set, "Lists and sets have elements.")
    switch kind {
    case .int: return StoredElements<Int64>(shape, kind: kind)
    case .float, .double: return StoredElements<Double>(shape, kind: kind)
    case .string: return StoredElements<String>(shape, kind: kind)
    case .data, .date, .objectId, .uuid, .decimal, .any: return StoredElements<Value>(shape, kind: kind)
    case .bool, .link: wrongLeaf()
    }
  }

  /// The collection with its element type. The cast depends on `kind`, which determines the element type.
  @inline(__always)
  private func typed<Element: Storable>(_ type: Element.Type) -> StoredElements<Element> {
    assert(self is StoredElements<Element>, "A collection is read as the type of its elements.")
    return unsafe unsafeDowncast(self, to: StoredElements<Element>.self)
  }

  @inline(__always)
  private func elements<Element: Storable>(_ type: Element.Type) -> OrderedTree<Element> { typed(type).elements }

  /// Appends to a list of integers, booleans or links.
  @inline(__always)
  func append(_ integer: Int64) { typed(Int64.self).elements.append(integer) }

  /// Calls `body` with every integer, boolean or key of a link.
  @inline(__always)
  func forEachInteger(_ body: (Int64) throws -> Void) rethrows {
    let integers = elements(Int64.self)
    try integers.forEachLeaf(in: 0..<integers.count) { leaf, _ in
      for integer in leaf { try body(integer) }
      return true
    }
  }

  func read<Reading: ElementsReading>(_ reading: Reading) -> Reading.Result {
    switch kind {
    case .int: reading(elements(Int64.self))
    case .float, .double: reading(elements(Double.self))
    case .string: reading(elements(String.self))
    case .data, .date, .objectId, .uuid, .decimal, .any: reading(elements(Value.self))
    case .bool, .link: wrongLeaf()
    }
  }

  func edit<Edit: ElementsEdit>(_ edit: Edit) -> Edit.Result {
    switch kind {
    case .int: edit(&typed(Int64.self).elements)
    case .float, .double: edit(&typed(Double.self).elements)
    case .string: edit(&typed(String.self).elements)
    case .data, .date, .objectId, .uuid, .decimal, .any: edit(&typed(Value.self).elements)
    case .bool, .link: wrongLeaf()
    }
  }
}

extension LeafValues {
  /// Floats or doubles as elements are stored. Traps for a leaf of another type.
  public var doubles: ContiguousArray<Double> {
    if case .float(let array) = self { return ContiguousArray(array.lazy.map(Double.init(exactBits:))) }
    return Double.buffer(of: self)
  }

  /// The values as elements are stored, for all kinds but numbers and strings. Traps for a leaf of collections.
  public var values: ContiguousArray<Value> {
    if case .any(let array) = self { return array }
    guard let kind else { wrongLeaf() }
    return ContiguousArray((0..<count).lazy.map { value(at: $0, as: ColumnType(kind)) })
  }
}

struct CopyElements: ElementsReading {
  let shape: ColumnShape
  let kind: ValueKind

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> StoredCollection {
    StoredElements(shape, elements, kind: kind)
  }
}

struct AreSameElements: ElementsReading {
  let other: AnyStoredElements

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> Bool {
    (other as? StoredElements<Element>).map { elements.isIdentical(to: $0.elements) } ?? false
  }
}
