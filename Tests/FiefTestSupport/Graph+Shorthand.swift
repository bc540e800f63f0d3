import FiefGraph

extension Transaction {
  /// Stores an integer in a single cell.
  public func set(_ value: Int, _ cell: Cell) throws { try set(Int64(value), cell) }

  /// Stores a boolean in a single cell.
  public func set(_ value: Bool, _ cell: Cell) throws { try set(Value.bool(value), cell) }
}

extension NewRow {
  /// Sets a single cell to an integer.
  public func set(_ value: Int, _ column: ColumnKey) throws { try set(Int64(value), column) }

  /// Sets a single cell to a boolean.
  public func set(_ value: Bool, _ column: ColumnKey) throws { try set(Value.bool(value), column) }
}

extension Delta {
  /// The delta that takes this one back.
  ///
  /// - Parameter base: the graph that this delta was made from.
  public func inverse(on base: Graph) throws -> Delta { Delta(from: try base.applying(self), to: base) }
}

extension BacklinkBag {
  /// How many of the links come from a row.
  public func multiplicity(of key: ObjectKey) -> Int { (0..<count).count { self[$0] == key } }
}

extension Schema {
  /// The table of that name, or nil.
  public func table(named name: String) -> TableSchema? { tables.first { $0.name == name } }
}
