import FiefGraph
import FiefRuntime

/// An entry of a `Map`.
///
///     for entry in person.scores where entry.value > 9 { print(entry.key) }
///
/// Two entries are equal when their values are, as in Realm; the hash is that of the key.
@frozen
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue>: Hashable {
  /// The key.
  public let key: Key
  /// The value.
  public let value: Value

  /// Whether the values are equal.
  public static func == (a: SingleMapEntry, b: SingleMapEntry) -> Bool { Value.areEqual(a.value, b.value) }

  /// Hashes the key.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// An entry of a map as a map's iterators return it. Applications do not conform to it.
public protocol _MapElement {
  /// The type of the keys.
  associatedtype Key: _MapKey
  /// The type of the values.
  associatedtype Value: RealmCollectionValue
  /// Makes the entry of a key and a value.
  static func _entry(_ key: Key, _ value: Value) -> Self
}

extension SingleMapEntry: _MapElement {
  /// Makes the entry of a key and a value.
  public static func _entry(_ key: Key, _ value: Value) -> SingleMapEntry { SingleMapEntry(key: key, value: value) }
}

/// Iterates over the entries of a `Map`.
public struct RLMMapIterator<Element: _MapElement>: IteratorProtocol {
  private var entries: MapEntries<Element.Key, Element.Value>

  init(_ map: Map<Element.Key, Element.Value>) { entries = MapEntries(map) }

  /// The next entry; nil after the last.
  public mutating func next() -> Element? { entries.next().map { Element._entry($0.0, $0.1) } }
}

/// Iterates over the entries of a `Map` as pairs.
public struct RLMKeyValueIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
  private var entries: MapEntries<Key, Value>

  init(_ map: Map<Key, Value>) { entries = MapEntries(map) }

  /// The next pair; nil after the last.
  public mutating func next() -> (key: Key, value: Value)? { entries.next().map { (key: $0.0, value: $0.1) } }
}

/// The entries of a map as they were when the iteration began.
private struct MapEntries<Key: _MapKey, Value: RealmCollectionValue> {
  private var stored: OrderedTree<DictionaryEntry>.Iterator?
  private let context: _StoreContext?
  private var unmanaged: Dictionary<IdenticalText, Value>.Iterator

  init(_ map: Map<Key, Value>) {
    stored = map.location == nil ? nil : map.storedEntries.makeIterator()
    context = map.location?.context
    unmanaged = map.unmanaged.makeIterator()
  }

  mutating func next() -> (Key, Value)? {
    if let context {
      return (stored?.next()).map { (Map<Key, Value>.key($0.key), Value._fromStored($0.value, context)) }
    }
    return unmanaged.next().map { (Map<Key, Value>.key($0.key.text), $0.value) }
  }
}

extension Map: Sequence {
  /// The entries as a sequence of pairs.
  ///
  ///     for (key, value) in person.scores.asKeyValueSequence() { print(key, value) }
  public struct KeyValueSequence: Sequence {
    let map: Map

    /// Iterates over the pairs that exist when the iteration begins.
    public func makeIterator() -> RLMKeyValueIterator<Key, Value> { RLMKeyValueIterator(map) }
  }

  /// Iterates over the entries that exist when the iteration begins. Changes of the map do not disturb the iteration.
  ///
  ///     for entry in person.scores { print(entry.key, entry.value) }
  public func makeIterator() -> RLMMapIterator<SingleMapEntry<Key, Value>> { RLMMapIterator(self) }

  /// The entries as a sequence of pairs; nothing is copied.
  ///
  ///     let total = person.scores.asKeyValueSequence().reduce(0) { $0 + $1.value }
  public func asKeyValueSequence() -> KeyValueSequence { KeyValueSequence(map: self) }
}
