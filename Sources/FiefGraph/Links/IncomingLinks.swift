/// All links into one table through one column of another (or of the same): what `LinkingObjects` reads.
///
/// It is derived from the links and kept exact with every change to them; deltas and files do not hold it.
public struct IncomingLinks: Sendable {
  /// The table that links.
  public let origin: TableKey
  /// The column that links.
  public let column: ColumnKey
  /// The bags of the rows that are linked to, by the chunk of their keys.
  var blocks = RadixTree<BacklinkBlock>()

  init(origin: TableKey, column: ColumnKey) {
    self.origin = origin
    self.column = column
  }

  /// The bag of links to row `target`, or nil when there are none.
  public func bag(of target: ObjectKey) -> BacklinkBag? { blocks[target.chunk]?.bag(atBit: target.bit) }

  mutating func insert(_ source: ObjectKey, to target: ObjectKey) {
    if let block = blocks.own(target.chunk) {
      block._withUnsafeGuaranteedRef { $0.insert(source, atBit: target.bit) }
    } else {
      let block = BacklinkBlock()
      block.insert(source, atBit: target.bit)
      blocks.set(block, at: target.chunk)
    }
  }

  /// - Returns: whether there was such a link.
  mutating func remove(_ source: ObjectKey, from target: ObjectKey) -> Bool {
    guard let block = blocks.own(target.chunk) else { return false }
    let (isRemoved, isEmpty) = block._withUnsafeGuaranteedRef {
      ($0.remove(source, atBit: target.bit), $0.isEmpty)
    }
    if isEmpty { blocks.set(nil, at: target.chunk) }
    return isRemoved
  }

  /// Forgets every link to `target`.
  mutating func removeBag(of target: ObjectKey) {
    guard let block = blocks.own(target.chunk) else { return }
    let isEmpty = block._withUnsafeGuaranteedRef { block in
      block.removeBag(atBit: target.bit)
      return block.isEmpty
    }
    if isEmpty { blocks.set(nil, at: target.chunk) }
  }
}
