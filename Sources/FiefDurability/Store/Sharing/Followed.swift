import FiefGraph

/// What other processes have done to a store, in order, until it is applied to a graph of this process.
enum Followed: Sendable {
  /// A commit.
  case commit(CommitRecord)
  /// A whole version: the commits that lead to it are no longer in the journal (S30).
  case whole(Graph)
}

/// One version that other processes have made, as a store learns of it.
package struct FollowedVersion: Sendable {
  /// Its contents.
  package let graph: Graph
  /// When it was made, in milliseconds since 1970; nil if the journal has no times.
  package let time: UInt64?
  /// Whether it may have other tables than the version before.
  package let hasNewTables: Bool
  /// Whether versions between it and the one before are unknown.
  package let isLeap: Bool

  /// The same version with other contents, as a reader shows it.
  package func showing(_ graph: Graph) -> FollowedVersion {
    FollowedVersion(graph: graph, time: time, hasNewTables: hasNewTables, isLeap: isLeap)
  }
}
