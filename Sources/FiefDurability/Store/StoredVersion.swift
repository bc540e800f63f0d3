import FiefGraph
import Foundation

/// What an opening found: the newest version, and how.
public struct StoredVersion: Sendable {
  /// Which store it is of.
  public var store: UUID
  /// The graph; its `version` is the newest commit's.
  public var graph: Graph
  /// The application's number of its schema in it.
  public var userVersion: UInt64
  /// How the store was left.
  public var state: State

  /// How a store was left by those who had it before.
  public enum State: Hashable, Sendable {
    /// There was none; it was created.
    case created
    /// It was closed in order, or left alone until everything in it was on the disk and marked so.
    case closed
    /// It was not closed in order, and ended with a whole commit.
    case notClosed
    /// It was not closed in order, and what was behind the last whole commit was cut off.
    case cutOff
  }

  /// What is cut off of a journal whose last record is not whole, and what is known of it.
  public struct CutOff: Hashable, Sendable {
    /// How many bytes they are.
    public var bytes: Int
    /// How many commits they were at least, as far as the headers of their records can be seen; 0 when none can. One of
    /// them, or several that were not synchronized, is what a crash leaves. That none of them had been acknowledged is
    /// known only of commits with `.full` durability before a power failure; see S6 in the room's README.
    public var commits: Int
    /// The file that they are kept in, when the store was opened for writing.
    public var keptAt: String?

    /// A tail from its facts.
    public init(bytes: Int, commits: Int, keptAt: String? = nil) {
      self.bytes = bytes
      self.commits = commits
      self.keptAt = keptAt
    }

    /// What that means, as sentences.
    public var description: String {
      let what =
        switch commits {
        case 0: "no commit can be seen in them"
        case 1: "a commit can be seen in them"
        default: "\(commits) commits can be seen in them"
        }
      return
        "The last \(bytes) bytes of the journal make no whole commit, and \(what). A crash leaves such bytes of commits that "
        + "were not acknowledged as durable, or damage of some that were: the files do not tell which."
        + (keptAt.map { " They are kept in \($0)." } ?? "")
    }
  }

  /// What was, or for readers would be, cut off, when the state is `.cutOff`.
  public var cutOff: CutOff?

  /// The newest version's number.
  public var version: UInt64 { graph.version }

  /// A version from its parts.
  public init(store: UUID, graph: Graph, userVersion: UInt64, state: State) {
    self.store = store
    self.graph = graph
    self.userVersion = userVersion
    self.state = state
  }
}

extension StoredVersion {
  /// What a pair of files holds.
  init(_ pair: StoredPair) {
    let state: State =
      switch pair.journal?.end {
      case .sealed, nil: .closed
      case .torn: .cutOff
      default: .notClosed
      }
    self.init(store: pair.snapshot.store, graph: pair.graph, userVersion: pair.userVersion, state: state)
    if let journal = pair.journal, case .torn(_, let commits) = journal.end {
      cutOff = CutOff(bytes: journal.bytes.count - journal.length, commits: commits)
    }
  }
}
