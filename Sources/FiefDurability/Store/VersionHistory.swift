import FiefGraph

/// An earlier version of a store.
package struct KeptVersion: Sendable {
  /// The version.
  package let graph: Graph
  /// When it was replaced, in milliseconds since 1970.
  package let time: UInt64
}

/// The earlier versions that a store keeps, ascending and without gaps.
///
/// A version shares all that did not change with the next one, so keeping it costs what the next one replaced.
package struct VersionHistory: Sendable {
  /// How many versions are kept.
  package let limits: HistoryLimits
  private var kept: ContiguousArray<KeptVersion> = []
  /// The number of entries at the front of `kept` that are no longer kept. Their graphs are empty.
  private var gone = 0
  /// The kept versions that were replaced earlier than every later one, ascending. So the first of them is the one that
  /// was replaced longest ago. It need not be the oldest: the clock may have been ahead before.
  private var earliest: ArraySlice<(version: UInt64, time: UInt64)> = []
  /// Whether a version was replaced since the history was made.
  private var isBegun = false

  /// Creates an empty history.
  package init(_ limits: HistoryLimits) { self.limits = limits }

  /// The number of kept versions.
  package var count: Int { kept.count - gone }

  /// The oldest kept version; nil when none is kept.
  package var oldest: UInt64? { count == 0 ? nil : kept[gone].graph.version }

  /// The kept version of a number. Constant time.
  package subscript(version: UInt64) -> KeptVersion? {
    guard let oldest, version >= oldest, version - oldest < UInt64(count) else { return nil }
    return kept[gone + Int(version - oldest)]
  }

  /// The kept versions below a number, the newest first. Empty when there is a gap between.
  package func versions(before version: UInt64) -> ReversedCollection<ArraySlice<KeptVersion>> {
    guard let oldest, version > oldest, version - oldest <= UInt64(count) else { return [][...].reversed() }
    return Array(kept[gone..<gone + Int(version - oldest)])[...].reversed()
  }

  /// Adds a version that was replaced at a time.
  ///
  /// A change of tables that it has ends the history: neither it nor the versions before are kept.
  ///
  /// - Parameter next: the version that replaced it.
  /// - Returns: the versions that are no longer kept. The caller releases them outside its lock.
  package mutating func add(_ graph: Graph, at time: UInt64, replacedBy next: Graph? = nil) -> [Graph] {
    assert(count == 0 || kept[kept.count - 1].graph.version + 1 == graph.version, "Versions are replaced in sequence.")
    isBegun = true
    if let next, !next.schema.keepsTables(of: graph.schema) {
      defer { (kept, gone, earliest) = ([], 0, []) }
      return kept.map(\.graph) + [graph]
    }
    append(KeptVersion(graph: graph, time: time))
    return trim(at: time)
  }

  private mutating func append(_ version: KeptVersion) {
    while let last = earliest.last, last.time >= version.time { earliest.removeLast() }
    earliest.append((version.graph.version, version.time))
    kept.append(version)
  }

  /// Adds the versions before the oldest one, the newest first. Ignores them if there is a gap between.
  ///
  /// - Parameters:
  ///   - older: the versions.
  ///   - version: the version after the first of them: the oldest kept one, or the latest if none was replaced yet.
  /// - Returns: the versions that are not kept.
  package mutating func add(_ older: [KeptVersion], before version: UInt64, at time: UInt64) -> [Graph] {
    guard oldest == version || !isBegun else { return older.map(\.graph) }
    let later = kept[gone...]
    (kept, gone, earliest) = ([], 0, [])
    for version in older.reversed() { append(version) }
    for version in later { append(version) }
    return trim(at: time)
  }

  /// Drops the versions beyond the limits, and those before them.
  ///
  /// - Complexity: amortized linear in the number of dropped versions.
  package mutating func trim(at time: UInt64) -> [Graph] {
    var dropped: [Graph] = []
    while let first = earliest.first, !limits.keep(count - 1, laterThan: first.time, at: time) {
      if oldest == first.version { earliest.removeFirst() }
      dropped.append(kept[gone].graph)
      kept[gone] = KeptVersion(graph: .empty, time: 0)
      gone += 1
    }
    if gone > 16 && gone * 2 > kept.count {
      kept.removeFirst(gone)
      gone = 0
    }
    return dropped
  }
}
