import Foundation

/// The simulated disks of one test that still exist. `lock` guards all state, so `@unchecked Sendable` is correct.
final class Disks: @unchecked Sendable {
  /// The disks of the current test.
  @TaskLocal static var current: Disks?

  private struct Entry { weak var disk: SimulatedDisk? }
  private let lock = NSLock()
  private var entries: [Entry] = []
  private var limit = 64

  /// Adds a disk.
  func add(_ disk: SimulatedDisk) {
    lock.withLock {
      entries.append(Entry(disk: disk))
      // Campaigns make many thousands of disks, one after the other.
      guard entries.count > limit else { return }
      entries.removeAll { $0.disk == nil }
      limit = entries.count * 2 + 64
    }
  }

  /// The disks that still exist.
  var alive: [SimulatedDisk] { lock.withLock { entries.compactMap(\.disk) } }
}
