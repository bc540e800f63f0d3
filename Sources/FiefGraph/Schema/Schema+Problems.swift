extension Schema {
  /// Every problem of the schema, a sentence each, naming table and column; empty for a sound schema.
  ///
  /// Linear in the number of columns.
  public var problems: [String] {
    var problems: [String] = []
    var names: Set<String> = []
    if Array(tables.prefix(2)) != Schema.empty.tables {
      problems.append("The tables of nested collections are missing.")
    }
    if nextTable > Schema.tableLimit { problems.append("There have been too many tables.") }
    for (number, table) in tables.enumerated() {
      // Texts are made for problems alone: a sound schema is checked by each opening.
      var name: String { SchemaNames.printed(table.name) }
      if number > 0 && tables[number - 1].key >= table.key { problems.append("'\(name)' is out of order.") }
      if table.key.rawValue >= nextTable { problems.append("'\(name)' has a key that is yet to be given out.") }
      if !names.insert(table.name).inserted { problems.append("Two tables are named '\(name)'.") }
      problems += table.problems { self.table($0) }
    }
    return problems
  }
}

extension TableSchema {
  /// Every problem of the table alone, or of its links. Whether another table has the same name is not checked.
  ///
  /// - Parameter find: Returns the table of a key, or nil if the table does not exist.
  func problems(_ find: (TableKey) -> TableSchema?) -> [String] {
    problems(targets: columns.map { $0.type.target.flatMap(find) })
  }

  /// - Parameter targets: The table to which each column links, if it links to one that exists.
  private func problems(targets: [TableSchema?]) -> [String] {
    var problems: [String] = []
    var names: Set<String> = []
    var keys: Set<ColumnKey> = []
    var name: String { SchemaNames.printed(self.name) }
    if self.name.isEmpty {
      problems.append("A table has no name.")
    } else if let problem = SchemaNames.problem(of: self.name) {
      problems.append("The name of table '\(name)' \(problem).")
    }
    if columns.count > Self.widest {
      problems.append("'\(name)' has \(columns.count) columns, and at most \(Self.widest) are allowed.")
      return problems
    }
    for (column, target) in zip(columns, targets) {
      var path: String { "'\(name).\(SchemaNames.printed(column.name))'" }
      if column.name.isEmpty {
        problems.append("A column of '\(name)' has no name.")
      } else if let problem = SchemaNames.problem(of: column.name) {
        problems.append("The name of column \(path) \(problem).")
      }
      if !names.insert(column.name).inserted { problems.append("\(path) is declared twice.") }
      if !keys.insert(column.key).inserted { problems.append("\(path) shares its key with another column.") }
      if column.key.rawValue >= nextColumn { problems.append("\(path) has a key that is yet to be given out.") }
      check(column, path, target, &problems)
    }
    if nextColumn > Self.columnLimit { problems.append("'\(name)' has had too many columns.") }
    if let key = primaryKey {
      if let column = self.column(key) {
        if !column.type.canBePrimaryKey {
          problems.append(
            "'\(name).\(SchemaNames.printed(column.name))' is \(column.type.phrase), which cannot be a primary key.")
        }
      } else {
        problems.append("'\(name)' has a primary key that is none of its columns.")
      }
      if kind == .embedded {
        problems.append("'\(name)' is embedded, and an embedded object cannot have a primary key.")
      }
    }
    var distinct: Set<IndexDefinition> = []
    for index in indexes {
      if index.columns.isEmpty { problems.append("An index of '\(name)' has no column.") }
      if Set(index.columns).count != index.columns.count {
        problems.append("An index of '\(name)' names a column twice.")
      }
      // One set of columns may have one index by value, unique or not, and one full-text index.
      let kept = index.isFullText ? index : IndexDefinition(index.columns)
      if !distinct.insert(kept).inserted { problems.append("'\(name)' has the same index twice.") }
      if index.isFullText && (index.columns.count != 1 || index.isUnique) {
        problems.append("A full-text index of '\(name)' is over one column, and not unique.")
      }
      for key in index.columns {
        guard let column = self.column(key) else {
          problems.append("An index of '\(name)' names a column that it does not have.")
          continue
        }
        if index.isFullText && !column.type.hasWords {
          problems.append(
            "'\(name).\(SchemaNames.printed(column.name))' is \(column.type.phrase), which has no words to index.")
        }
        if !column.type.canBeIndexed {
          problems.append(
            "'\(name).\(SchemaNames.printed(column.name))' is \(column.type.phrase), which cannot be indexed.")
        }
      }
    }
    return problems
  }

  private func check(
    _ column: Column, _ path: @autoclosure () -> String, _ targetTable: TableSchema?, _ problems: inout [String]
  ) {
    let type = column.type
    if type.kind == .link {
      guard let target = type.target, let targetTable else {
        problems.append("\(path()) links to a table that is not in the schema.")
        return
      }
      if type.isOptional && type.shape != .single && type.shape != .dictionary {
        problems.append("\(path()): the links of a \(type.shape) cannot be null.")
      }
      if target.isNested { problems.append("\(path()) links to the inside of any-values.") }
      if targetTable.kind == .asymmetric {
        problems.append(
          "\(path()) links to '\(SchemaNames.printed(targetTable.name))', whose objects cannot be linked to.")
      }
      if kind == .asymmetric && targetTable.kind == .ordinary {
        problems.append("\(path()): an asymmetric object can link to embedded objects only.")
      }
      if targetTable.kind == .embedded {
        if type.shape == .set { problems.append("\(path()): a set cannot hold embedded objects.") }
        if column.deleteRule != .nullify {
          problems.append("\(path()): embedded objects go with their owner and take no delete rule.")
        }
      }
    } else {
      if type.target != nil { problems.append("\(path()) has a link target, but is no link.") }
      if column.deleteRule != .nullify { problems.append("\(path()) has a delete rule, but is no link.") }
    }
    if type.kind == .any && type.isOptional {
      problems.append("\(path()): an any-value is never optional, it can be null.")
    }
    if type.kind != .int && type.width != .bits64 { problems.append("\(path()) has a width, but is no integer.") }
  }
}

extension ColumnType {
  /// Whether a value of the type, which can link, may link to rows of `table`. A typed link has a declared target
  /// table, and `problems` reports invalid ones. An any-value may link to any ordinary row, and owns the collections
  /// inside it unless it is the element of a set.
  func mayLink(to table: TableSchema) -> Bool {
    if kind != .any { return target == table.key }
    switch table.kind {
    case .ordinary: return true
    case .embedded: return table.key.isNested && shape != .set
    case .asymmetric: return false
    }
  }

  /// Whether values of the type can be primary keys: integers, strings, object ids and UUIDs, optional or not.
  public var canBePrimaryKey: Bool {
    guard shape == .single else { return false }
    switch kind {
    case .int, .string, .objectId, .uuid: return true
    default: return false
    }
  }

  /// Whether rows can be indexed by the values: single values other than links.
  public var canBeIndexed: Bool { shape == .single && kind != .link }

  /// Whether rows can be found by the words of the values: single strings, optional or not.
  public var hasWords: Bool { shape == .single && kind == .string }
}
