import Synchronization

/// The number of sessions that use each version of a store.
package final class VersionPins: Sendable {
  /// The maximum number of different versions in use.
  let limit: UInt
  /// Ascending by version, all greater than 0. Most sessions use one of the last versions, so the search begins there.
  private let counts = Mutex<ContiguousArray<(version: UInt64, count: Int)>>([])

  package init(limit: UInt = .max) { self.limit = limit }

  /// The number of sessions of each version.
  package var versions: [UInt64: Int] {
    counts.withLock { counts in Dictionary(uniqueKeysWithValues: counts.lazy.map { ($0.version, $0.count) }) }
  }

  /// Whether no session is counted.
  package var isEmpty: Bool { counts.withLock(\.isEmpty) }

  /// Whether a version is counted.
  func contains(_ version: UInt64) -> Bool { counts.withLock { $0.contains { $0.version == version } } }

  /// Counts a session more. Linear in the later versions in use.
  package func add(_ version: UInt64) {
    counts.withLock { counts in
      var index = counts.count
      while index > 0, counts[index - 1].version > version { index -= 1 }
      if index > 0, counts[index - 1].version == version {
        counts[index - 1].count += 1
      } else if index == counts.count {
        counts.append((version, 1))
      } else {
        counts.insert((version, 1), at: index)
      }
    }
  }

  /// Counts a session less. Linear in the later versions in use.
  package func remove(_ version: UInt64) {
    counts.withLock { counts in
      guard let index = counts.lastIndex(where: { $0.version == version }) else {
        fatalError("A version was released that no session uses.")
      }
      counts[index].count -= 1
      if counts[index].count > 0 { return }
      if index == counts.count - 1 { counts.removeLast() } else { counts.remove(at: index) }
    }
  }

  /// Whether more versions are in use than allowed. The version that the writing session shows counts, too.
  package var isExceeded: Bool { UInt(counts.withLock { $0.count }) > limit }
}
