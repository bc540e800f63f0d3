import FiefGraph

/// Refuses a file in which two objects of a class have one primary key.
///
/// The graph would refuse it, too, but only after it was made, and after it has searched among all rows with equal
/// hashes for each of them. Keys that ascend need no memory here. Others are read again, as numbers of 64 bits.
struct PrimaryKeyCheck {
  private let walk: ColumnWalk
  private let column: ColumnWalk.Place
  private var file: FileBytes { walk.file }
  private var count = 0
  private var hasNull = false
  // The greatest number so far; nil for keys of other types, too.
  private var last: Int64?
  private var isAscending = true

  init(_ walk: ColumnWalk, _ column: ColumnWalk.Place) {
    self.walk = walk
    self.column = column
  }

  /// Adds the keys of a cluster.
  mutating func add(_ leaf: Leaf) throws(RealmFileError) {
    if !leaf.nulls.isEmpty {
      if hasNull || leaf.nulls.count > 1 { throw damage(.null) }
      hasNull = true
    }
    count += leaf.values.count
    var numbers: ContiguousArray<UInt64> = []
    try forEachValue(of: leaf) { (value, number) in
      numbers.append(number)
      if isAscending { isAscending = follows(value) }
    }
    if isAscending { return }
    // So there are never more keys to compare than the file has bytes.
    var repeated: Set<UInt64> = []
    RepetitionSearch.takeRepetitions(outOf: &numbers, &repeated)
    for number in repeated { try refuse(number) }
  }

  /// Compares the keys of all clusters.
  func finish() throws(RealmFileError) {
    if isAscending { return }
    let search = RepetitionSearch(limit: RepetitionSearch.limit(fileSize: file.bytes.count))
    try search.run(
      among: count,
      { (body) throws(RealmFileError) in
        try file.again { () throws(RealmFileError) in
          try walk.forEachLeaf(of: column) { (_, leaf) throws(RealmFileError) in
            try forEachValue(of: leaf) { body($1) }
          }
        }
      }, found: refuse)
  }

  private func forEachValue(
    of leaf: Leaf, _ body: (Value, UInt64) throws(RealmFileError) -> Void
  ) throws(RealmFileError) {
    for slot in 0..<leaf.values.count {
      let value = leaf.value(at: slot, as: walk.type(of: column))
      if let number = RepetitionSearch.number(of: value) { try body(value, number) }
    }
  }

  private mutating func follows(_ value: Value) -> Bool {
    guard case .int(let number) = value, last.map({ $0 < number }) ?? true else { return false }
    last = number
    return true
  }

  /// Throws if two keys with a number are equal.
  private func refuse(_ number: UInt64) throws(RealmFileError) {
    var first: Value?
    try file.again(making: number) { () throws(RealmFileError) in
      try walk.forEachLeaf(of: column) { (_, leaf) throws(RealmFileError) in
        try forEachValue(of: leaf) { (value, other) throws(RealmFileError) in
          if other != number { return }
          if value == first { throw damage(value) }
          if first == nil { first = value }
        }
      }
    }
  }

  private func damage(_ key: Value) -> RealmFileError {
    let text =
      switch key {
      case .null: "null"
      case .int(let number): "\(number)"
      case .string(let text): "'\(text.prefix(64))'"
      case .objectId(let id): "\(id)"
      case .uuid(let id): "\(id)"
      default: "\(key)"
      }
    return file.damage("two objects have the primary key \(text)")
  }
}
