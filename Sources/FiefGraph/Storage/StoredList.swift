/// A list without its element type: what the kernel's generic parts see.
public class AnyStoredList: StoredCollection, @unchecked Sendable {
  /// Puts `value`, which fits the column, in at `position` (0...count).
  func insert(_ value: Value, at position: Int) { fatalError("A list has an element type.") }
  /// Takes out the element at `position`.
  func remove(at position: Int) { fatalError("A list has an element type.") }
  /// Takes out the elements of `range`.
  func removeSubrange(_ range: Range<Int>) { fatalError("A list has an element type.") }
  /// Puts `value`, which fits the column, in the place of the element at `position`.
  func replace(at position: Int, with value: Value) { fatalError("A list has an element type.") }
  /// Takes the element at `source` out and puts it in so that it stands at `destination`.
  func move(from source: Int, to destination: Int) { fatalError("A list has an element type.") }
  /// Exchanges two elements.
  func swapAt(_ a: Int, _ b: Int) { fatalError("A list has an element type.") }
  /// Takes out every link to a row of `gone`, in one pass.
  func removeLinks(as type: ColumnType, _ gone: (ObjectLink) -> Bool) { fatalError("A list has an element type.") }
  /// The splices that lead from `old` to this list: ranges of old positions, and of new ones.
  func changes(from old: AnyStoredList, visited: inout Int) -> [OrderedTreeEdit] {
    fatalError("A list has an element type.")
  }
}

/// The elements of a list cell, repetitions allowed, in the order that the application gave them.
public final class StoredList<Element: Storable>: AnyStoredList, @unchecked Sendable {
  /// The elements.
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

  override func copy() -> StoredCollection { StoredList(elements) }

  public override func isSameStorage(as other: StoredCollection) -> Bool {
    self === other || (other as? Self).map { elements.isIdentical(to: $0.elements) } ?? false
  }

  override func checkInvariants(_ name: String) -> [String] {
    elements.checkInvariants(areIdentical: Element.isIdentical).map { "\(name): \($0)" }
  }

  override func insert(_ value: Value, at position: Int) { elements.insert(stored(value), at: position) }
  override func remove(at position: Int) { elements.remove(at: position) }
  override func removeSubrange(_ range: Range<Int>) { elements.removeSubrange(range) }
  override func replace(at position: Int, with value: Value) { elements.replace(at: position, with: stored(value)) }
  override func move(from source: Int, to destination: Int) { elements.move(from: source, to: destination) }
  override func swapAt(_ a: Int, _ b: Int) { elements.swapAt(a, b) }

  override func removeLinks(as type: ColumnType, _ gone: (ObjectLink) -> Bool) {
    elements.removeAll { $0.value(as: type).linked.map(gone) ?? false }
  }

  override func changes(from old: AnyStoredList, visited: inout Int) -> [OrderedTreeEdit] {
    guard let old = old as? Self else { fatalError("Two lists of one column have different element types.") }
    return OrderedTree.changes(
      from: old.elements, to: elements, nodesVisited: &visited, areIdentical: Element.isIdentical)
  }

  private func stored(_ value: Value) -> Element {
    guard let element = Element(value) else { fatalError("A list was given a value of another type.") }
    return element
  }
}
