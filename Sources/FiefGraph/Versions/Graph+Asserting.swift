extension Graph {
  /// Asserts that the parts that differ from an older version are sound. Does nothing in a release build.
  ///
  /// A debug build checks each version that is published. The cost is bounded, so that it depends neither on the size
  /// of the graph nor on that of the change: changed tables of a few rows are checked with their indexes, and of larger
  /// ones the first changed clusters. Links and owners are checked in graphs of a few rows.
  @inline(__always)
  func assertSound(after old: Graph) {
    #if DEBUG
      if let fault = firstFault(after: old) { assertionFailure("A version that is published is not sound: \(fault)") }
    #endif
  }
}

#if DEBUG
  extension Graph {
    private static var rowLimit: Int { 64 }
    private static var clusterLimit: Int { 2 }

    private func firstFault(after old: Graph) -> String? {
      var hasChanged = false
      for index in tables.indices {
        let before = index < old.tables.count ? old.tables[index] : nil
        guard let table = tables[index], table !== before else { continue }
        hasChanged = true
        if table.count <= Self.rowLimit {
          if table.isSmall, let fault = table.checkInvariants().first { return fault }
        } else if let fault = table.firstFault(inClustersAfter: before, limit: Self.clusterLimit) {
          return fault
        }
      }
      guard hasChanged, allTables.reduce(0, { $0 + $1.count }) <= Self.rowLimit, allTables.allSatisfy(\.isSmall) else {
        return nil
      }
      return (checkLinks() + checkOwners()).first
    }
  }

  extension Table {
    /// Whether the collections of the table have few elements together.
    fileprivate var isSmall: Bool {
      var elements = 0
      rows.forEach { _, cluster in
        elements += cluster.countElements(schema)
        return true
      }
      return elements <= 512
    }

    /// The first fault of the clusters that differ from those of an older version, of which only a few are checked.
    fileprivate func firstFault(inClustersAfter old: Table?, limit: Int) -> String? {
      guard let old, old.schema === schema else { return nil }
      var left = limit
      var fault: String?
      RadixTree.difference(from: old.rows, to: rows) { _, _, cluster in
        if let cluster, cluster.countElements(schema) <= 512 {
          fault = cluster.checkInvariants("'\(schema.name)' cluster", schema).first
        }
        left -= 1
        return fault == nil && left > 0
      }
      return fault
    }
  }

  extension Cluster {
    fileprivate func countElements(_ schema: TableSchema) -> Int {
      var elements = 0
      for leaf in leaves.indices where schema.types[leaf].isCollection {
        for slot in 0..<count { elements += leaves[leaf].values.collection(at: slot)?.count ?? 0 }
      }
      return elements
    }
  }
#endif
