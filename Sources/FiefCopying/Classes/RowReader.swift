package import FiefGraph
package import FiefRuntime

/// A view of the rows of one store: its latest version, a frozen one, or a write in progress.
package protocol RowReader: AnyObject {
  /// The current cluster of a chunk of keys. It is valid until the view changes.
  func cluster(_ table: TableKey, _ chunk: Int64) -> Borrowed<Cluster>?
  /// Calls `body` with the current graph, which must not escape.
  func withGraph(_ body: (borrowing Graph) throws -> Void) rethrows
  func hasRow(_ link: ObjectLink) -> Bool
  /// The row of this view for which a row of another view stands: that of the new object, for an old object of a
  /// migration. Nil for any other row.
  func counterpart(of link: ObjectLink, in other: any RowReader) -> ObjectLink?
  func rowClass(of table: TableKey) -> RowClass?
}
