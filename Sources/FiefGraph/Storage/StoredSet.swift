/// A set without its element type: what the kernel's generic parts see.
public class AnyStoredSet: StoredCollection, @unchecked Sendable {
  /// Where the element that equals `value` by `StoredOrder` stands, or would stand. O(log count).
  public func find(_ value: Value) -> (position: Int, isPresent: Bool) { fatalError("A set has an element type.") }
  /// Adds `value`, which fits the column, unless an equal element is there. O(log count).
  ///
  /// - Returns: whether it was added.
  func insert(_ value: Value) -> Bool { fatalError("A set has an element type.") }
  /// Takes out the element at `position`.
  func remove(at position: Int) { fatalError("A set has an element type.") }
  /// What leads from `old` to this set.
  func changes(
    from old: AnyStoredSet, as type: ColumnType, visited: inout Int
  ) -> (removed: [Value], inserted: [Value]) {
    fatalError("A set has an element type.")
  }
}

/// The elements of a set cell, each once, in the order of `StoredOrder`.
public final class StoredSet<Element: Storable>: AnyStoredSet, @unchecked Sendable {
  /// The elements, ascending.
  @exclusivity(unchecked) public internal(set) var elements: OrderedTree<Element>

  init(_ elements: OrderedTree<Element> = OrderedTree()) {
    self.elements = elements
    super.init()
  }

  public override var count: Int { elements.count }

  public override func value(at position: Int, as type: ColumnType) -> Value { elements[position].value(as: type) }

  public override func forEach(as type: ColumnType, _ body: (Value) throws -> Bool) rethrows {
    for element in elements {
      guard try body(element.value(as: type)) else { return }
    }
  }

  override func copy() -> StoredCollection { StoredSet(elements) }

  public override func isSameStorage(as other: StoredCollection) -> Bool {
    self === other || (other as? Self).map { elements.isIdentical(to: $0.elements) } ?? false
  }

  override func checkInvariants(_ name: String) -> [String] {
    elements.checkInvariants(areIdentical: Element.isIdentical) { Element.compare($0, $1) < 0 }.map { "\(name): \($0)" }
  }

  public override func find(_ value: Value) -> (position: Int, isPresent: Bool) {
    guard let element = Element(value) else { return (0, false) }
    return find(element)
  }

  /// Where the element that equals `element` stands, or would stand. O(log count).
  public func find(_ element: Element) -> (position: Int, isPresent: Bool) {
    let position = elements.partitionPoint { Element.compare($0, element) >= 0 }
    return (position, position < elements.count && Element.compare(elements[position], element) == 0)
  }

  override func insert(_ value: Value) -> Bool {
    guard let element = Element(value) else { fatalError("A set was given a value of another type.") }
    let (position, isPresent) = find(element)
    if !isPresent { elements.insert(element, at: position) }
    return !isPresent
  }

  override func remove(at position: Int) { elements.remove(at: position) }

  override func changes(
    from old: AnyStoredSet, as type: ColumnType, visited: inout Int
  ) -> (removed: [Value], inserted: [Value]) {
    guard let old = old as? Self else { fatalError("Two sets of one column have different element types.") }
    var removed: [Value] = []
    var inserted: [Value] = []
    let edits = OrderedTree.changes(
      from: old.elements, to: elements, nodesVisited: &visited, areIdentical: Element.isIdentical)
    for edit in edits {
      for position in edit.oldRange { removed.append(old.elements[position].value(as: type)) }
      for position in edit.newRange { inserted.append(elements[position].value(as: type)) }
    }
    return (removed, inserted)
  }
}
