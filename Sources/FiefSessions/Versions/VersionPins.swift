import Synchronization

/// The number of sessions that use each version of a store.
package final class VersionPins: Sendable {
  /// The maximum number of different versions in use.
  let limit: UInt
  private let counts = Mutex(Counts())

  package init(limit: UInt = .max) { self.limit = limit }

  /// The number of sessions of each version.
  package var versions: [UInt64: Int] { counts.withLock(\.versions) }

  /// Whether no session is counted.
  package var isEmpty: Bool { counts.withLock { $0.used == 0 } }

  /// Whether a version is counted.
  func contains(_ version: UInt64) -> Bool { counts.withLock { $0.find(version) != nil } }

  /// Counts a session more. Constant for the last versions in use; linear in the later ones when an earlier version
  /// comes into use that was not.
  package func add(_ version: UInt64) { counts.withLock { $0.add(version) } }

  /// Counts a session less. Logarithmic in the versions in use, on average: applications may keep many, and release
  /// them in any order.
  package func remove(_ version: UInt64) {
    if !counts.withLock({ $0.remove(version) }) { fatalError("A version was released that no session uses.") }
  }

  /// Whether more versions are in use than allowed. The version that the writing session shows counts, too.
  package var isExceeded: Bool { UInt(counts.withLock(\.used)) > limit }
}

extension VersionPins {
  private struct Counts {
    /// Ascending by version. A count of 0 is a hole, where a version was in use; the last one is none.
    private var places: ContiguousArray<(version: UInt64, count: Int)> = []
    /// The number of versions in use.
    private(set) var used = 0

    var versions: [UInt64: Int] {
      Dictionary(uniqueKeysWithValues: places.lazy.filter { $0.count > 0 }.map { ($0.version, $0.count) })
    }

    /// The place of a version in use; nil for another one.
    func find(_ version: UInt64) -> Int? {
      let index = place(of: version)
      return index < places.count && places[index].version == version && places[index].count > 0 ? index : nil
    }

    /// The first place that is not of an earlier version. Most sessions use one of the last versions.
    private func place(of version: UInt64) -> Int {
      var (low, high) = (0, places.count)
      if let last = places.last, version >= last.version { return version == last.version ? high - 1 : high }
      while low < high {
        let middle = (low + high) / 2
        if places[middle].version < version { low = middle + 1 } else { high = middle }
      }
      return low
    }

    mutating func add(_ version: UInt64) {
      let index = place(of: version)
      if index < places.count, places[index].version == version {
        if places[index].count == 0 { used += 1 }
        places[index].count += 1
      } else {
        places.insert((version, 1), at: index)
        used += 1
      }
    }

    /// - Returns: whether the version was counted.
    mutating func remove(_ version: UInt64) -> Bool {
      guard let index = find(version) else { return false }
      places[index].count -= 1
      if places[index].count > 0 { return true }
      used -= 1
      while places.last?.count == 0 { places.removeLast() }
      if places.count > 16 + 2 * used { places.removeAll { $0.count == 0 } }
      assert(used <= places.count, "Each version in use has a place.")
      return true
    }
  }
}
