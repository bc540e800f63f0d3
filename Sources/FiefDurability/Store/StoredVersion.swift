import FiefGraph
import Foundation

/// The result of an opening: the newest version, and the state of the store.
public struct StoredVersion: Sendable {
  /// The identity of the store.
  package var store: UUID
  /// The graph; its `version` is that of the newest commit.
  package var graph: Graph
  /// The application's schema number in it.
  package var userVersion: UInt64
  /// How the store was left.
  package var state: State

  /// How the previous users left a store.
  public enum State: Hashable, Sendable {
    /// The store did not exist; it was created.
    case created
    /// It was closed in order, or it rested until all commits were on the disk and sealed.
    case closed
    /// It was not closed in order, and the journal ends with a whole commit.
    case notClosed
    /// It was not closed in order, and the bytes behind the last whole commit were cut off.
    case cutOff
  }

  /// The bytes that are cut off a journal whose last record is not whole.
  public struct CutOff: Hashable, Sendable {
    /// The number of bytes.
    public var bytes: Int
    /// The minimum number of commits in these bytes, from the headers of their records that can be read; 0 if there are
    /// none. A crash leaves one such commit, or several that were not synchronized. Only for commits with `.full`
    /// durability before a power failure is it certain that none of them was acknowledged; see S6 in the module's
    /// README.
    public var commits: Int
    /// The file that keeps the bytes, if the store was opened for writing.
    public var keptAt: String?

    /// Creates a value from its parts.
    package init(bytes: Int, commits: Int, keptAt: String? = nil) {
      self.bytes = bytes
      self.commits = commits
      self.keptAt = keptAt
    }

    /// The consequences, as sentences.
    public var description: String {
      let what =
        switch commits {
        case 0: "no commit can be seen in them"
        case 1: "a commit can be seen in them"
        default: "\(commits) commits can be seen in them"
        }
      return
        "The last \(bytes) bytes of the journal make no whole commit, and \(what). A crash leaves such bytes of "
        + "commits that were not acknowledged as durable, or damage of some that were: the files do not tell which."
        + (keptAt.map { " They are kept in \($0)." } ?? "")
    }
  }

  /// The bytes that were cut off, or that a reader skipped, if the state is `.cutOff`.
  package var cutOff: CutOff?
  /// The versions from the snapshot on, if the store keeps versions.
  package var earlier: VersionHistory?
  /// Whether the times of `earlier` are those of the commits. A journal of a store without a history has none.
  package var isTimed = false
  /// The versions before the snapshot, if the store keeps versions.
  package var beforeSnapshot: EarlierVersions?

  /// The number of the newest version.
  package var version: UInt64 { graph.version }

  /// Creates a stored version from its parts.
  package init(store: UUID, graph: Graph, userVersion: UInt64, state: State) {
    self.store = store
    self.graph = graph
    self.userVersion = userVersion
    self.state = state
  }
}

extension StoredVersion {
  /// Creates the version that a pair of files holds, with those before its snapshot if versions are kept.
  init(_ pair: StoredPair, _ paths: StorePaths, _ system: any FileSystem) {
    self.init(pair)
    if earlier != nil { beforeSnapshot = EarlierVersions(paths: paths, system: system, anchor: pair.anchor) }
  }

  /// Creates the version that a pair of files holds.
  init(_ pair: StoredPair) {
    let state: State =
      switch pair.journal?.end {
      case .sealed, nil: .closed
      case .torn: .cutOff
      default: .notClosed
      }
    self.init(store: pair.snapshot.store, graph: pair.graph, userVersion: pair.userVersion, state: state)
    earlier = pair.earlier
    isTimed = pair.journal?.header.isTimed ?? false
    if let journal = pair.journal, case .torn(_, let commits) = journal.end {
      cutOff = CutOff(bytes: journal.bytes.count - journal.length, commits: commits)
    }
  }
}
