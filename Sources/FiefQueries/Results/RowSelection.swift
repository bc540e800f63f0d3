import FiefGraph

/// A set of rows of one table in the order of their keys, stored as one bitmap for each cluster with selected rows.
///
///     blocks   [ chunk 0, 1011…, from 0 ]  [ chunk 3, 0100…, from 187 ]  …
///
/// A block takes 48 bytes for up to 256 rows. Access by index and the index of a row take logarithmic time. A selection
/// is a value without references to the graph.
package struct RowSelection: Sendable, Hashable {
  /// The rows of one cluster that are selected.
  @frozen
  package struct Block: Sendable, Hashable {
    /// The number of the cluster.
    package let chunk: Int64
    /// The selected rows, by bit; never empty.
    package let bits: Bitmap256
    /// The number of rows in the preceding blocks.
    package let start: Int
  }

  /// The blocks, in ascending order.
  package private(set) var blocks: ContiguousArray<Block> = []
  /// The number of rows.
  package private(set) var count = 0

  /// An empty selection.
  package init() {}

  /// All rows of a table. Linear in the number of clusters.
  package init(all table: Table) {
    table.rows.forEach { chunk, cluster in
      append(chunk, cluster.live)
      return true
    }
  }

  /// The rows of clusters, by the numbers of these.
  package init(blocks rows: [Int64: Bitmap256]) {
    for (chunk, bits) in rows.sorted(by: { $0.key < $1.key }) { append(chunk, bits) }
  }

  /// The rows with these keys, which may be in any order and repeated.
  package init(_ keys: some Sequence<ObjectKey>) {
    var keys = keys.map(\.rawValue)
    if zip(keys, keys.dropFirst()).contains(where: { $0 >= $1 }) { keys.sort() }
    var position = 0
    while position < keys.count {
      let chunk = ObjectKey(keys[position]).chunk
      var bits = Bitmap256()
      while position < keys.count, ObjectKey(keys[position]).chunk == chunk {
        bits[ObjectKey(keys[position]).bit] = true
        position += 1
      }
      append(chunk, bits)
    }
    assert(count <= keys.count, "A key that is repeated counts once.")
  }

  /// Appends the rows of a cluster. Its number is higher than those of all blocks.
  mutating func append(_ chunk: Int64, _ bits: Bitmap256) {
    guard !bits.isEmpty else { return }
    assert(blocks.last.map { $0.chunk < chunk } ?? true, "The blocks of a selection ascend by cluster.")
    blocks.append(Block(chunk: chunk, bits: bits, start: count))
    count += bits.count
  }

  /// The index of a cluster's block, or of the first block after it.
  private func index(of chunk: Int64) -> Int {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].chunk < chunk { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The selected rows of a cluster. Logarithmic in the number of blocks.
  package func bits(ofChunk chunk: Int64) -> Bitmap256 {
    let index = self.index(of: chunk)
    return index < blocks.count && blocks[index].chunk == chunk ? blocks[index].bits : Bitmap256()
  }

  /// Whether the row is selected. Logarithmic in the number of blocks.
  package func contains(_ key: ObjectKey) -> Bool { bits(ofChunk: key.chunk)[key.bit] }

  /// The number of selected rows with a lower key; nil if the row is not selected. Logarithmic in the number of blocks.
  package func index(of key: ObjectKey) -> Int? {
    assert(blocks.last.map { $0.start + $0.bits.count == count } ?? (count == 0), "Blocks count their rows.")
    let index = self.index(of: key.chunk)
    guard index < blocks.count, blocks[index].chunk == key.chunk, blocks[index].bits[key.bit] else { return nil }
    return blocks[index].start + blocks[index].bits.rank(key.bit)
  }

  /// The keys of the rows, in ascending order.
  package var keys: ContiguousArray<ObjectKey> {
    // The empty array is one static object for all threads, and initializing it would write its count.
    if count == 0 { return [] }
    return unsafe ContiguousArray(unsafeUninitializedCapacity: count) { keys, filled in
      for block in blocks {
        block.bits.forEach { bit in
          unsafe keys.initializeElement(at: filled, to: ObjectKey(chunk: block.chunk, bit: bit))
          filled &+= 1
        }
      }
      assert(filled == count, "The blocks have as many rows as are counted.")
    }
  }

  /// The rows of this selection that the other does not contain.
  package func subtracting(_ other: RowSelection) -> RowSelection {
    other.count == 0 ? self : combined(other) { $0 - $1 }
  }

  /// The rows that both selections contain.
  package func intersection(_ other: RowSelection) -> RowSelection { combined(other) { $0 & $1 } }

  /// The rows of this selection, after some rows were tested anew.
  ///
  /// - Parameters:
  ///   - tested: the rows that were tested, and rows that were deleted.
  ///   - matching: those of them that belong to the result now.
  /// - Complexity: logarithmic for each cluster with tested rows if none of them changes sides; otherwise linear in the
  ///   blocks.
  package func replacing(_ tested: RowSelection, by matching: RowSelection) -> RowSelection {
    assert(matching.allSatisfy { tested.contains($0) }, "Rows that match were tested.")
    let isUnchanged = tested.blocks.allSatisfy {
      bits(ofChunk: $0.chunk) & $0.bits == matching.bits(ofChunk: $0.chunk)
    }
    if isUnchanged { return self }
    return combined(tested) { $0 - $1 }.combined(matching) { $0 | $1 }
  }

  /// Combines the bitmaps of each cluster that is in one of two selections. Linear in the blocks of both.
  @inline(__always)
  private func combined(_ other: RowSelection, _ combine: (Bitmap256, Bitmap256) -> Bitmap256) -> RowSelection {
    var result = RowSelection()
    var (a, b) = (0, 0)
    while a < blocks.count || b < other.blocks.count {
      let chunk = Swift.min(
        a < blocks.count ? blocks[a].chunk : .max, b < other.blocks.count ? other.blocks[b].chunk : .max)
      var (own, others) = (Bitmap256(), Bitmap256())
      if a < blocks.count, blocks[a].chunk == chunk {
        own = blocks[a].bits
        a += 1
      }
      if b < other.blocks.count, other.blocks[b].chunk == chunk {
        others = other.blocks[b].bits
        b += 1
      }
      result.append(chunk, combine(own, others))
    }
    assert(result.count <= count + other.count, "Only rows of the two are combined.")
    return result
  }
}

extension RowSelection: RandomAccessCollection {
  /// Always 0.
  package var startIndex: Int { 0 }
  /// The number of rows.
  package var endIndex: Int { count }

  /// The row at an index in 0..<count. Logarithmic in the number of blocks; traps when the index is out of range.
  package subscript(position: Int) -> ObjectKey {
    precondition(position >= 0 && position < count, "A selection was asked for a row beyond its end.")
    var (low, high) = (0, blocks.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if blocks[middle].start <= position { low = middle } else { high = middle }
    }
    let block = blocks[low]
    assert(position - block.start < block.bits.count, "The block has the row.")
    return ObjectKey(chunk: block.chunk, bit: block.bits.select(position - block.start))
  }

  /// Iterates over the rows in order, in constant time for each.
  package struct Iterator: IteratorProtocol {
    let blocks: ContiguousArray<Block>
    var index = 0
    var bit = 0

    /// The next row.
    package mutating func next() -> ObjectKey? {
      while index < blocks.count {
        if let found = blocks[index].bits.next(from: bit) {
          bit = found + 1
          return ObjectKey(chunk: blocks[index].chunk, bit: found)
        }
        index += 1
        bit = 0
      }
      return nil
    }
  }

  /// An iterator over the rows in order.
  package func makeIterator() -> Iterator { Iterator(blocks: blocks) }
}
