import FiefGraph

/// Refuses a file in which two objects of a class have one primary key.
///
/// The graph would refuse it, too, but only after it was made, and after it has searched among all rows with equal
/// hashes for each of them.
struct PrimaryKeyCheck {
  private let walk: ColumnWalk
  private let column: ColumnWalk.Place
  private var file: FileBytes { walk.file }
  private var hasNull = false
  private var search = RepetitionSearch()

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
    let type = walk.type(of: column)
    for slot in 0..<leaf.values.count { search.add(leaf.value(at: slot, as: type)) }
  }

  /// Compares the keys of all clusters.
  mutating func finish() throws(RealmFileError) {
    for number in search.repetitions() { try refuse(number) }
  }

  /// Throws if two keys with a number are equal.
  private func refuse(_ number: UInt64) throws(RealmFileError) {
    var first: Value?
    let type = walk.type(of: column)
    try file.again(making: number) { () throws(RealmFileError) in
      try walk.forEachLeaf(of: column) { (_, leaf) throws(RealmFileError) in
        for slot in 0..<leaf.values.count {
          let value = leaf.value(at: slot, as: type)
          if RepetitionSearch.number(of: value) != number { continue }
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
