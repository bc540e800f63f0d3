import FiefGraph

/// One operation of a transaction with its arguments. It can be performed on a transaction and on the oracle, and it
/// prints so that a failed history is readable.
enum Operation {
  case create(TableKey, primaryKey: Value?, cells: [(ColumnKey, Value)], typed: Bool, throwing: Bool)
  case createOwned(TableKey, Cell, OwnedPosition, cells: [(ColumnKey, Value)], throwing: Bool)
  case set(Cell, Value, typed: Bool)
  case append(Cell, Value)
  case insert(Cell, [Value], at: Int)
  case replace(Cell, at: Int, Value)
  case replaceSubrange(Cell, Range<Int>, [Value])
  case removeAt(Cell, Int)
  case removeSubrange(Cell, Range<Int>)
  case move(Cell, Int, Int)
  case swapAt(Cell, Int, Int)
  case removeAll(Cell)
  case insertInSet(Cell, Value)
  case removeFromSet(Cell, Value)
  case formUnion(Cell, [Value])
  case subtract(Cell, [Value])
  case formIntersection(Cell, [Value])
  case setEntry(Cell, String, Value)
  case removeEntry(Cell, String)
  case delete(ObjectLink)
  case deleteMany([ObjectLink])
  case clear(TableKey)
  case clearMany([TableKey])
  case addTable(String, TableKind)
  case removeTable(TableKey)
  case renameTable(TableKey, String)
  case addColumn(TableKey, String, ColumnType, DeleteRule, Value?)
  case removeColumn(TableKey, ColumnKey)
  case renameColumn(TableKey, ColumnKey, String)
  case setDeleteRule(TableKey, ColumnKey, DeleteRule)
  case setPrimaryKey(TableKey, ColumnKey?)
  case addIndex(TableKey, IndexDefinition)
  case removeIndex(TableKey, [ColumnKey], isFullText: Bool)

  /// The result of an operation that is not refused.
  enum Answer: Equatable {
    case nothing
    case row(ObjectKey)
    case truth(Bool)
    case table(TableKey)
    case column(ColumnKey)
  }
}
