import FiefValues
import Foundation

/// The contents of one list, set or dictionary, as a cell holds it.
///
///     StoredCollection ─┬─ AnyStoredList ── StoredList<Element>         an OrderedTree each
///                       ├─ AnyStoredSet ─── StoredSet<Element>
///                       └─ StoredDictionary
///
/// This base is what the generic parts of the kernel (deltas, links, dynamic access) see: positions and `Value`s. An
/// empty collection is never stored: its cell is nil.
///
/// Like a cluster, one is changed only by a transaction that holds the one reference to it, so it may be read from any
/// thread whenever it can be reached from a published version.
public class StoredCollection: @unchecked Sendable {
  /// A list, a set or a dictionary.
  public let shape: ColumnShape

  init(_ shape: ColumnShape) {
    self.shape = shape
    LiveNodes.add()
  }

  deinit { LiveNodes.remove() }
}

extension StoredCollection {
  // The three casts below are decided by `shape`, which each subclass sets for itself.

  @inline(__always)
  var asList: AnyStoredList { unsafeDowncast(self, to: AnyStoredList.self) }
  @inline(__always)
  var asSet: AnyStoredSet { unsafeDowncast(self, to: AnyStoredSet.self) }
  @inline(__always)
  var asDictionary: StoredDictionary { unsafeDowncast(self, to: StoredDictionary.self) }

  /// How many elements there are.
  public var count: Int {
    switch shape {
    case .list: asList.read(CountElements())
    case .set: asSet.read(CountElements())
    default: asDictionary.entries.count
    }
  }

  /// The element, or the value of the dictionary's entry, at `position`, seen as one of `type`. O(log count); traps
  /// when out of range.
  public func value(at position: Int, as type: ColumnType) -> Value {
    switch shape {
    case .list: asList.read(ReadElement(position: position, type: type))
    case .set: asSet.read(ReadElement(position: position, type: type))
    default: asDictionary.entries[position].value
    }
  }

  /// Calls `body` with every element, or every value of a dictionary, in order, until it returns false. Linear.
  public func forEach(as type: ColumnType, _ body: (Value) -> Bool) {
    withoutActuallyEscaping(body) { body in
      switch shape {
      case .list: asList.read(ForEachElement(type: type, body: body))
      case .set: asSet.read(ForEachElement(type: type, body: body))
      default: asDictionary.forEachValue(body)
      }
    }
  }

  /// A collection of its own with the same contents, sharing all nodes. Constant time.
  func copy() -> StoredCollection {
    switch shape {
    case .list: asList.read(CopyList())
    case .set: asSet.read(CopySet())
    default: StoredDictionary(asDictionary.entries)
    }
  }

  /// Whether the two are one storage: then they are equal without a look at their elements. Constant time.
  public func isSameStorage(as other: StoredCollection) -> Bool {
    if self === other { return true }
    guard shape == other.shape else { return false }
    switch shape {
    case .list: return asList.read(IsSameList(other: other.asList))
    case .set: return asSet.read(IsSameSet(other: other.asSet))
    default: return asDictionary.entries.isIdentical(to: other.asDictionary.entries)
    }
  }

  /// Every fault of the collection's own shape, each with its path.
  func checkInvariants(_ name: String) -> [String] {
    let faults: [String]
    switch shape {
    case .list: faults = asList.read(CheckElements(isSet: false))
    case .set: faults = asSet.read(CheckElements(isSet: true))
    default: faults = asDictionary.checkEntries()
    }
    return faults.map { "\(name): \($0)" }
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
    if type.shape == .dictionary { return StoredDictionary() }
    if type.kind != .link && type.allowsNull { return make(Value.self, type.shape) }
    switch type.kind {
    case .bool, .int, .link: return make(Int64.self, type.shape)
    case .float: return make(Float.self, type.shape)
    case .double: return make(Double.self, type.shape)
    case .string: return make(String.self, type.shape)
    case .data: return make(Data.self, type.shape)
    case .date: return make(Timestamp.self, type.shape)
    case .objectId: return make(ObjectId.self, type.shape)
    case .uuid: return make(UUID.self, type.shape)
    case .decimal: return make(Decimal128.self, type.shape)
    case .any: return make(Value.self, type.shape)
    }
  }

  private static func make<Element: Storable>(_ type: Element.Type, _ shape: ColumnShape) -> StoredCollection {
    shape == .list ? StoredList<Element>() : StoredSet<Element>()
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
