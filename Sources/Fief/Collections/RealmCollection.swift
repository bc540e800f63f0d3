public import Foundation

/// What all collections of realms are: random access by position, part of a realm, and lazy: `map` and `filter` with a
/// closure do nothing until their result is gone over, unless an array is asked for.
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

  /// The elements, as what queries go out from. Traps when the collection is unmanaged.
  func _asResults() -> Results<Element>
}

extension RealmCollection {
  /// The elements at some positions, ascending. Traps when one is out of range.
  public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }
}

/// A collection of values under keys: `Map`.
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
  /// The value under a key; nil when there is none. Setting nil removes the entry.
  subscript(key: Key) -> Value? { get set }
  /// Puts a value under a key.
  func updateValue(_ value: Value, forKey key: Key)
  /// Removes the entry of a key, if there is one.
  func removeObject(for key: Key)
  /// Removes all entries.
  func removeAll()
}
