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
    /// It was closed in order.
    case closed
    /// It was not closed in order, and ended with a whole commit.
    case notClosed
    /// It was not closed in order, and what was behind the last whole commit was cut off.
    case cutOff
  }

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
  }
}
