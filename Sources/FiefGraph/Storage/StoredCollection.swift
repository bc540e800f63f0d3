import FiefRuntime
import FiefValues
import Foundation

/// The contents of one list, set or dictionary, as a cell stores it.
///
///     StoredCollection ─┬─ AnyStoredElements ── StoredElements<Element>    lists and sets: an OrderedTree of elements
///                       └─ StoredDictionary                                an OrderedTree of entries
///
/// The generic parts of the kernel (deltas, links, dynamic access) use this base class, with positions and `Value`s. An
/// empty collection is never stored: its cell is nil.
///
/// Like a cluster, a collection is changed only by a transaction that holds the one reference to it. So any thread may
/// read it while it is reachable from a published version.
public class StoredCollection: @unchecked Sendable {
  /// Whether this is a list, a set or a dictionary.
  public let shape: ColumnShape

  init(_ shape: ColumnShape) {
    self.shape = shape
    LiveNodes.add()
  }

  deinit { LiveNodes.remove() }
}

extension StoredCollection {
  // The two casts below depend on `shape`: only a `StoredDictionary` is a dictionary.

  @inline(__always)
  var asElements: AnyStoredElements {
    assert(shape == .list || shape == .set, "Lists and sets have elements.")
    return unsafe unsafeDowncast(self, to: AnyStoredElements.self)
  }
  @inline(__always)
  var asDictionary: StoredDictionary {
    assert(shape == .dictionary, "Only a dictionary has entries.")
    return unsafe unsafeDowncast(self, to: StoredDictionary.self)
  }

  /// How many elements the collection has.
  public var count: Int {
    shape == .dictionary ? asDictionary.entries.count : asElements.read(CountElements())
  }

  /// The element, or the value of the dictionary's entry, at `position`, as a value of the column type `type`. O(log
  /// count); traps if out of range.
  public func value(at position: Int, as type: ColumnType) -> Value {
    shape == .dictionary
      ? asDictionary.entries[position].value : asElements.read(ReadElement(position: position, type: type))
  }

  /// The elements, or the values of the dictionary's entries, at some positions. O(log count + range); traps if out of
  /// range.
  package func values(in range: Range<Int>, as type: ColumnType) -> ContiguousArray<Value> {
    shape == .dictionary
      ? asDictionary.entries.map(in: range) { $0.value } : asElements.read(ReadElements(range: range, type: type))
  }

  /// The key of the dictionary's entry at `position`; nil for a list or a set. O(log count); traps if out of range.
  public func key(ofEntryAt position: Int) -> String? {
    shape == .dictionary ? asDictionary.entries[position].key : nil
  }

  /// Calls `body` with every element, or every value of a dictionary, in order, until it returns false. Linear.
  public func forEach(as type: ColumnType, _ body: (Value) -> Bool) {
    withoutActuallyEscaping(body) { body in
      if shape == .dictionary {
        asDictionary.forEachValue(body)
      } else {
        asElements.read(ForEachElement(type: type, body: body))
      }
    }
  }

  /// A new collection with the same contents that shares all nodes. Constant time.
  func copy() -> StoredCollection {
    shape == .dictionary
      ? StoredDictionary(asDictionary.entries) : asElements.read(CopyElements(shape: shape, kind: asElements.kind))
  }

  /// Whether both share one storage, and so are equal. Their elements are not read. Constant time.
  public func isSameStorage(as other: StoredCollection) -> Bool {
    if self === other { return true }
    guard shape == other.shape else { return false }
    return shape == .dictionary
      ? asDictionary.entries.isIdentical(to: other.asDictionary.entries)
      : asElements.read(AreSameElements(other: other.asElements))
  }

  /// Every fault of the collection's own shape, each with its path. The name is evaluated only for a fault.
  func checkInvariants(_ name: @autoclosure () -> String) -> [String] {
    let faults =
      shape == .dictionary ? asDictionary.checkEntries() : asElements.read(CheckElements(isSet: shape == .set))
    return faults.map { "\(name()): \($0)" }
  }

  /// Calls `body` with every link among the elements or values, repetitions included.
  func forEachLink(as type: ColumnType, _ body: (ObjectLink) -> Void) {
    guard type.canLink else { return }
    forEach(as: type) {
      if case .link(let link) = $0 { body(link) }
      return true
    }
  }

  /// An empty collection for a column of the given type.
  static func empty(for type: ColumnType) -> StoredCollection {
    assert(type.isCollection, "Only a column of collections has them.")
    return type.shape == .dictionary ? StoredDictionary() : AnyStoredElements.make(type.shape, type.elementKind)
  }

  /// Whether the collection has the stored form of cells of a column of `type`.
  func isStorage(for type: ColumnType) -> Bool {
    shape == type.shape && (shape == .dictionary || asElements.kind == type.elementKind)
  }
}

private struct CheckElements: ElementsReading {
  let isSet: Bool

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> [String] {
    isSet
      ? elements.checkInvariants(areIdentical: Element.isIdentical) { Element.compare($0, $1) < 0 }
      : elements.checkInvariants(areIdentical: Element.isIdentical)
  }
}
