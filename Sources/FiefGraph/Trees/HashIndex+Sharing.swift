extension HashIndex {
  /// Where each node lies in memory, parents before children; for tests and measurements of what two versions share.
  /// The numbers mean nothing but "the same" or "another", and only while the index is alive. Empty buckets, which
  /// share one storage, are left out.
  ///
  /// - Complexity: O(*n*).
  public func nodeIdentities() -> [UInt] {
    var result: [UInt] = []
    root.collectIdentities(&result)
    return result
  }
}

extension HashIndex.Node {
  /// Appends where this node and all below lie.
  func collectIdentities(_ result: inout [UInt]) {
    switch self {
    case .bucket(let entries):
      if !entries.isEmpty { result.append(entries.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }) }
    case .inner(let children):
      result.append(children.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
      for child in children { child.collectIdentities(&result) }
    }
  }
}
