extension Table {
  /// A row with an integer in a column that is outside a declared width, and that integer; nil if all integers fit.
  ///
  /// Clusters whose leaf is no wider than the width are skipped.
  ///
  /// - Parameters:
  ///   - width: The declared width.
  ///   - column: a column of integers, single or in collections.
  /// - Complexity: O(rows / 256) for single integers if all clusters are narrow enough, otherwise linear in the
  ///   integers.
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
    assert(found.map { !width.range.contains($0.value) } ?? true, "A number that was found does not fit.")
    return found
  }
}

extension LeafValues {
  /// How many bytes each integer of the leaf takes.
  fileprivate var integerBytes: Int {
    switch self {
    case .int8: 1
    case .int16: 2
    case .int32: 4
    default: 8
    }
  }
}
