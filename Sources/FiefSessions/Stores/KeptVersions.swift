import FiefDurability
import FiefGraph
import Synchronization

/// The earlier versions of a store, for all threads.
///
///     file: before the snapshot ──(when first asked for)──▶ memory: to the version before the latest
///
/// Versions that this process has seen are in memory. Those before the snapshot that was opened are read when one of
/// them is asked for.
final class KeptVersions: Sendable {
  private let history: Mutex<VersionHistory>
  /// The versions in the file; nil when they were read, or there are none.
  private let stored: Mutex<EarlierVersions?>
  private let system: any FileSystem

  /// The history of a store that begins with a version.
  init(_ limits: HistoryLimits, _ opened: OpenedFiles, system: any FileSystem) {
    history = Mutex(opened.earlier ?? VersionHistory(limits))
    stored = Mutex(opened.beforeSnapshot)
    self.system = system
  }

  /// The time for the next commit, in milliseconds since 1970.
  var now: UInt64 { system.now }

  /// The versions in memory.
  var inMemory: VersionHistory { history.withLock { $0 } }

  /// Keeps a version that a commit has replaced.
  ///
  /// - Parameters:
  ///   - time: The time of the commit.
  ///   - next: The new version, if it may have other tables.
  func add(_ graph: Graph, at time: UInt64, replacedBy next: Graph? = nil) {
    assert(next.map { graph.version < $0.version } ?? true, "A version is replaced by a later one.")
    // Released after the lock.
    let dropped = history.withLock { $0.add(graph, at: time, replacedBy: next) }
    withExtendedLifetime(dropped) {}
  }

  /// Goes on after a version that was read as a whole. The versions before it are those that the files hold: the ones
  /// in memory do not lead to it without a gap.
  func replace(by earlier: VersionHistory?, _ beforeSnapshot: EarlierVersions?) {
    stored.withLock { $0 = beforeSnapshot }
    let dropped = history.withLock { history in
      defer { history = earlier ?? VersionHistory(history.limits) }
      return history
    }
    withExtendedLifetime(dropped) {}
  }

  /// The oldest version in memory; nil when none is there.
  var oldest: UInt64? { trimmed { $0.oldest } }

  /// The kept version of a number.
  ///
  /// - Parameter shown: A version that is in use. It is where the file leads back from, if no version was replaced.
  func graph(_ version: UInt64, before shown: Graph) -> Graph? {
    assert(version < shown.version, "Only earlier versions are kept.")
    if let found = trimmed({ $0[version]?.graph }) { return found }
    load(version, before: shown)
    return trimmed { $0[version]?.graph }
  }

  /// Reads the versions in the file, if a version is before those in memory.
  private func load(_ version: UInt64, before shown: Graph) {
    let loss: String? = stored.withLock { stored in
      guard let file = stored, version < file.version else { return nil }
      let (base, isFirst) = history.withLock { ($0[file.version], ($0.oldest ?? file.version) == file.version) }
      let latest = shown.version == file.version ? shown : nil
      guard isFirst, let graph = base?.graph ?? latest else {
        // A session that shows a version before a leap does not know the one that the file leads back from.
        if shown.version >= file.version { stored = nil }
        return nil
      }
      let memory = inMemory
      let (versions, loss) = file.load(before: graph, replacedAt: base?.time, memory.count, memory.limits)
      stored = nil
      let dropped = history.withLock { $0.add(versions, before: file.version, at: system.now) }
      withExtendedLifetime(dropped) {}
      return loss
    }
    if let loss { Logger.log(.warn, loss) }
  }

  private func trimmed<Result: Sendable>(_ look: @Sendable (VersionHistory) -> Result) -> Result {
    let (result, dropped) = history.withLock { history in
      let dropped = history.trim(at: system.now)
      return (look(history), dropped)
    }
    withExtendedLifetime(dropped) {}
    return result
  }
}
