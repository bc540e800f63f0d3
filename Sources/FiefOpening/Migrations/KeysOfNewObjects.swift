import FiefGraph
import FiefObjects

/// The primary keys of the objects that a block has created, where the realm hands keys out.
///
///     @Persisted(primaryKey: .increasing) var id: Int        // is 0 in a new object until the block has ended
///
/// Tables have no primary keys while a block runs, so an object gets its key afterwards. It is the one that `create`
/// gives to the row, or the next that no object has. Objects of the file keep their keys, 0 too.
enum KeysOfNewObjects {
  /// Sets the keys.
  ///
  /// - Parameters:
  ///   - models: the classes of the program.
  ///   - stored: the graph before the migration.
  ///   - transaction: one in which the block has ended, and the tables have no primary keys yet.
  /// - Complexity: linear in the rows of the classes of which the block has created objects.
  static func handOut(_ models: [ModelClass], over stored: Graph, _ transaction: Transaction) throws {
    for model in models {
      guard let property = model.keyProperty?.model, property.isIncreasing,
        let table = transaction.read({ $0.table(named: model.name) }),
        let column = table.schema.column(named: property.storedName), let leaf = table.schema.leaf(of: column.key)
      else { continue }
      let new = rows(of: table, from: stored[table.schema.key]?.nextKey ?? 0, leaf).filter { $0.number == 0 }
      if new.isEmpty { continue }
      let taken = Set(rows(of: table, from: 0, leaf).map(\.number))
      var last: Int64 = 0
      for (key, _) in new {
        last = max(last, key.rawValue) + 1
        while taken.contains(last) { last += 1 }
        try transaction.set(StoredValue.int(last), Cell(table.schema.key, key, column.key))
      }
    }
  }

  /// The rows whose keys are not below a number, with their integers in a column.
  private static func rows(of table: Table, from first: Int64, _ leaf: Int) -> [(key: ObjectKey, number: Int64)] {
    var rows: [(key: ObjectKey, number: Int64)] = []
    table.forEachRow(from: ObjectKey(first)) { key, _, _ in
      if case .int(let number)? = table.value(key, leaf: leaf) { rows.append((key, number)) }
      return true
    }
    return rows
  }
}
