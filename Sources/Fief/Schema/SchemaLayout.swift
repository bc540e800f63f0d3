import FiefGraph

/// Brings the tables of a graph into the form that a set of classes asks for, or says how they differ from it.
///
/// New classes and indexes are added without a word; whatever touches data that is there is a difference, and for
/// migrations to settle.
struct SchemaLayout {
  let models: [ModelClass]
  /// How the present tables differ from what is wanted; whole sentences. Empty when nothing needs a migration.
  private(set) var differences: [String] = []

  init(_ models: [ModelClass]) { self.models = models }

  /// Adds what is missing to the transaction's graph.
  ///
  /// - Returns: whether anything was changed.
  mutating func apply(to transaction: Transaction) throws -> Bool {
    var changed = false
    var tables: [String: TableKey] = [:]
    var fresh: Set<String> = []
    for model in models where tables[model.name] == nil {
      if let table = transaction.read({ $0.table(named: model.name)?.schema }) {
        tables[model.name] = table.key
        if table.kind != model.tableKind {
          differences.append("Class '\(model.name)' has been changed from \(table.kind) to \(model.tableKind).")
        }
      } else {
        tables[model.name] = try transaction.addTable(model.name, kind: model.tableKind)
        fresh.insert(model.name)
        changed = true
      }
    }
    for model in models {
      guard let table = tables[model.name] else { continue }
      let isFresh = fresh.contains(model.name)
      for property in model.properties where property.isStored {
        let type = property.columnType { tables[ModelClass.of($0).name] }
        let schema = transaction.read { $0[table]?.schema }
        if let column = schema?.column(named: property.storedName) {
          compare(column, type, property, model)
          if column.deleteRule != property.deleteRule {
            try transaction.setDeleteRule(property.deleteRule, ofColumn: column.key, of: table)
            changed = true
          }
        } else if isFresh {
          _ = try transaction.addColumn(to: table, property.storedName, type, deleteRule: property.deleteRule)
          changed = true
        } else {
          differences.append("Property '\(model.name).\(property.name)' has been added.")
        }
      }
      if !isFresh { findRemoved(model, table, transaction) }
      if differences.isEmpty { changed = try addKey(model, table, isFresh, transaction) || changed }
    }
    if differences.isEmpty {
      for (name, table) in tables {
        changed = try setIndexes(models.filter { $0.name == name }, table, transaction) || changed
      }
    }
    return changed
  }

  private mutating func compare(
    _ column: Column, _ type: ColumnType, _ property: ModelProperty, _ model: ModelClass
  ) {
    let path = "\(model.name).\(property.name)"
    var found = column.type
    // The declared width is the application's affair: two classes over one table may differ in it.
    found.width = type.width
    if found == type { return }
    var required = found
    required.isOptional = type.isOptional
    if required == type {
      differences.append("Property '\(path)' has been made \(type.isOptional ? "optional" : "required").")
    } else {
      differences.append(
        "Property '\(path)' has been changed from '\(column.type.declaration)' to '\(type.declaration)'.")
    }
  }

  private mutating func findRemoved(_ model: ModelClass, _ table: TableKey, _ transaction: Transaction) {
    let wanted = Set(models.filter { $0.name == model.name }.flatMap { $0.properties.map(\.storedName) })
    for column in transaction.read({ $0[table]?.schema.columns ?? [] }) where !wanted.contains(column.name) {
      let difference = "Property '\(model.name).\(column.name)' has been removed."
      if !differences.contains(difference) { differences.append(difference) }
    }
  }

  private mutating func addKey(
    _ model: ModelClass, _ table: TableKey, _ isFresh: Bool, _ transaction: Transaction
  ) throws -> Bool {
    guard let schema = transaction.read({ $0[table]?.schema }) else { return false }
    var changed = false
    let key = model.primaryKey.flatMap { schema.column(named: model.properties[$0].storedName)?.key }
    if key != schema.primaryKey {
      if isFresh {
        try transaction.setPrimaryKey(key, of: table)
        changed = true
      } else {
        differences.append("The primary key of class '\(model.name)' has been changed.")
      }
    }
    return changed
  }

  /// Gives a table the indexes that its classes ask for, together.
  private func setIndexes(_ classes: [ModelClass], _ table: TableKey, _ transaction: Transaction) throws -> Bool {
    guard let schema = transaction.read({ $0[table]?.schema }) else { return false }
    var wanted: [IndexDefinition] = []
    func want(_ index: IndexDefinition) {
      if let place = wanted.firstIndex(where: { $0.columns == index.columns && $0.isFullText == index.isFullText }) {
        wanted[place].isUnique = wanted[place].isUnique || index.isUnique
      } else {
        wanted.append(index)
      }
    }
    for model in classes {
      func column(_ property: ModelProperty) -> ColumnKey? { schema.column(named: property.storedName)?.key }
      for property in model.properties where property.isStored {
        guard let column = column(property) else { continue }
        if property.isIndexed && !property.isPrimaryKey { want(IndexDefinition([column], isUnique: property.isUnique)) }
        if property.hasWordIndex { want(.fullText(column)) }
      }
      for index in model.compoundIndexes {
        let columns = index.properties.compactMap { model.number(of: $0).flatMap { column(model.properties[$0]) } }
        if columns.count == index.properties.count { want(IndexDefinition(columns, isUnique: index.isUnique)) }
      }
    }
    let gone = schema.indexes.filter { !wanted.contains($0) }
    let new = wanted.filter { !schema.indexes.contains($0) }
    for index in gone {
      try transaction.removeIndex(over: index.columns, of: table, isFullText: index.isFullText)
    }
    for index in new { try transaction.addIndex(index, to: table) }
    return !gone.isEmpty || !new.isEmpty
  }
}

extension ModelClass {
  var tableKind: TableKind {
    switch kind {
    case .object: .ordinary
    case .embedded: .embedded
    case .asymmetric: .asymmetric
    }
  }
}

extension ModelProperty {
  /// The form of its column.
  func columnType(_ table: (ObjectBase.Type) -> TableKey?) -> ColumnType {
    ColumnType(
      facts.kind, shape: facts.shape, isOptional: facts.isOptional && facts.kind != .link && facts.kind != .any,
      width: facts.width, target: facts.kind == .link ? facts.target.flatMap(table) : nil)
  }
}
