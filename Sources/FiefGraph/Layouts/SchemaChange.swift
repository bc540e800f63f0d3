/// One difference between the tables of a graph and those that classes declare.
package struct SchemaChange: Sendable {
  /// The stored name of the class.
  package let className: String
  /// The name of the property; nil for a difference of the class.
  package let property: String?
  /// What differs.
  package let sentence: String
  /// Whether it needs a raised schema version.
  package let needsMigration: Bool

  init(_ className: String, property: String? = nil, _ sentence: String, needsMigration: Bool) {
    self.className = className
    self.property = property
    self.sentence = sentence
    self.needsMigration = needsMigration
  }

  /// All differences between the tables of `graph` and `declarations`: first those that need a migration, then those
  /// that every opening adopts.
  ///
  /// - Complexity: Linear in the columns, and in the rows of properties that were narrowed.
  package static func all(_ declarations: [TableDeclaration], over graph: Graph) -> [SchemaChange] {
    var changes = SchemaLayout(declarations, over: graph, .sameVersion).differences
    var declared: Set<String> = []
    for declaration in declarations where declared.insert(declaration.name).inserted {
      guard let table = graph.table(named: declaration.name)?.schema else {
        changes.append(
          SchemaChange(declaration.name, "Class '\(declaration.name)' has been added.", needsMigration: false))
        continue
      }
      changes += indexChanges(declarations.filter { $0.name == declaration.name }, table)
    }
    for table in graph.schema.tables where !table.key.isNested && !table.isInternal && !declared.contains(table.name) {
      changes.append(
        SchemaChange(
          table.name, "Class '\(table.name)' is not declared any more; its objects stay in the file.",
          needsMigration: false))
    }
    return changes.filter { !$0.className.utf8.starts(with: TableSchema.internalPrefix.utf8) }
  }

  private static func indexChanges(_ declarations: [TableDeclaration], _ table: TableSchema) -> [SchemaChange] {
    let wanted = Set(declarations.flatMap(\.indexes))
    let present = Set(table.indexes.map { index in index.over(index.columns.compactMap { table.column($0)?.name }) })
    func change(_ index: ColumnIndex<String>, _ verb: String) -> SchemaChange {
      let property = index.columns.count == 1 ? index.columns[0] : nil
      let path = property.map { "Property '\(table.name).\($0)'" } ?? "Class '\(table.name)'"
      return SchemaChange(table.name, property: property, "\(path) has \(verb) \(index.phrase).", needsMigration: false)
    }
    func inOrder(_ indexes: Set<ColumnIndex<String>>) -> [ColumnIndex<String>] {
      indexes.sorted { ("\($0.columns)", $0.phrase) < ("\($1.columns)", $1.phrase) }
    }
    return inOrder(wanted.subtracting(present)).map { change($0, "got") }
      + inOrder(present.subtracting(wanted)).map { change($0, "lost") }
  }
}

extension ColumnIndex<String> {
  fileprivate var phrase: String {
    let kind = isFullText ? "a full-text index" : isUnique ? "a unique index" : "an index"
    return columns.count == 1 ? kind : "\(kind) over \(columns.map { "'\($0)'" }.joined(separator: ", "))"
  }
}
