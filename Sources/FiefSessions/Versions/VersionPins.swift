import Synchronization

/// The number of sessions that use each version of a store.
package final class VersionPins: Sendable {
  /// The maximum number of different versions in use.
  let limit: UInt
  private let counts = Mutex(Counts())

  package init(limit: UInt = .max) { self.limit = limit }

  /// The sessions of each version. The version that was pinned last has a separate counter, so freezing and thawing one
  /// version repeatedly costs an addition and no lookup.
  private struct Counts {
    var last: (version: UInt64, count: Int) = (0, 0)
    /// The counts of the other versions, all greater than 0.
    var others: [UInt64: Int] = [:]

    mutating func add(_ version: UInt64) {
      if version != last.version {
        if last.count > 0 { others[last.version] = last.count }
        last = (version, others.removeValue(forKey: version) ?? 0)
      }
      last.count += 1
      assert(others[version] == nil, "A version is counted once.")
    }

    mutating func remove(_ version: UInt64) {
      assert(contains(version), "Only a version that is seen is released.")
      if version == last.version {
        last.count -= 1
      } else {
        let left = (others[version] ?? 1) - 1
        others[version] = left > 0 ? left : nil
      }
    }

    func contains(_ version: UInt64) -> Bool {
      version == last.version ? last.count > 0 : others[version] != nil
    }

    var count: Int { others.count + (last.count > 0 ? 1 : 0) }
  }

  /// The number of sessions of each version.
  package var versions: [UInt64: Int] {
    counts.withLock { counts in
      var all = counts.others
      if counts.last.count > 0 { all[counts.last.version] = counts.last.count }
      return all
    }
  }

  /// Whether a version is counted.
  func contains(_ version: UInt64) -> Bool { counts.withLock { $0.contains(version) } }

  package func add(_ version: UInt64) { counts.withLock { $0.add(version) } }

  package func remove(_ version: UInt64) { counts.withLock { $0.remove(version) } }

  /// Whether more versions are in use than allowed. The version that the writing session shows counts, too.
  package var isExceeded: Bool { UInt(counts.withLock { $0.count }) > limit }
}
