import FiefGraph

/// One evaluation of a query over one version, with its intermediate results.
///
/// It lives no longer than the call that creates it, and is used on one thread.
final class QueryRun {
  let graph: Graph
  /// For each linked test, the known results for the rows at the end of its links.
  var memos: [LinkMemo]
  /// For each nested subquery, by the number of its memo, what is known of the rows.
  var subqueries: [Int: SubqueryMemo] = [:]
  /// The row of the query, followed by the current elements of the enclosing subqueries, outermost first.
  var scope: [ObjectKey] = []
  /// The current element of a query of elements.
  var element = Value.null
  /// The number of rows that the current scan will test.
  var scanned = 0
  /// The number of rows tested so far.
  var examined = 0

  /// Whether a scan of many rows is divided among the processors.
  let usesAllProcessors: Bool
  /// The clusters that a scan covers, by the numbers of their chunks.
  var chunks: Range<Int64> = 0..<Int64.max

  // The stack of the machine, kept between clusters.
  var candidates: [Bitmap256] = []

  init(_ graph: Graph, memos: Int, usesAllProcessors: Bool = false) {
    assert(memos >= 0, "A run has a memo for each linked test.")
    self.graph = graph
    self.usesAllProcessors = usesAllProcessors
    self.memos = Array(repeating: LinkMemo(), count: memos)
  }
}

/// A row with its cluster and slot, located once for all tests.
struct RowLocation {
  let table: TableKey
  let key: ObjectKey
  let cluster: Cluster
  let slot: Int
}
