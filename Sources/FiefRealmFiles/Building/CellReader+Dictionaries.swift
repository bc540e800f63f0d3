import FiefGraph

extension CellReader {
  /// The dictionary at a ref; nil if it is empty, and while the file is checked.
  func dictionary(_ ref: Int64, _ type: ColumnType, from origin: Int64) throws(RealmFileError) -> StoredCollection? {
    var keys: ContiguousArray<String> = []
    var values: ContiguousArray<Value> = []
    var (keyCount, valueCount) = (0, 0)
    var search = RepetitionSearch()
    try forEachPart(ofDictionary: ref, from: origin) { (read) throws(RealmFileError) in
      guard read.nulls.isEmpty else { throw file.damage("a key of a dictionary is null") }
      keyCount += read.values.count
      if file.keepsValues {
        keys.append(contentsOf: read.values)
      } else {
        read.values.forEach { search.add(.string($0)) }
      }
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
      for number in search.repetitions() { try refuse(number, at: ref, from: origin) }
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

  /// Throws if two keys of a dictionary with a number are equal.
  private func refuse(_ number: UInt64, at ref: Int64, from origin: Int64) throws(RealmFileError) {
    var first: String?
    try file.again(making: number) { () throws(RealmFileError) in
      try forEachPart(
        ofDictionary: ref, from: origin,
        keys: { (read) throws(RealmFileError) in
          for key in read.values where RepetitionSearch.number(of: .string(key)) == number {
            if let first, String.isIdentical(first, key) {
              throw file.damage("a dictionary has the key '\(key.prefix(64))' twice")
            }
            if first == nil { first = key }
          }
        }, values: nil)
    }
  }
}
