// Dictionaries with string keys. The public interface restricts the keys that an application may use; any string is
// allowed here.

extension Transaction {
  /// Sets the value of `key`. Deletes an embedded object in the old value, whose rules may take the row. O(log count).
  ///
  /// - Throws: `GraphError` if the row or column does not exist, the value does not fit, or a link's target does not
  ///   exist.
  public func set(_ value: Value, forKey key: String, inDictionary cell: Cell) throws {
    let location = try self.location(of: cell, shape: .dictionary)
    let found = inspect(location, of: cell.key, as: StoredDictionary.self) { $0.entry(of: key) }
    let old = found?.value
    if old == value { return }
    try check(value, at: location, of: cell.key)
    let isLink = location.type.canLink
    try exchange(cell, removing: isLink ? old : nil, inserting: isLink ? value : nil) {
      edit(location, of: cell.key, as: StoredDictionary.self) { $0.set(value, forKey: key, at: found?.position) }
    }
    assert(!contains(cell.object) || self.value(forKey: key, inDictionary: cell) == value, "A key has its last value.")
  }

  /// Removes the entry of `key`, if the dictionary has it. An embedded object in it is deleted. O(log count).
  ///
  /// - Returns: Whether the dictionary had the key.
  /// - Throws: `GraphError` if the row or column does not exist, or a delete rule forbids the deletion of an owned row.
  @discardableResult
  public func remove(key: String, fromDictionary cell: Cell) throws -> Bool {
    let location = try self.location(of: cell, shape: .dictionary)
    let found = inspect(location, of: cell.key, as: StoredDictionary.self) { $0.entry(of: key) }
    guard let found, let old = found.value else { return false }
    try exchange(cell, removing: location.type.canLink ? old : nil, inserting: nil) {
      edit(location, of: cell.key, as: StoredDictionary.self) { $0.remove(at: found.position) }
    }
    assert(value(forKey: key, inDictionary: cell) == nil, "A dictionary has a key once.")
    return true
  }

  /// The value of `key`; nil if the dictionary does not have it, or the row or column does not exist. O(log count).
  public func value(forKey key: String, inDictionary cell: Cell) -> Value? {
    (working.collection(cell) as? StoredDictionary)?[key]
  }
}
