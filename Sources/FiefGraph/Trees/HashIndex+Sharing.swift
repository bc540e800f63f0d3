extension HashIndex {
  /// The address of each node, parents before children, for tests and measurements of the storage that two versions
  /// share. The numbers can only be compared for equality, and only while the index is alive. Empty buckets are omitted
  /// because they all share one storage.
  ///
  /// - Complexity: O(*n*).
  public func nodeIdentities() -> [UInt] {
    var result: [UInt] = []
    root.collectIdentities(&result)
    return result
  }
}

extension HashIndex.Node {
  /// Appends the addresses of this node and of all nodes below it.
  func collectIdentities(_ result: inout [UInt]) {
    switch self {
    case .bucket(let entries):
      if !entries.isEmpty { unsafe result.append(entries.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }) }
    case .inner(let children):
      unsafe result.append(children.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
      for child in children { child.collectIdentities(&result) }
    }
  }
}
