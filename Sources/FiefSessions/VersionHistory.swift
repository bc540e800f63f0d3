import FiefGraph
import Foundation
import Synchronization

/// The earlier versions that a store keeps, ascending.
///
/// A version shares all that did not change with the next one, so keeping it costs what the next one replaced.
struct VersionHistory: Sendable {
  let limits: HistoryLimits
  private var kept: ContiguousArray<Entry> = []
  /// The number of entries at the front of `kept` that are no longer kept. Their graphs are empty.
  private var gone = 0

  private struct Entry {
    var graph: Graph
    let replaced: Date
  }

  init(_ limits: HistoryLimits) { self.limits = limits }

  /// The number of kept versions.
  var count: Int { kept.count - gone }

  /// Adds a version that was replaced at a time.
  ///
  /// - Returns: the versions that are no longer kept. The caller releases them outside its lock.
  mutating func add(_ graph: Graph, at time: Date) -> [Graph] {
    assert(count == 0 || kept[kept.count - 1].graph.version < graph.version, "Versions are replaced in sequence.")
    kept.append(Entry(graph: graph, replaced: time))
    return trim(at: time)
  }

  /// Drops the versions beyond the limits.
  ///
  /// - Complexity: amortized linear in the number of dropped versions.
  mutating func trim(at time: Date) -> [Graph] {
    var dropped: [Graph] = []
    while count > 0, isBeyondLimits(time) {
      dropped.append(kept[gone].graph)
      kept[gone].graph = .empty
      gone += 1
    }
    if gone > 16 && gone * 2 > kept.count {
      kept.removeFirst(gone)
      gone = 0
    }
    return dropped
  }

  private func isBeyondLimits(_ time: Date) -> Bool {
    if let versions = limits.versions, count > versions { return true }
    if let age = limits.age, time.timeIntervalSince(kept[gone].replaced) > age { return true }
    return false
  }

  /// The oldest kept version; nil when none is kept.
  var oldest: UInt64? { count == 0 ? nil : kept[gone].graph.version }

  /// The kept version of a number. Logarithmic in the number of versions.
  func graph(_ version: UInt64) -> Graph? {
    var (low, high) = (gone, kept.count)
    while low < high {
      let middle = (low + high) / 2
      if kept[middle].graph.version < version { low = middle + 1 } else { high = middle }
    }
    return low < kept.count && kept[low].graph.version == version ? kept[low].graph : nil
  }
}

/// The history of a store, for all threads.
final class KeptVersions: Sendable {
  private let history: Mutex<VersionHistory>

  init(_ limits: HistoryLimits) { history = Mutex(VersionHistory(limits)) }

  /// Keeps a version that a commit has replaced.
  func add(_ graph: Graph) {
    // Released after the lock.
    let dropped = history.withLock { $0.add(graph, at: Date()) }
    withExtendedLifetime(dropped) {}
  }

  /// The oldest kept version; nil when none is kept.
  var oldest: UInt64? { trimmed { $0.oldest } }

  /// The kept version of a number.
  subscript(version: UInt64) -> Graph? { trimmed { $0.graph(version) } }

  private func trimmed<Result: Sendable>(_ look: @Sendable (VersionHistory) -> Result) -> Result {
    let (result, dropped) = history.withLock { history in
      let dropped = history.trim(at: Date())
      return (look(history), dropped)
    }
    withExtendedLifetime(dropped) {}
    return result
  }
}
