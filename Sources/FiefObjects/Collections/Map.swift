import FiefGraph
import FiefRuntime
import Foundation

/// A dictionary as a property of an object.
///
///     class Person: Object {
///       @Persisted var dogs: Map<String, Dog?>
///       @Persisted var scores: Map<String, Int>
///     }
///     try realm.write { person.scores["chess"] = 7 }
///     for entry in person.scores { print(entry.key, entry.value) }
///
/// Keys are strings, and are equal if their UTF-8 bytes are. In a realm they must not begin with `$` or contain `.`:
/// storing such a key fails the write. The values of a map of objects are optional: when an object is deleted, its key
/// stays, with null. A managed map is ordered by the bytes of its keys; an unmanaged map has no order.
///
/// A managed map is live, can be changed only in write transactions, and belongs to the realm's thread, queue or actor.
/// Changing it traps outside a write transaction, and when the map is frozen or its object was deleted. A value that
/// the realm cannot store (an object of another realm) fails the write, and changes nothing.
///
/// The complexities of the methods are those of a managed map of n entries. An unmanaged map costs as much as a
/// dictionary.
public final class Map<Key: _MapKey, Value: RealmCollectionValue>: CollectionBase {
  /// The entries of an unmanaged map. Its keys are those of a store: equal if their bytes are.
  @safe @exclusivity(unchecked) final var unmanaged: [IdenticalText: Value] = [:] {
    didSet { checkOwnElements() }
  }

  /// Makes an unmanaged map without entries.
  ///
  ///     let scores = Map<String, Int>()
  ///     scores["chess"] = 7
  public override init() { super.init() }

  /// The managed map of a property.
  public override init(_ location: _CollectionLocation) { super.init(location) }

  deinit {
    isTracing = false
    ReleaseQueue.release(&unmanaged)
  }

  override func contents() -> [(key: String?, content: _PropertyContent)] {
    unmanaged.map { ($0.key.text, Value._encode($0.value)) }
  }

  override func bind(_ location: CollectionLocation) {
    super.bind(location)
    unmanaged = [:]
  }

  /// The stored form of a key.
  package static func text(_ key: Key) -> String {
    guard let text = key as? String else { fatalError("The keys of a Map are strings; '\(Key.self)' is another type.") }
    return text
  }

  /// The application's form of a stored key.
  package static func key(_ text: String) -> Key {
    guard let key = text as? Key else { fatalError("The keys of a Map are strings; '\(Key.self)' is another type.") }
    return key
  }

  /// The entries in the map's order.
  final var entries: [(key: Key, value: Value)] {
    guard location != nil else { return unmanaged.map { (Self.key($0.key.text), $0.value) } }
    let context = context
    return storedEntries.map { (Self.key($0.key), Value._fromStored($0.value, context)) }
  }

  /// The entries of a managed map at this moment; later changes of the map do not affect them.
  final var storedEntries: OrderedTree<DictionaryEntry> {
    guard let location else { return OrderedTree() }
    return (borrowedContents(location) as? StoredDictionary)?.entries ?? OrderedTree()
  }
}

// MARK: - Reading

extension Map: RealmKeyedCollection {
  /// The number of entries. Traps when the map's object was deleted.
  public var count: Int { location == nil ? (isTraced ? 1 : unmanaged.count) : storedCount }

  /// Whether there are no entries.
  public var isEmpty: Bool { count == 0 }

  /// All keys, in the order of the entries.
  ///
  ///     for key in person.scores.keys where key.hasPrefix("ch") { print(key) }
  ///
  /// - Complexity: O(n).
  public var keys: [Key] {
    if location == nil { return isTraced ? [] : unmanaged.keys.map { Self.key($0.text) } }
    return storedEntries.map { Self.key($0.key) }
  }

  /// All values, in the order of the entries; each object gets a new accessor.
  ///
  ///     let total = person.scores.values.reduce(0, +)
  ///
  /// - Complexity: O(n).
  public var values: [Value] {
    if location == nil { return isTraced ? [Tracing.element(Value.self)] : Array(unmanaged.values) }
    let context = context
    return storedEntries.map { Value._fromStored($0.value, context) }
  }

  /// The value for a key; nil when the key is missing.
  ///
  /// Setting a value inserts or replaces the entry, and setting nil removes it. In a map of optionals the result is
  /// doubly optional: an entry with null reads as `.some(nil)`, and `map[key] = .some(nil)` stores null.
  ///
  ///     let score = person.scores["chess"] ?? 0
  ///     try realm.write { person.scores["go"] = nil }
  ///
  /// - Complexity: O(log n).
  public subscript(key: Key) -> Value? {
    get {
      guard let location else {
        return isTraced ? Tracing.element(Value.self) : unmanaged[IdenticalText(Self.text(key))]
      }
      guard let contents = stored(location) else { return nil }
      let value = contents.with { unsafe unsafeDowncast($0, to: StoredDictionary.self)[Self.text(key)] }
      return value.map { Value._fromStored($0, location.context) }
    }
    set {
      if let newValue { updateValue(newValue, forKey: key) } else { removeObject(for: key) }
    }
  }

  /// The value for a key that may be of any type; nil when the key is missing or is not a string.
  ///
  ///     let score = person.scores.object(forKey: "chess" as NSString)
  ///
  /// As with the subscript, an entry with null reads as `.some(nil)` in a map of optionals.
  ///
  /// - Complexity: O(log n).
  public func object(forKey key: AnyObject) -> Value? { (key as? Key).flatMap { self[$0] } }

  /// Whether an entry satisfies a condition.
  ///
  ///     let isMaster = person.scores.contains { key, score in key == "chess" && score > 9 }
  ///
  /// - Throws: the error of `predicate`.
  /// - Complexity: O(n).
  public func contains(where predicate: (_ key: Key, _ value: Value) throws -> Bool) rethrows -> Bool {
    for entry in self where try predicate(entry.key, entry.value) { return true }
    return false
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Map: _CollectionProperty, AnyPersistedField {
  public typealias PersistedType = Map
  public typealias _Storage = Map

  public static var _facts: _TypeFacts { .collection(of: Value.self, .dictionary) }

  public func _hasEqualElements(_ other: Map) -> Bool {
    unmanaged.count == other.unmanaged.count
      && unmanaged.allSatisfy { key, value in other.unmanaged[key].map { Value.areEqual(value, $0) } ?? false }
  }
}

extension Map: _LinkHolding where Value: _LinkHolding {}
