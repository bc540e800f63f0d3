import FiefGraph

/// The versions of a store that were written, from the last one that is settled.
///
///     settled ──▶ later[0] ──▶ … ──▶ tip
///
/// They are retained so that a failed synchronization can be answered with the contents that are certain. A version is
/// settled when nothing of it has to be waited for: when it is durable, or at once in a store in memory and in one that
/// does not wait for the disk. So a settled version of the latter may be lost (`DurableDocuments`).
struct WrittenVersions: Sendable {
  /// The last version that is settled.
  private(set) var settled: Graph
  private var later: ContiguousArray<Graph> = []
  /// Whether a synchronization has failed, and versions were dropped.
  private(set) var hasFailed = false

  init(_ graph: Graph) { settled = graph }

  /// The version on which the next write is based.
  var tip: Graph { later.last ?? settled }

  /// Adds the next version.
  ///
  /// - Parameter isSettled: whether nothing more has to be waited for.
  mutating func append(_ graph: Graph, isSettled: Bool) {
    assert(graph.version == tip.version + 1, "Versions are written in sequence.")
    assert(!hasFailed, "Nothing is written after a failure.")
    if isSettled {
      assert(later.isEmpty, "A store waits for the disk at each commit, or at none.")
      settled = graph
    } else {
      later.append(graph)
    }
  }

  /// Records that all versions up to `version` are durable.
  ///
  /// - Returns: versions that are no longer needed. The caller releases them outside its lock.
  mutating func note(durable version: UInt64) -> ContiguousArray<Graph> {
    let count = later.prefix { $0.version <= version }.count
    if count == 0 { return [] }
    var dropped: ContiguousArray = [settled]
    settled = later[count - 1]
    dropped += later.prefix(count - 1)
    later.removeFirst(count)
    return dropped
  }

  /// Drops the versions that are not settled.
  ///
  /// - Returns: the tip until now; and the new one, a later version with the contents of the last settled one. Nil when
  ///   a failure was noted before.
  mutating func dropUndurable() -> (old: Graph, new: Graph)? {
    if hasFailed { return nil }
    hasFailed = true
    let old = tip
    settled = settled.numbered(old.version + 1)
    later = []
    return (old, settled)
  }
}
