import FiefGraph

/// The shared state of the observers of a session while they are notified: the differences between versions, each
/// computed once.
package final class Delivery {
  private var differences: [Pair: VersionDifference] = [:]
  private var shared: [ObjectIdentifier: (owner: AnyObject, version: UInt64, value: Any)] = [:]

  package init() {}

  private struct Pair: Hashable {
    let old: UInt64
    let new: UInt64
  }

  /// Returns the difference between two published versions of one store.
  package func difference(from old: Graph, to new: Graph) -> VersionDifference {
    let pair = Pair(old: old.version, new: new.version)
    if let known = differences[pair] {
      assert(known.old.isIdentical(to: old) && known.new.isIdentical(to: new), "Graphs of one version are equal.")
      return known
    }
    assert(old.version <= new.version, "Observers are notified of later versions.")
    let made = VersionDifference(old, new)
    differences[pair] = made
    return made
  }

  /// Returns a value that all observers of `owner` share while the session shows one version. The first call computes
  /// it. A block may write, and those that are called after it see the version of that write.
  package func once<Value>(for owner: AnyObject, at graph: Graph, _ make: () -> Value) -> Value {
    if let known = shared[ObjectIdentifier(owner)], known.version == graph.version, let value = known.value as? Value {
      return value
    }
    let value = make()
    shared[ObjectIdentifier(owner)] = (owner, graph.version, value)
    return value
  }
}

extension Graph {
  /// Whether both are identical graphs, rather than only equal. Linear in the number of tables.
  func isIdentical(to other: Graph) -> Bool {
    let a = allTables
    let b = other.allTables
    return a.count == b.count && zip(a, b).allSatisfy { $0 === $1 }
  }
}
