/// One entry of a dictionary cell.
@frozen
public struct DictionaryEntry: Sendable {
  /// The key.
  public var key: String
  /// The value: of the column's kind, or null.
  public var value: Value

  /// Makes an entry of its parts.
  @inlinable
  public init(key: String, value: Value) {
    self.key = key
    self.value = value
  }

  static func isIdentical(_ a: DictionaryEntry, _ b: DictionaryEntry) -> Bool {
    String.isIdentical(a.key, b.key) && a.value == b.value
  }
}

/// The entries of a dictionary cell, in the byte order of their keys. Any thread may read them; see `StoredCollection`.
public final class StoredDictionary: StoredCollection, @unchecked Sendable {
  // Exclusivity is not checked at run time: only `Transaction` changes the entries, never re-entrantly.

  /// The entries, ascending by key.
  @safe @exclusivity(unchecked) public internal(set) var entries: OrderedTree<DictionaryEntry>

  /// Makes the contents of a dictionary cell. The order of the keys is not checked here; applying the delta that
  /// inserts them into a graph checks it.
  public init(_ entries: OrderedTree<DictionaryEntry> = OrderedTree()) {
    self.entries = entries
    super.init(.dictionary)
  }

  func forEachValue(_ body: (Value) -> Bool) {
    for entry in entries {
      guard body(entry.value) else { return }
    }
  }

  func checkEntries() -> [String] {
    entries.checkInvariants(areIdentical: DictionaryEntry.isIdentical) { StoredOrder.compare($0.key, $1.key) < 0 }
  }

  /// The position of the entry of `key`, or where to insert it. O(log count).
  public func find(_ key: String) -> (position: Int, isPresent: Bool) {
    let position = entries.partitionPoint { StoredOrder.compare($0.key, key) >= 0 }
    return (position, position < entries.count && String.isIdentical(entries[position].key, key))
  }

  /// The position of the entry of `key`, or where to insert it, and the value; nil if there is none. O(log count).
  func entry(of key: String) -> (position: Int, value: Value?) {
    let (position, isPresent) = find(key)
    return (position, isPresent ? entries[position].value : nil)
  }

  /// The value of `key`; nil if the dictionary does not contain it. O(log count).
  public subscript(key: String) -> Value? { entry(of: key).value }

  /// Sets the value of `key`, at the position that `find` returns, if it is known. The value fits the column.
  func set(_ value: Value, forKey key: String, at position: Int? = nil) {
    let position = position ?? find(key).position
    if position < entries.count, String.isIdentical(entries[position].key, key) {
      entries.update(at: position) { $0.value = value }
    } else {
      entries.insert(DictionaryEntry(key: key, value: value), at: position)
    }
    assert(find(key) == (position, true), "An entry is found where it was stored.")
  }

  /// Removes the entry at `position`.
  func remove(at position: Int) {
    assert(0..<entries.count ~= position, "An entry that is removed exists.")
    entries.remove(at: position)
  }

  /// Replaces the `number` links to rows of `gone` by null, in a pass up to the last one.
  func nullifyLinks(_ number: Int, _ gone: (ObjectLink) -> Bool) {
    var found: [Int] = []
    for (position, entry) in entries.enumerated() where entry.value.linked.map(gone) ?? false {
      found.append(position)
      if found.count == number { break }
    }
    for position in found { entries.update(at: position) { $0.value = .null } }
  }

  /// The changes that lead from `old` to this dictionary.
  func changes(from old: StoredDictionary, visited: inout Int) -> (removed: [String], set: [DictionaryEntry]) {
    var removed: [String] = []
    var set: [DictionaryEntry] = []
    let edits = OrderedTree.changes(
      from: old.entries, to: entries, nodesVisited: &visited, areIdentical: DictionaryEntry.isIdentical)
    for edit in edits {
      for position in edit.newRange { set.append(entries[position]) }
      for position in edit.oldRange where !find(old.entries[position].key).isPresent {
        removed.append(old.entries[position].key)
      }
    }
    assert(removed.count <= old.entries.count && set.count <= entries.count, "Each entry is one change.")
    return (removed, set)
  }
}
