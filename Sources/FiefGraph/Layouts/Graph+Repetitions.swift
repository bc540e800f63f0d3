extension Graph {
  /// Values that several rows of a declared table have where the declaration allows each value once.
  package struct Repetition: Sendable {
    /// The stored name of the class.
    package let className: String
    /// The names of the columns.
    package let columns: [String]
    /// The values, one for each column.
    package let values: [Value]
    /// How many rows have them; two or more.
    package let count: Int
  }

  /// The values that repeat in a primary key or a unique index of the declarations, in the order of the declarations
  /// and of the values. Columns that the graph does not have are skipped.
  ///
  /// - Complexity: O(rows · log rows) for each of them.
  package func repetitions(_ declarations: [TableDeclaration]) -> [Repetition] {
    var repetitions: [Repetition] = []
    for declaration in declarations {
      guard let table = table(named: declaration.name) else { continue }
      var unique: [(columns: [String], allowsNulls: Bool)] = []
      if let key = declaration.primaryKey { unique.append(([key], false)) }
      for index in declaration.indexes where index.isUnique { unique.append((index.columns, true)) }
      for (names, allowsNulls) in unique {
        let keys = names.compactMap { table.schema.column(named: $0)?.key }
        guard keys.count == names.count else { continue }
        table.forEachRepetition(in: keys) { rows in
          let first = rows[0]
          if !(allowsNulls && first.hasNull) {
            repetitions.append(
              Repetition(
                className: declaration.name, columns: names, values: [first.first] + first.rest, count: rows.count))
          }
          return true
        }
      }
    }
    return repetitions
  }
}
