extension HashIndex {
  /// Calls a closure with every entry, in an unspecified order that may differ between processes.
  ///
  /// - Parameter body: The closure to call.
  /// - Throws: Any error of `body`, which ends the iteration.
  /// - Complexity: O(*n*).
  public func forEach(_ body: (_ hash: UInt64, _ key: Int64) throws -> Void) rethrows {
    try root.forEach(body)
  }
}

extension HashIndex.Node {
  /// Calls a closure with every entry below this node.
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
