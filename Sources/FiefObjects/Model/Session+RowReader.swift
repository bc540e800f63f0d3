import FiefCopying
import FiefGraph
import FiefSessions

extension Session: RowReader {
  package func withGraph(_ body: (borrowing Graph) throws -> Void) rethrows { try read(body) }

  package func counterpart(of link: ObjectLink, in other: any RowReader) -> ObjectLink? {
    guard store.classes.migration != nil, let other = other as? Session else { return nil }
    return counterpart(of: link, in: other)
  }

  package func rowClass(of table: TableKey) -> RowClass? {
    if let binding = store.binding(of: table) { return binding }
    // The old objects of a migration have no classes of the program.
    return store.classes.migration == nil ? nil : store.dynamicBinding(of: table)
  }
}
