import Synchronization

/// The latest version of a graph. Readers pin it, and a writer replaces it.
///
///     reader ── current ──▶ Graph (held as long as wanted, never changes)
///     writer ── begin ──▶ Transaction ── publish ──▶ current
///
/// Releasing the last reference to a version frees the nodes that no other version shares; nothing has to be closed.
/// During a transaction, its base is held by the transaction. Nodes that a reader may hold are therefore never changed
/// in place.
///
/// Any number of threads may read. Only one transaction at a time can be published: callers must serialise their
/// writers. A transaction whose base is no longer the latest version is refused.
public final class PublishedGraph: Sendable {
  private let latest: Mutex<Graph>

  /// Begins a series of versions with `graph`.
  public init(_ graph: Graph = .empty) { latest = Mutex(graph) }

  /// The latest version. Constant time.
  public var current: Graph { latest.withLock { $0 } }

  /// A transaction on the latest version. Constant time.
  public func begin() -> Transaction { Transaction(current) }

  /// Makes the transaction's working copy the latest version.
  ///
  /// The transaction can be used afterwards. Publishing it again is refused, because its base is no longer the latest
  /// version.
  ///
  /// - Returns: The new version, whose number is one higher than its base's.
  /// - Throws: `GraphError.Code.conflict` if another version was published since the transaction began.
  @discardableResult
  public func publish(_ transaction: Transaction) throws -> Graph {
    var graph = transaction.graph
    graph.version = transaction.base.version + 1
    let published = graph
    published.assertSound(after: transaction.base)
    let isLatest = latest.withLock { latest in
      guard latest.version == transaction.base.version else { return false }
      // The swap moves the old version out of the lock, so that readers need not wait until it is freed.
      assert(graph.version > latest.version, "The latest version only grows.")
      swap(&latest, &graph)
      return true
    }
    guard isLatest else {
      throw GraphError(
        .conflict,
        "The transaction began from version \(transaction.base.version), which is not the latest any more: "
          + "begin another.")
    }
    return published
  }

  /// Makes a version the latest, unless a later one was published already. For callers that make versions in sequence
  /// and publish each later.
  package func advance(to graph: Graph) {
    graph.assertSound(after: current)
    var graph = graph
    latest.withLock { latest in
      let before = latest.version
      defer { assert(latest.version >= before, "The latest version only grows.") }
      if latest.version < graph.version { swap(&latest, &graph) }
    }
  }
}
