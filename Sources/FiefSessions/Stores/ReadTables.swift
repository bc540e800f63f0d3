import FiefGraph

/// The tables of a read-only store, whose file other processes may change.
///
///     file     Dog, Cat, …            a version, perhaps with more columns and tables than at the opening
///     shown    Dog, Cat, …, Bird      with the tables that the file lacked at the opening, in memory
///
/// The classes of the store are bound to keys and leaves. They fit a version as long as it has their columns there.
struct ReadTables {
  /// The tables of the store's classes, as they were bound.
  private let bound: [TableSchema]

  init(_ bound: [TableSchema]) { self.bound = bound }

  /// Returns what the store shows of a version of its file.
  ///
  /// - Returns: nil if the classes do not fit it: a table or a column is gone, or has another name, type or primary
  ///   key; or a table that the file lacked at the opening is in another place now.
  /// - Complexity: linear in the columns of the classes.
  func shown(_ file: Graph) -> Graph? {
    var missing: [TableSchema] = []
    for table in bound {
      if let present = file[table.key]?.schema {
        guard present.holds(table) else { return nil }
      } else {
        if file.table(named: table.name) != nil { return nil }
        if !missing.contains(table) { missing.append(table) }
      }
    }
    if missing.isEmpty { return file }
    let transaction = Transaction(file)
    // A key that was in use before is refused.
    guard (try? transaction.declare(missing)) != nil else { return nil }
    return transaction.graph.numbered(file.version)
  }
}

extension TableSchema {
  /// Whether rows of this table can be read as those of an older form of it: with its columns, in their places. Indexes
  /// and delete rules do not matter to readers.
  fileprivate func holds(_ older: TableSchema) -> Bool {
    if self === older { return true }
    return name == older.name && kind == older.kind && primaryKey == older.primaryKey
      && columns.count >= older.columns.count
      && zip(columns, older.columns).allSatisfy { $0.key == $1.key && $0.name == $1.name && $0.type == $1.type }
  }
}
