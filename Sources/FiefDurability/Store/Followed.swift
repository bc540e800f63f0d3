import FiefGraph

/// A step of other processes in a store, kept in order until it is applied to a graph of this process.
enum Followed: Sendable {
  /// A commit.
  case commit(CommitRecord)
  /// A whole version: the commits that lead to it are no longer in the journal (S30).
  case whole(StoredVersion)
}

/// One version that other processes have made, as a store learns of it.
package struct FollowedVersion: Sendable {
  /// Its contents.
  package let graph: Graph
  /// When it was made, in milliseconds since 1970; nil if the journal has no times.
  package let time: UInt64?
  /// Whether it may have other tables than the version before.
  package let hasNewTables: Bool
  /// Whether it was read as a whole, because the commits that lead to it are no longer in the journal.
  package let isLeap: Bool
  /// After a leap: the versions before it that the files hold, from the snapshot on, and those before the snapshot.
  package let earlier: VersionHistory?
  package let beforeSnapshot: EarlierVersions?

  /// A version to which a commit leads.
  init(_ graph: Graph, by commit: CommitRecord) {
    (self.graph, time, hasNewTables, isLeap) = (graph, commit.time, commit.delta.schema != nil, false)
    (earlier, beforeSnapshot) = (nil, nil)
  }

  /// A version that was read as a whole.
  init(whole stored: StoredVersion) {
    (graph, time, hasNewTables, isLeap) = (stored.graph, nil, true, true)
    (earlier, beforeSnapshot) = (stored.earlier, stored.beforeSnapshot)
  }

  private init(_ other: FollowedVersion, showing graph: Graph) {
    (self.graph, time, hasNewTables, isLeap) = (graph, other.time, other.hasNewTables, other.isLeap)
    (earlier, beforeSnapshot) = (other.earlier, other.beforeSnapshot)
  }

  /// The same version with other contents, as a reader shows it.
  package func showing(_ graph: Graph) -> FollowedVersion { FollowedVersion(self, showing: graph) }
}
