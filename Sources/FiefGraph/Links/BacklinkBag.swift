/// The rows that link to one row through one column: a row is in it once for each of its links.
///
/// Ordered by key, so that a million links to one row are found, added and removed in O(log n), and the i-th is read in
/// O(log n). One link, by far the most common number, needs no storage of its own.
@frozen
public enum BacklinkBag: Sendable {
  /// One link.
  case one(ObjectKey)
  /// Two or more, ascending.
  case many(OrderedTree<Int64>)

  /// How many links there are, repetitions included.
  @inlinable
  public var count: Int {
    switch self {
    case .one: 1
    case .many(let keys): keys.count
    }
  }

  /// The row of the link at `position`, 0..<count. O(log count).
  @inlinable
  public subscript(position: Int) -> ObjectKey {
    switch self {
    case .one(let key):
      precondition(position == 0, "A bag of one link was asked for another.")
      return key
    case .many(let keys): return ObjectKey(keys[position])
    }
  }

  /// How many of the links come from `key`. O(log count).
  public func multiplicity(of key: ObjectKey) -> Int {
    switch self {
    case .one(let only): return only == key ? 1 : 0
    case .many(let keys):
      return keys.partitionPoint { $0 > key.rawValue } - keys.partitionPoint { $0 >= key.rawValue }
    }
  }

  /// Calls `body` with the row of every link, ascending, repetitions included.
  @inlinable
  public func forEach(_ body: (ObjectKey) throws -> Void) rethrows {
    switch self {
    case .one(let key): try body(key)
    case .many(let keys): for key in keys { try body(ObjectKey(key)) }
    }
  }

  /// Adds a link from `key`. O(log count).
  mutating func insert(_ key: ObjectKey) {
    switch consume self {
    case .one(let only):
      let pair = only < key ? [only.rawValue, key.rawValue] : [key.rawValue, only.rawValue]
      self = .many(OrderedTree(pair))
    case .many(var keys):
      keys.insert(key.rawValue, at: keys.partitionPoint { $0 > key.rawValue })
      self = .many(keys)
    }
  }

  /// Takes one link from `key` out of a bag of two or more. O(log count).
  ///
  /// - Returns: whether there was one.
  mutating func remove(_ key: ObjectKey) -> Bool {
    guard case .many(var keys) = consume self else { fatalError("The last link of a bag was taken out of it.") }
    let position = keys.partitionPoint { $0 >= key.rawValue }
    let isPresent = position < keys.count && keys[position] == key.rawValue
    if isPresent { keys.remove(at: position) }
    self = keys.count == 1 ? .one(ObjectKey(keys[0])) : .many(keys)
    return isPresent
  }
}

/// The bags of up to 256 rows with consecutive keys, for one column that links to them. Rows without links to them cost
/// nothing.
///
/// It is changed only by a transaction that holds the one reference to it; see `Cluster`.
public final class BacklinkBlock: RadixChunk, @unchecked Sendable {
  /// The rows that are linked to, by bit.
  @exclusivity(unchecked) @usableFromInline var present: Bitmap256
  /// Their bags, in the order of the bits.
  @exclusivity(unchecked) @usableFromInline var bags: ContiguousArray<BacklinkBag>

  init(present: Bitmap256 = Bitmap256(), bags: ContiguousArray<BacklinkBag> = []) {
    self.present = present
    self.bags = bags
    super.init()
    LiveNodes.add()
  }

  deinit { LiveNodes.remove() }

  /// An equal block of its own, sharing the bags' trees.
  override func copy() -> BacklinkBlock { BacklinkBlock(present: present, bags: bags) }

  /// The bag of the row at `bit`, or nil when nothing links to it.
  @inlinable
  func bag(atBit bit: Int) -> BacklinkBag? { present[bit] ? bags[present.rank(bit)] : nil }

  func insert(_ origin: ObjectKey, atBit bit: Int) {
    let rank = present.rank(bit)
    if present[bit] {
      bags[rank].insert(origin)
    } else {
      present[bit] = true
      bags.insert(.one(origin), at: rank)
    }
  }

  /// - Returns: whether there was such a link.
  func remove(_ origin: ObjectKey, atBit bit: Int) -> Bool {
    guard present[bit] else { return false }
    let rank = present.rank(bit)
    if case .one(let only) = bags[rank] {
      guard only == origin else { return false }
      removeBag(atBit: bit)
      return true
    }
    return bags[rank].remove(origin)
  }

  func removeBag(atBit bit: Int) {
    bags.remove(at: present.rank(bit))
    present[bit] = false
  }
}
