import Foundation

/// The simulated disks that one test made, for as long as they are there. All state is guarded by `lock`; that is why
/// it is `@unchecked Sendable`.
final class Disks: @unchecked Sendable {
  /// Those of the test that runs here.
  @TaskLocal static var current: Disks?

  private struct Entry { weak var disk: SimulatedDisk? }
  private let lock = NSLock()
  private var entries: [Entry] = []
  private var limit = 64

  /// Takes note of one.
  func add(_ disk: SimulatedDisk) {
    lock.withLock {
      entries.append(Entry(disk: disk))
      // Campaigns make many thousands, one after the other.
      guard entries.count > limit else { return }
      entries.removeAll { $0.disk == nil }
      limit = entries.count * 2 + 64
    }
  }

  /// Those that are there.
  var alive: [SimulatedDisk] { lock.withLock { entries.compactMap(\.disk) } }
}
