import FiefValues
import Foundation

/// The contents of one list, set or dictionary, as a cell holds it.
///
/// The three subclasses keep their elements in an `OrderedTree`; this base is what the generic parts of the kernel
/// (deltas, links, dynamic access) see: positions and `Value`s. An empty collection is never stored: its cell is nil.
///
/// Like a cluster, one is changed only by a transaction that holds the one reference to it, so it may be read from any
/// thread whenever it can be reached from a published version.
public class StoredCollection: @unchecked Sendable {
  init() { LiveNodes.add() }
  deinit { LiveNodes.remove() }

  /// How many elements there are.
  public var count: Int { fatalError("A collection is a list, a set or a dictionary.") }

  /// The element, or the value of the dictionary's entry, at `position`, seen as one of `type`. O(log count); traps
  /// when out of range.
  public func value(at position: Int, as type: ColumnType) -> Value {
    fatalError("A collection is a list, a set or a dictionary.")
  }

  /// Calls `body` with every element, or every value of a dictionary, in order, until it returns false. Linear.
  public func forEach(as type: ColumnType, _ body: (Value) throws -> Bool) rethrows {
    fatalError("A collection is a list, a set or a dictionary.")
  }

  /// A collection of its own with the same contents, sharing all nodes. Constant time.
  func copy() -> StoredCollection { fatalError("A collection is a list, a set or a dictionary.") }

  /// Whether the two are one storage: then they are equal without a look at their elements. Constant time.
  public func isSameStorage(as other: StoredCollection) -> Bool { self === other }

  /// Every fault of the collection's own shape, each with its path.
  func checkInvariants(_ name: String) -> [String] { fatalError("A collection is a list, a set or a dictionary.") }
}

extension StoredCollection {
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
