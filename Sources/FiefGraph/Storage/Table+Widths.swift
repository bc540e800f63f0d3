extension Table {
  /// A row whose integer, or one of whose integers, in a column is outside a declared width, with that integer; nil
  /// when all fit.
  ///
  /// A cluster whose leaf is as narrow as the width is not looked into.
  ///
  /// - Parameters:
  ///   - width: the width.
  ///   - column: a column of integers, single or in collections.
  /// - Complexity: O(rows / 256) for single integers of which no cluster has wide ones, else linear in the integers.
  public func firstInteger(outside width: IntegerWidth, in column: ColumnKey) -> (key: ObjectKey, value: Int64)? {
    guard width != .bits64, let leaf = schema.leaf(of: column), schema.types[leaf].kind == .int else { return nil }
    let type = schema.types[leaf]
    var found: (key: ObjectKey, value: Int64)?
    rows.forEach { chunk, cluster in
      if !type.isCollection && cluster.leaves[leaf].values.integerBytes <= Int(width.rawValue) { return true }
      for slot in 0..<cluster.count {
        for case .int(let value) in cluster.leaves[leaf].values(at: slot, as: type)
        where !width.range.contains(value) {
          found = (ObjectKey(chunk: chunk, bit: cluster.bit(ofSlot: slot)), value)
          return false
        }
      }
      return true
    }
    return found
  }
}

extension LeafValues {
  /// How many bytes each integer of the leaf has.
  fileprivate var integerBytes: Int {
    switch self {
    case .int8: 1
    case .int16: 2
    case .int32: 4
    default: 8
    }
  }
}
