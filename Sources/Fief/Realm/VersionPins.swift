import Synchronization

/// How many sessions see which version of a store.
final class VersionPins: Sendable {
  /// How many different versions may be seen at once.
  let limit: UInt
  private let counts = Mutex(Counts())

  init(limit: UInt = .max) { self.limit = limit }

  /// The sessions of each version. Those of the version that was pinned last are counted beside the others: freezing
  /// and thawing one version after the other then costs an addition, and no search.
  private struct Counts {
    var last: (version: UInt64, count: Int) = (0, 0)
    /// Those of the other versions, none of them 0.
    var others: [UInt64: Int] = [:]

    mutating func add(_ version: UInt64) {
      if version != last.version {
        if last.count > 0 { others[last.version] = last.count }
        last = (version, others.removeValue(forKey: version) ?? 0)
      }
      last.count += 1
    }

    mutating func remove(_ version: UInt64) {
      if version == last.version {
        last.count -= 1
      } else {
        let left = (others[version] ?? 1) - 1
        others[version] = left > 0 ? left : nil
      }
    }

    var count: Int { others.count + (last.count > 0 ? 1 : 0) }
  }

  /// How many sessions see each version.
  var versions: [UInt64: Int] {
    counts.withLock { counts in
      var all = counts.others
      if counts.last.count > 0 { all[counts.last.version] = counts.last.count }
      return all
    }
  }

  func add(_ version: UInt64) { counts.withLock { $0.add(version) } }

  func remove(_ version: UInt64) { counts.withLock { $0.remove(version) } }

  /// Whether more versions are seen than there may be. The one that a write would make counts as one.
  var isExceeded: Bool { UInt(counts.withLock { $0.count }) > limit }
}
