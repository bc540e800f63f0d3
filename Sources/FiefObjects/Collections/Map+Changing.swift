import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions
import Foundation

extension Map {
  /// Sets the value for a key. An embedded object that was its value is deleted.
  ///
  ///     try realm.write { person.scores.updateValue(7, forKey: "chess") }
  ///
  /// - Parameters:
  ///   - value: the new value; an unmanaged object is added to the realm of a managed map.
  ///   - key: the key; in a managed map it must not begin with `$` or contain `.`.
  /// - Complexity: O(log n).
  public func updateValue(_ value: Value, forKey key: Key) {
    guard let location else {
      unmanaged[IdenticalText(Self.text(key))] = value
      return
    }
    let content = Value._encode(value)
    change(location) { try put([(Self.text(key), content)], in: location, $0) }
  }

  /// Removes the entry for a key, if it exists; an embedded object in it is deleted. Any other object stays in the
  /// realm.
  ///
  ///     try realm.write { person.scores.removeObject(for: "chess") }
  ///
  /// - Complexity: O(log n).
  public func removeObject(for key: Key) {
    guard let location else {
      unmanaged[IdenticalText(Self.text(key))] = nil
      return
    }
    change(location) { transaction in
      try MapKeys.check(Self.text(key), location.fullPath)
      try transaction.remove(key: Self.text(key), fromDictionary: location.cell)
    }
  }

  /// Removes all entries. Embedded objects in them are deleted.
  ///
  ///     try realm.write { person.scores.removeAll() }
  ///
  /// - Complexity: O(n).
  public func removeAll() {
    guard let location else {
      unmanaged = [:]
      return
    }
    change(location) { try $0.removeAll(from: location.cell) }
  }

  /// Removes the entries that satisfy a condition. Embedded objects in them are deleted.
  ///
  ///     try realm.write { person.scores.removeAll(where: { $0.value == 0 }) }
  ///
  /// - Parameter shouldBeRemoved: the condition.
  /// - Throws: the error that the condition throws. No entry is removed then.
  /// - Complexity: O(n), and O(log n) for each entry that is removed.
  public func removeAll(where shouldBeRemoved: ((key: Key, value: Value)) throws -> Bool) rethrows {
    for entry in try Array(asKeyValueSequence()).filter(shouldBeRemoved) { removeObject(for: entry.key) }
  }

  /// Merges the entries of a sequence into the map.
  ///
  ///     try realm.write { person.scores.merge([(key: "chess", value: 9)]) { $0 + $1 } }
  ///
  /// - Parameters:
  ///   - sequence: the new entries; a dictionary is such a sequence.
  ///   - combine: returns the value for a key that both sides have, from the present and the new value.
  /// - Throws: the error that `combine` throws. The entries before it stay merged.
  /// - Complexity: O(m log n) for m entries.
  public func merge<S: Sequence>(
    _ sequence: S, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows where S.Element == (key: Key, value: Value) {
    for (key, value) in sequence { try merge(key: key, value, combine: combine) }
  }

  /// Merges the entries of another map into this one.
  ///
  ///     try realm.write { person.scores.merge(other.scores) { max($0, $1) } }
  ///
  /// - Parameters:
  ///   - other: the map with the new entries.
  ///   - combine: returns the value for a key that both sides have, from the present and the new value.
  /// - Throws: the error that `combine` throws. The entries before it stay merged.
  /// - Complexity: O(m log n) for m entries.
  public func merge(_ other: Map, uniquingKeysWith combine: (Value, Value) throws -> Value) rethrows {
    for (key, value) in other.entries { try merge(key: key, value, combine: combine) }
  }

  private func merge(key: Key, _ value: Value, combine: (Value, Value) throws -> Value) rethrows {
    if let present = self[key] {
      updateValue(try combine(present, value), forKey: key)
    } else {
      updateValue(value, forKey: key)
    }
  }

  // MARK: Managed

  private func put(
    _ entries: [(key: String, content: _PropertyContent)], in location: CollectionLocation, _ transaction: Transaction,
    removing gone: [String] = []
  ) throws {
    for entry in entries { try MapKeys.check(entry.key, location.fullPath) }
    // Assigning the object that is already the value is permitted, even for embedded objects.
    let entries = entries.filter {
      !isObject($0.content, transaction.value(forKey: $0.key, inDictionary: location.cell), location)
    }
    if entries.isEmpty && gone.isEmpty { return }
    let emptying = { (transaction: Transaction) in
      for key in gone { try transaction.remove(key: key, fromDictionary: location.cell) }
    }
    try put(
      entries.map(\.content), in: location, transaction, emptying: gone.isEmpty ? nil : emptying,
      position: { .entry(entries[$0].key) },
      one: { try $0.set($1, forKey: entries[$2].key, inDictionary: location.cell) },
      all: { transaction, values in
        try transaction.undoing { transaction in
          for (entry, value) in zip(entries, values) {
            try transaction.set(value, forKey: entry.key, inDictionary: location.cell)
          }
        }
      })
  }

  /// Whether a content is the object that a value links to.
  private func isObject(_ content: _PropertyContent, _ value: StoredValue?, _ location: CollectionLocation) -> Bool {
    guard case .object(let object) = content, object.retainedSession === location.session, let link = object.rowLink
    else {
      return false
    }
    return value == .link(link)
  }

  /// The entries in the map's order.
  public var _elements: [(key: Key, value: Value)] { entries }

  /// Replaces the entries.
  public func _replaceElements(with entries: [(key: Key, value: Value)]) {
    guard let location else {
      unmanaged = Dictionary(entries.map { (IdenticalText(Self.text($0.key)), $0.value) }) { $1 }
      return
    }
    let contents = entries.map { (key: Self.text($0.key), content: Value._encode($0.value)) }
    change(location) { transaction in
      let wanted = Dictionary(contents.map { (HashedValue(.string($0.key)), $0.content) }) { $1 }
      let isOwner = location.target?.kind == .embedded
      // Objects that the map owns go before the new ones are made, which may have unique values of these.
      let gone = storedEntries.filter { entry in
        guard let content = wanted[HashedValue(.string(entry.key))] else { return true }
        return isOwner && !isObject(content, entry.value, location)
      }
      try put(contents, in: location, transaction, removing: gone.map(\.key))
    }
  }

  /// The entries of any dictionary or map; none for null. Nil when the value is neither, or a value is of a wrong type.
  public static func _elements(of value: Any?) -> [(key: Key, value: Value)]? {
    var entries: [(key: Key, value: Value)] = []
    if let inner = value.flatMap(flattened), !DynamicValue.isNull(inner) {
      guard let untyped = dictionary(inner) else { return nil }
      for (key, value) in untyped {
        guard let value = Value._fromAny(value) else { return nil }
        entries.append((Self.key(key), value))
      }
    }
    return entries
  }

  private static func dictionary(_ value: Any) -> [(key: String, value: Any)]? {
    // The type is compared first, as a cast of an array of Foundation would convert all that it holds.
    if type(of: value) == DynamicEntries.self, let entries = value as? DynamicEntries { return entries }
    if case .dictionary(let dictionary, _)? = DynamicContainer.of(value) { return Array(dictionary) }
    return (value as? any RealmKeyedCollection).map { entries(of: $0) }
  }

  private static func entries<M: RealmKeyedCollection>(of map: M) -> [(key: String, value: Any)] {
    zip(map.keys, map.values).map { (Map<M.Key, Value>.text($0), $1 as Any) }
  }
}
