import Synchronization

/// The latest version of a graph: where readers pin it and a writer replaces it.
///
///     reader ── current ──▶ Graph (held as long as wanted, never changes)
///     writer ── begin ──▶ Transaction ── publish ──▶ current
///
/// The last reference to a version frees what no other version shares; there is nothing to close. While a transaction
/// is under way its base is held here or by the transaction, so what a reader may hold is never changed in place.
///
/// Any number of threads may read. One transaction at a time: whoever takes turns among writers stands above this;
/// a second transaction that was begun from a version which is no longer the latest is refused.
public final class PublishedGraph: Sendable {
  private let latest: Mutex<Graph>

  /// Begins a line of versions with `graph`.
  public init(_ graph: Graph = .empty) { latest = Mutex(graph) }

  /// The latest version. Constant time.
  public var current: Graph { latest.withLock { $0 } }

  /// A transaction on the latest version. Constant time.
  public func begin() -> Transaction { Transaction(current) }

  /// Makes the transaction's working copy the latest version.
  ///
  /// The transaction can go on afterwards; publishing it again is refused, as its base is not the latest any more.
  ///
  /// - Returns: the new version, whose number is one higher than its base's.
  /// - Throws: `GraphError.Code.conflict` when another version was published since the transaction began.
  @discardableResult
  public func publish(_ transaction: Transaction) throws -> Graph {
    var graph = transaction.graph
    graph.version = transaction.base.version + 1
    let published = graph
    let isLatest = latest.withLock { latest in
      guard latest.version == transaction.base.version else { return false }
      // The old version is handed out of the lock with the exchange, so that freeing it does not keep readers waiting.
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

  /// Makes a version the latest, unless a later one is that already: for whoever makes versions one after another and
  /// publishes each when it may be seen.
  package func advance(to graph: Graph) {
    var graph = graph
    latest.withLock { latest in if latest.version < graph.version { swap(&latest, &graph) } }
  }
}
