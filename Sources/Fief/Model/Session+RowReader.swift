import FiefCopying
import FiefGraph
import FiefSessions

extension Session: RowReader {
  package func withGraph(_ body: (borrowing Graph) throws -> Void) rethrows { try read(body) }

  package func rowClass(of table: TableKey) -> RowClass? { store.binding(of: table)?.rows }
}
