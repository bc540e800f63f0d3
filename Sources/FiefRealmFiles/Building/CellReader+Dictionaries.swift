import FiefGraph

extension CellReader {
  /// The dictionary at a ref; nil if it is empty, and while the file is checked.
  func dictionary(_ ref: Int64, _ type: ColumnType, from origin: Int64) throws(RealmFileError) -> StoredCollection? {
    var keys: ContiguousArray<String> = []
    var values: ContiguousArray<Value> = []
    var (keyCount, valueCount) = (0, 0)
    try forEachPart(ofDictionary: ref, from: origin) { (read) throws(RealmFileError) in
      guard read.nulls.isEmpty else { throw file.damage("a key of a dictionary is null") }
      keyCount += read.values.count
      // Of a file that is checked, so many are kept as need no second reading.
      if file.keepsValues || keyCount <= Self.keptKeys { keys.append(contentsOf: read.values) }
    } values: { (read) throws(RealmFileError) in
      valueCount += read.count
      for value in read where !(value.isNull ? type.allowsNull : type.element.holds(value)) {
        throw file.damage("a dictionary of \(type.element.declaration) holds \(value)")
      }
      if file.keepsValues { values.append(contentsOf: read) }
    }
    guard keyCount == valueCount else {
      throw file.damage("a dictionary has \(keyCount) keys and \(valueCount) values")
    }
    // Entries, and the tree of them.
    try file.charge(keyCount, of: 2 * MemoryLayout<DictionaryEntry>.stride)
    guard file.keepsValues else {
      try checkKeys(keys, count: keyCount, at: ref, from: origin)
      return nil
    }
    if keys.isEmpty { return nil }
    var entries = zip(keys, values).map { DictionaryEntry(key: $0, value: $1) }
    entries.sort { StoredOrder.compare($0.key, $1.key) < 0 }
    return StoredDictionary(OrderedTree(entries))
  }

  /// Calls the blocks with the keys and the values of a dictionary, a leaf at a time.
  ///
  /// - Parameter values: nil if they are not to be read.
  private func forEachPart(
    ofDictionary ref: Int64, from origin: Int64, keys: (ReadTexts) throws(RealmFileError) -> Void,
    values: ((ContiguousArray<Value>) throws(RealmFileError) -> Void)?
  ) throws(RealmFileError) {
    guard file.header.format >= 23 else {
      try ClusterTree.forEachCluster(of: ref, in: file) { (cluster) throws(RealmFileError) in
        try keys(try file.texts(try cluster.column(0, file), enumeration: Enumeration(), isNullable: true))
        try values?(try anyValues(try cluster.column(1, file)) { _ in origin })
      }
      return
    }
    let halves = try file.refs(try file.node(ref), atLeast: 2)
    if halves[0] != 0 {
      try ElementTree.forEachLeaf(of: halves[0], in: file) { (node) throws(RealmFileError) in
        let read = try file.texts(node, enumeration: Enumeration(), isNullable: true)
        try keys(read)
        return read.values.count
      }
    }
    if let values, halves[1] != 0 {
      try ElementTree.forEachLeaf(of: halves[1], in: file) { (node) throws(RealmFileError) in
        let read = try anyValues(node) { _ in origin }
        try values(read)
        return read.count
      }
    }
  }

  // MARK: Equal keys

  /// How many keys of a dictionary are kept for comparison.
  private static let keptKeys = 1 << 12

  /// Refuses a dictionary that has a key twice.
  private func checkKeys(
    _ kept: ContiguousArray<String>, count: Int, at ref: Int64, from origin: Int64
  ) throws(RealmFileError) {
    if count < 2 { return }
    let search = RepetitionSearch(limit: RepetitionSearch.limit(fileSize: file.bytes.count))
    try search.run(
      among: count,
      { (body) throws(RealmFileError) in
        func add(_ keys: ContiguousArray<String>) {
          for key in keys { RepetitionSearch.number(of: .string(key)).map(body) }
        }
        if kept.count == count { return add(kept) }
        try forEachKeys(ref, making: nil, from: origin, add)
      },
      found: { (number) throws(RealmFileError) in
        var first: String?
        try forEachKeys(ref, making: number, from: origin) { (keys) throws(RealmFileError) in
          for key in keys where RepetitionSearch.number(of: .string(key)) == number {
            if let first, StoredOrder.areIdentical(first, key) {
              throw file.damage("a dictionary has the key '\(key.prefix(64))' twice")
            }
            if first == nil { first = key }
          }
        }
      })
  }

  /// Reads the keys of a dictionary again: short ones, and those with a number.
  private func forEachKeys(
    _ ref: Int64, making number: UInt64?, from origin: Int64,
    _ body: (ContiguousArray<String>) throws(RealmFileError) -> Void
  ) throws(RealmFileError) {
    try file.again(making: number) { () throws(RealmFileError) in
      try forEachPart(
        ofDictionary: ref, from: origin, keys: { (read) throws(RealmFileError) in try body(read.values) }, values: nil)
    }
  }
}
