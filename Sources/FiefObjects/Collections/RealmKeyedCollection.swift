/// A collection of key-value pairs: `Map`.
///
///     func keys<M: RealmKeyedCollection>(of map: M) -> [M.Key] { map.keys }
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible {
  /// The type of the keys.
  associatedtype Key: _MapKey
  /// The type of the values.
  associatedtype Value: RealmCollectionValue

  /// The number of entries.
  var count: Int { get }
  /// All keys, in the order of the entries. Linear.
  var keys: [Key] { get }
  /// All values, in the order of the entries. Linear.
  var values: [Value] { get }
  /// The value for a key; nil when the key is missing. Setting nil removes the entry.
  subscript(key: Key) -> Value? { get set }
  /// Sets the value for a key; inserts an entry when the key is missing.
  func updateValue(_ value: Value, forKey key: Key)
  /// Removes the entry for a key, if it exists.
  func removeObject(for key: Key)
  /// Removes all entries.
  func removeAll()
}
