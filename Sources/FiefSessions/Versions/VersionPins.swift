import Synchronization

/// The number of sessions that use each version of a store.
package final class VersionPins: Sendable {
  /// The maximum number of different versions in use.
  let limit: UInt
  private let counts = Mutex<[UInt64: Int]>([:])

  package init(limit: UInt = .max) { self.limit = limit }

  /// The number of sessions of each version.
  package var versions: [UInt64: Int] { counts.withLock { $0 } }

  /// Whether a version is counted.
  func contains(_ version: UInt64) -> Bool { counts.withLock { $0[version] != nil } }

  package func add(_ version: UInt64) { counts.withLock { $0[version, default: 0] += 1 } }

  package func remove(_ version: UInt64) {
    counts.withLock { counts in
      guard let count = counts[version] else { fatalError("A version was released that no session sees.") }
      counts[version] = count > 1 ? count - 1 : nil
    }
  }

  /// Whether more versions are in use than allowed. The version that the writing session shows counts, too.
  package var isExceeded: Bool { UInt(counts.withLock { $0.count }) > limit }
}
