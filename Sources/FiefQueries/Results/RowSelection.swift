import FiefGraph

/// Rows of one table, each once, in the order of their keys: a bitmap for each cluster that has some.
///
///     blocks   [ chunk 0, 1011…, from 0 ]  [ chunk 3, 0100…, from 187 ]  …
///
/// It takes 48 bytes for up to 256 rows, and names the i-th of them, or the place of one, in logarithmic time. It is a
/// value that holds nothing of the graph it was taken from.
public struct RowSelection: Sendable, Hashable {
  /// The rows of one cluster that are selected.
  @frozen
  public struct Block: Sendable, Hashable {
    /// The number of the cluster.
    public let chunk: Int64
    /// The rows, by bit; not none.
    public let bits: Bitmap256
    /// How many rows the blocks before it have.
    public let start: Int
  }

  /// The blocks, ascending.
  public private(set) var blocks: ContiguousArray<Block> = []
  /// How many rows there are.
  public private(set) var count = 0

  /// No rows.
  public init() {}

  /// All rows of a table. Linear in its clusters.
  public init(all table: Table) {
    table.rows.forEach { chunk, cluster in
      append(chunk, cluster.live)
      return true
    }
  }

  /// These rows, in any order and with repetitions, which are dropped.
  public init(_ keys: some Sequence<ObjectKey>) {
    var keys = keys.map(\.rawValue)
    if zip(keys, keys.dropFirst()).contains(where: { $0 >= $1 }) { keys.sort() }
    var place = 0
    while place < keys.count {
      let chunk = ObjectKey(keys[place]).chunk
      var bits = Bitmap256()
      while place < keys.count, ObjectKey(keys[place]).chunk == chunk {
        bits[ObjectKey(keys[place]).bit] = true
        place += 1
      }
      append(chunk, bits)
    }
  }

  /// Adds the rows of a cluster behind all others.
  mutating func append(_ chunk: Int64, _ bits: Bitmap256) {
    guard !bits.isEmpty else { return }
    blocks.append(Block(chunk: chunk, bits: bits, start: count))
    count += bits.count
  }

  /// The place of the block of a cluster, or of the first behind it.
  private func place(of chunk: Int64) -> Int {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].chunk < chunk { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The rows of a cluster that are selected. Logarithmic in the number of blocks.
  public func bits(ofChunk chunk: Int64) -> Bitmap256 {
    let place = place(of: chunk)
    return place < blocks.count && blocks[place].chunk == chunk ? blocks[place].bits : Bitmap256()
  }

  /// Whether the row is selected. Logarithmic in the number of blocks.
  public func contains(_ key: ObjectKey) -> Bool { bits(ofChunk: key.chunk)[key.bit] }

  /// How many selected rows have a lower key, if the row is selected; nil otherwise. Logarithmic in the number of
  /// blocks.
  public func index(of key: ObjectKey) -> Int? {
    let place = place(of: key.chunk)
    guard place < blocks.count, blocks[place].chunk == key.chunk, blocks[place].bits[key.bit] else { return nil }
    return blocks[place].start + blocks[place].bits.rank(key.bit)
  }

  /// The rows in order, one by one.
  public var keys: ContiguousArray<ObjectKey> {
    // An array without room is one for all threads, and filling it writes its count.
    if count == 0 { return [] }
    return ContiguousArray(unsafeUninitializedCapacity: count) { keys, filled in
      for block in blocks {
        block.bits.forEach { bit in
          keys.initializeElement(at: filled, to: ObjectKey(chunk: block.chunk, bit: bit))
          filled &+= 1
        }
      }
    }
  }

  /// The rows that this one selects and the other does not.
  public func subtracting(_ other: RowSelection) -> RowSelection {
    if other.count == 0 { return self }
    var result = RowSelection()
    var place = 0
    for block in blocks {
      while place < other.blocks.count, other.blocks[place].chunk < block.chunk { place += 1 }
      let isShared = place < other.blocks.count && other.blocks[place].chunk == block.chunk
      result.append(block.chunk, isShared ? block.bits - other.blocks[place].bits : block.bits)
    }
    return result
  }

  /// The rows that both select.
  public func intersection(_ other: RowSelection) -> RowSelection {
    var result = RowSelection()
    var (a, b) = (0, 0)
    while a < blocks.count && b < other.blocks.count {
      let (one, two) = (blocks[a], other.blocks[b])
      if one.chunk == two.chunk { result.append(one.chunk, one.bits & two.bits) }
      if one.chunk <= two.chunk { a += 1 }
      if two.chunk <= one.chunk { b += 1 }
    }
    return result
  }
}

extension RowSelection: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of rows.
  public var endIndex: Int { count }

  /// The row at a position, 0..<count. Logarithmic in the number of blocks; traps when out of range.
  public subscript(position: Int) -> ObjectKey {
    precondition(position >= 0 && position < count, "A selection was asked for a row beyond its end.")
    var (low, high) = (0, blocks.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if blocks[middle].start <= position { low = middle } else { high = middle }
    }
    let block = blocks[low]
    return ObjectKey(chunk: block.chunk, bit: block.bits.select(position - block.start))
  }

  /// Goes over the rows in order; constant time for each.
  public struct Iterator: IteratorProtocol {
    let blocks: ContiguousArray<Block>
    var place = 0
    var bit = 0

    /// The next row.
    public mutating func next() -> ObjectKey? {
      while place < blocks.count {
        if let found = blocks[place].bits.next(from: bit) {
          bit = found + 1
          return ObjectKey(chunk: blocks[place].chunk, bit: found)
        }
        place += 1
        bit = 0
      }
      return nil
    }
  }

  /// Goes over the rows in order.
  public func makeIterator() -> Iterator { Iterator(blocks: blocks) }
}
