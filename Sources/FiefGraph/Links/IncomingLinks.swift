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
    blocks.update(target.chunk) { block in
      Self.makeUnique(&block)
      block?.insert(source, atBit: target.bit)
    }
  }

  /// - Returns: whether there was such a link.
  mutating func remove(_ source: ObjectKey, from target: ObjectKey) -> Bool {
    blocks.update(target.chunk) { block in
      guard block != nil else { return false }
      Self.makeUnique(&block)
      guard let present = block else { return false }
      let isRemoved = present.remove(source, atBit: target.bit)
      if present.bags.isEmpty { block = nil }
      return isRemoved
    }
  }

  /// Forgets every link to `target`.
  mutating func removeBag(of target: ObjectKey) {
    guard bag(of: target) != nil else { return }
    blocks.update(target.chunk) { block in
      Self.makeUnique(&block)
      guard let present = block else { return }
      present.removeBag(atBit: target.bit)
      if present.bags.isEmpty { block = nil }
    }
  }

  private static func makeUnique(_ block: inout BacklinkBlock?) {
    if block == nil {
      block = BacklinkBlock()
    } else if !isKnownUniquelyReferenced(&block) {
      block = block?.copy()
    }
  }
}
