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

  mutating func insert(_ source: ObjectKey, to target: ObjectKey) {
    assert(source.rawValue >= 0 && target.rawValue >= 0, "A link has rows at both ends.")
    defer { assert(bag(of: target).map { $0.count > 0 } ?? false, "A target has a bag with its sources.") }
    if blocks.change(target.chunk, { $0.insert(source, atBit: target.bit) }) != nil { return }
    let block = BacklinkBlock()
    block.insert(source, atBit: target.bit)
    blocks.set(block, at: target.chunk)
  }

  /// - Returns: Whether the link existed.
  mutating func remove(_ source: ObjectKey, from target: ObjectKey) -> Bool {
    let outcome = blocks.change(target.chunk) { ($0.remove(source, atBit: target.bit), $0.isEmpty) }
    guard let (isRemoved, isEmpty) = outcome else { return false }
    if isEmpty { blocks.set(nil, at: target.chunk) }
    assert(blocks[target.chunk].map { !$0.isEmpty } ?? true, "An empty block is not kept.")
    return isRemoved
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
