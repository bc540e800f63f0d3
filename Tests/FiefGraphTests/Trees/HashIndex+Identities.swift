#if DEBUG
  @testable import FiefGraph

  extension HashIndex {
    /// The address of each node, parents before children, while the index lives. Empty buckets are omitted, as they all
    /// share one storage.
    func nodeIdentities() -> [UInt] {
      var result: [UInt] = []
      root.collectIdentities(&result)
      return result
    }
  }

  extension HashIndex.Node {
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
#endif
