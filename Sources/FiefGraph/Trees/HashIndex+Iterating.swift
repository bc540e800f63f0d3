extension HashIndex {
  /// Shows every entry, in an order that means nothing and may differ from process to process.
  ///
  /// - Parameter body: What to do with an entry.
  /// - Throws: What the body throws; the walk ends then.
  /// - Complexity: O(*n*).
  @inlinable
  public func forEach(_ body: (_ hash: UInt64, _ key: Int64) throws -> Void) rethrows {
    try root.forEach(body)
  }
}

extension HashIndex.Node {
  /// Shows every entry below this node.
  @inlinable
  func forEach(_ body: (_ hash: UInt64, _ key: Int64) throws -> Void) rethrows {
    switch self {
    case .inner(let children):
      let span = children.span
      for slot in span.indices { try span[slot].forEach(body) }
    case .bucket(let entries):
      for entry in entries { try body(entry.hash, entry.key) }
    }
  }
}
