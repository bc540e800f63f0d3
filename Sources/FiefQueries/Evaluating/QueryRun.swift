import FiefGraph

/// One evaluation of a query over one version: what it reads from, and what it remembers on the way.
///
/// It lives as long as the call that made it, on one thread.
final class QueryRun {
  let graph: Graph
  /// For each linked test, what it knows of the rows at the end of its links.
  var memos: [LinkMemo]
  /// The elements of the subqueries that are being asked, outermost first; the row of the query before them.
  var scope: [ObjectKey] = []
  /// The element that a query of elements is asked about.
  var element = Value.null
  /// How many rows the scan that is under way will look at.
  var scanned = 0
  /// How many rows were looked at.
  var examined = 0

  // The stack of the machine, kept from cluster to cluster.
  var candidates: [Bitmap256] = []

  init(_ graph: Graph, memos: Int) {
    self.graph = graph
    self.memos = Array(repeating: LinkMemo(), count: memos)
  }
}

/// A row as tests see it: its place, found once.
struct RowPlace {
  let table: TableKey
  let key: ObjectKey
  let cluster: Cluster
  let slot: Int
}
