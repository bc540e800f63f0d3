import Synchronization

/// How many sessions see which version of a store.
final class VersionPins: Sendable {
  /// How many different versions may be seen at once.
  let limit: UInt
  private let counts = Mutex<[UInt64: Int]>([:])

  init(limit: UInt = .max) { self.limit = limit }

  /// How many sessions see each version.
  var versions: [UInt64: Int] { counts.withLock { $0 } }

  func add(_ version: UInt64) { counts.withLock { $0[version, default: 0] += 1 } }

  func remove(_ version: UInt64) {
    counts.withLock { counts in
      let left = (counts[version] ?? 1) - 1
      counts[version] = left > 0 ? left : nil
    }
  }

  /// Whether more versions are seen than there may be. The one that a write would make counts as one.
  var isExceeded: Bool { UInt(counts.withLock { $0.count }) > limit }
}
