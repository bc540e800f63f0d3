public import Foundation

/// The common protocol of a realm's collections. They provide random access by position and are lazy: `map` and
/// `filter` with a closure do no work until their result is iterated, unless the result type is an array.
public protocol RealmCollectionBase: RandomAccessCollection, LazyCollectionProtocol, CustomStringConvertible,
  ThreadConfined
where Element: RealmCollectionValue {
  /// The type of the elements.
  typealias ElementType = Element
}

/// A collection of a realm: `List`, `MutableSet`, `Results`, `LinkingObjects` or `AnyRealmCollection`.
///
///     func names<C: RealmCollection>(_ dogs: C) -> [String] where C.Element == Dog { dogs.map(\.name) }
public protocol RealmCollection: RealmCollectionBase, Equatable, _Observed
where
  Iterator == RLMIterator<Element>, Index == Int, Indices == Range<Int>, _Change == RealmCollectionChange<Self>,
  _ObservedElement == Element
{
  /// The position of the first element that equals `object`, or nil. Managed objects are compared by row.
  func index(of object: Element) -> Int?

  /// The elements as results, on which queries are based. Traps when the collection is unmanaged.
  func _asResults() -> Results<Element>
}

extension RealmCollection {
  /// The elements at the given positions, in ascending order. Traps when one is out of range.
  public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }
}

/// A collection of key-value pairs: `Map`.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible {
  /// The type of the keys.
  associatedtype Key: _MapKey
  /// The type of the values.
  associatedtype Value: RealmCollectionValue

  /// The number of entries.
  var count: Int { get }
  /// All keys, in the order of the entries.
  var keys: [Key] { get }
  /// All values, in the order of the entries.
  var values: [Value] { get }
  /// The value for a key; nil when the key is missing. Setting nil removes the entry.
  subscript(key: Key) -> Value? { get set }
  /// Sets the value for a key.
  func updateValue(_ value: Value, forKey key: Key)
  /// Removes the entry for a key, if it exists.
  func removeObject(for key: Key)
  /// Removes all entries.
  func removeAll()
}
