// Dictionaries with string keys. The public interface restricts the keys that an application may use; any string is
// allowed here.

extension Transaction {
  /// Sets the value of `key`. An embedded object in the old value is deleted. O(log count).
  ///
  /// - Throws: `GraphError` if the row or column does not exist, the value does not fit, or a link's target does not
  ///   exist.
  public func set(_ value: Value, forKey key: String, inDictionary cell: Cell) throws {
    let location = try self.location(of: cell, shape: .dictionary)
    let old = contents(location, of: cell.key, as: StoredDictionary.self)?[key]
    if old == value { return }
    try check(value, at: location, of: cell.key)
    let isLink = location.type.canLink
    try exchange(cell, removing: isLink ? old : nil, inserting: isLink ? value : nil) {
      edit(location, of: cell.key, as: StoredDictionary.self) { $0.set(value, forKey: key) }
    }
    assert(self.value(forKey: key, inDictionary: cell) == value, "A key has the value that was set last.")
  }

  /// Removes the entry of `key`, if the dictionary has it. An embedded object in it is deleted. O(log count).
  ///
  /// - Returns: Whether the dictionary had the key.
  /// - Throws: `GraphError` if the row or column does not exist, or a delete rule forbids the deletion of an owned row.
  @discardableResult
  public func remove(key: String, fromDictionary cell: Cell) throws -> Bool {
    let location = try self.location(of: cell, shape: .dictionary)
    guard let contents = contents(location, of: cell.key, as: StoredDictionary.self) else { return false }
    let (position, isPresent) = contents.find(key)
    if !isPresent { return false }
    let old = contents.value(at: position, as: location.type)
    try exchange(cell, removing: location.type.canLink ? old : nil, inserting: nil) {
      edit(location, of: cell.key, as: StoredDictionary.self) { $0.remove(at: position) }
    }
    assert(value(forKey: key, inDictionary: cell) == nil, "A dictionary has a key once.")
    return true
  }

  /// The value of `key`; nil if the dictionary does not have it, or the row or column does not exist. O(log count).
  public func value(forKey key: String, inDictionary cell: Cell) -> Value? {
    (working.collection(cell) as? StoredDictionary)?[key]
  }
}
