import FiefRuntime

/// All links into one table through one column of any table. `LinkingObjects` reads them.
///
/// They are derived from the links and updated with every change to them. Deltas and files do not contain them.
public struct IncomingLinks: Sendable {
  /// The table of the linking rows.
  public let origin: TableKey
  /// The linking column.
  public let column: ColumnKey
  /// The bags of the target rows, by the chunk of their keys.
  var blocks: RadixTree<BacklinkBlock>

  init(origin: TableKey, column: ColumnKey, _ blocks: RadixTree<BacklinkBlock> = RadixTree()) {
    self.origin = origin
    self.column = column
    self.blocks = blocks
  }

  /// The bag of links to row `target`, or nil if it has no links.
  public func bag(of target: ObjectKey) -> BacklinkBag? { blocks[target.chunk]?.bag(atBit: target.bit) }

  /// How many links lead to row `target`. No reference is counted.
  func count(of target: ObjectKey) -> Int { blocks.borrowed(target.chunk)?.with { $0.count(atBit: target.bit) } ?? 0 }

  mutating func insert(_ source: ObjectKey, to target: ObjectKey) {
    assert(source.rawValue >= 0 && target.rawValue >= 0, "A link has rows at both ends.")
    defer { assert(bag(of: target).map { $0.count > 0 } ?? false, "A target has a bag with its sources.") }
    block(of: target).with { $0.insert(source, atBit: target.bit) }
  }

  /// Adds links, sorted by chunk. The first ones are put into new blocks, on several threads if they are many.
  ///
  /// - Returns: The rows that they lead to, by chunk.
  mutating func insert(_ chunks: [(chunk: Int64, links: GatheredLinks.Slice)]) -> [(chunk: Int64, targets: Bitmap256)] {
    let parts = blocks.isEmpty ? Processors.parts(of: chunks.count, least: 64) : []
    guard parts.count > 1 else {
      return chunks.map { chunk, links in
        (chunk, block(of: ObjectKey(chunk: chunk, bit: 0)).with { $0.insert(links) })
      }
    }
    let made = Processors.map(parts.count) { part in
      HeapRoom.make(chunks[parts[part]].reduce(0) { $0 + $1.links.count } * 32)
      return chunks[parts[part]].map { chunk, links in
        let block = BacklinkBlock()
        _ = block.insert(links)
        return (number: chunk, chunk: block)
      }
    }
    let all = made.flatMap { $0 }
    blocks = RadixTree(ascending: all)
    return all.map { ($0, $1.linked) }
  }

  /// - Returns: Whether the link existed.
  mutating func remove(_ source: ObjectKey, from target: ObjectKey) -> Bool { move(source, from: target, to: nil) }

  /// Removes a link and inserts one to another row, if there is one. The blocks of both are found before one changes: a
  /// processor then fetches them at the same time, as they are seldom in the cache.
  ///
  /// - Returns: Whether the link existed. If not, nothing was inserted, and the graph is faulty.
  mutating func move(_ source: ObjectKey, from target: ObjectKey, to next: ObjectKey?) -> Bool {
    let after = next.map { block(of: $0) }
    guard let before = blocks.makeUnique(target.chunk) else { return false }
    let isRemoved = before.with { $0.remove(source, atBit: target.bit) }
    if isRemoved, let next, let after { after.with { $0.insert(source, atBit: next.bit) } }
    if before.with({ $0.isEmpty }) { blocks.set(nil, at: target.chunk) }
    assert(blocks[target.chunk].map { !$0.isEmpty } ?? true, "An empty block is not kept.")
    return isRemoved
  }

  /// The block of a row, which this alone owns. It is made if it is missing, and has to get a link then.
  private mutating func block(of target: ObjectKey) -> Borrowed<BacklinkBlock> {
    if let block = blocks.makeUnique(target.chunk) { return block }
    let block = BacklinkBlock()
    blocks.set(block, at: target.chunk)
    // Held by the tree.
    return unsafe Borrowed(block)
  }

  /// Removes every link to `target`.
  mutating func removeBag(of target: ObjectKey) {
    let isEmpty = blocks.change(target.chunk) { block in
      block.removeBag(atBit: target.bit)
      return block.isEmpty
    }
    if isEmpty == true { blocks.set(nil, at: target.chunk) }
    assert(bag(of: target) == nil, "A bag that was removed is gone.")
  }
}
