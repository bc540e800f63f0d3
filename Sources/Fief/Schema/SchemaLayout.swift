import FiefGraph

/// The changes that the tables of a graph need for a set of classes, and the differences that prevent them.
///
/// The changes are computed from the schemas of the tables before anything is modified, and applied in one step.
/// Opening is therefore linear in the columns. New classes, indexes, delete rules and widths of integers (if the stored
/// integers fit) are applied without a new schema version. Properties are added and removed when the schema version was
/// raised. All other changes are differences, which need a migration.
struct SchemaLayout {
  /// The changes to tables that opening may make.
  enum Change {
    /// The schema version equals that of the file: properties may not change.
    case sameVersion
    /// The schema version is higher: properties are added and removed.
    case raisedVersion
    /// The file is read-only: missing classes and indexes are added in memory.
    case reading
  }

  /// The differences from the wanted tables, as sentences. Empty when the changes can be applied.
  private(set) var differences: [String] = []
  /// Whether some differences are added or removed properties, and whether there are any others.
  private(set) var hasPropertyDifferences = false
  private(set) var hasOtherDifferences = false

  private let change: Change
  private let graph: Graph
  /// The tables that are new or change.
  private var changed: [TableSchema] = []
  private var removed: [(table: TableKey, column: ColumnKey)] = []

  /// Computes the changes that `graph` needs for `models`.
  init(_ models: [ModelClass], over graph: Graph, _ change: Change) {
    self.change = change
    self.graph = graph
    var names: [String] = []
    var classes: [String: [ModelClass]] = [:]
    for model in models {
      if classes[model.name] == nil { names.append(model.name) }
      classes[model.name, default: []].append(model)
    }
    let schema = graph.schema
    let present = Dictionary(uniqueKeysWithValues: schema.tables.map { ($0.name, $0) })
    var nextTable = schema.nextTable
    var keys: [String: TableKey] = [:]
    for name in names {
      keys[name] = present[name]?.key ?? TableKey(rawValue: nextTable)
      if present[name] == nil { nextTable += 1 }
    }
    for name in names {
      guard let models = classes[name], let key = keys[name] else { continue }
      compare(TableLayout(name, models, key, present[name]), keys)
    }
  }

  /// Whether the tables need no changes.
  var isEmpty: Bool { changed.isEmpty && removed.isEmpty }

  /// Applies the changes. There must be no differences.
  ///
  /// - Throws: `GraphError` when two rows have one value where an index is unique, or when removing a property would
  ///   delete an owned row that a delete rule protects.
  func apply(to transaction: Transaction) throws {
    for (table, column) in removed { try transaction.removeColumn(column, of: table) }
    if !changed.isEmpty { try transaction.declare(changed) }
  }

  // MARK: One table

  private mutating func compare(_ table: TableLayout, _ keys: [String: TableKey]) {
    var columns = table.present?.columns ?? []
    var nextColumn = table.present?.nextColumn ?? 0
    var positions = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1.name, $0) })
    let isFresh = table.present == nil
    if let present = table.present, let model = table.models.first, present.kind != model.tableKind {
      other("Class '\(table.name)' has been changed from \(present.kind) to \(model.tableKind).")
    }
    for model in table.models {
      for property in model.properties where property.isStored {
        var type = property.columnType { keys[ModelClass.of($0).name] }
        type.width = table.width(of: property)
        if let position = positions[property.storedName] {
          adapt(&columns[position], to: type, property, model, table)
        } else if isFresh || change == .raisedVersion {
          positions[property.storedName] = columns.count
          columns.append(
            Column(
              key: ColumnKey(rawValue: nextColumn), name: property.storedName, type: type,
              deleteRule: property.deleteRule))
          nextColumn += 1
        } else {
          hasPropertyDifferences = true
          differences.append("Property '\(model.name).\(property.name)' has been added.")
        }
      }
    }
    removeUnwanted(&columns, table)
    let primaryKey = primaryKey(columns, table)
    // With differences nothing is applied, and the columns that they concern may be missing here.
    guard differences.isEmpty else { return }
    let indexes = table.indexes(over: columns, change)
    let wanted = TableSchema(
      key: table.key, name: table.name, kind: table.kind, columns: columns, primaryKey: primaryKey, indexes: indexes,
      nextColumn: nextColumn)
    if wanted != table.present { changed.append(wanted) }
  }

  /// Adopts the changes that need no change of cells, and records the others as differences.
  private mutating func adapt(
    _ column: inout Column, to type: ColumnType, _ property: ModelProperty, _ model: ModelClass, _ table: TableLayout
  ) {
    let path = "\(model.name).\(property.name)"
    var found = column.type
    found.width = type.width
    var required = found
    required.isOptional = type.isOptional
    if found != type && required == type {
      other("Property '\(path)' has been made \(type.isOptional ? "optional" : "required").")
    } else if found != type {
      other("Property '\(path)' has been changed from '\(column.type.declaration)' to '\(type.declaration)'.")
    } else {
      if type.width < column.type.width,
        let unfit = graph[table.key]?.firstInteger(outside: type.width, in: column.key)
      {
        other(
          "Property '\(path)' has been narrowed to '\(type.declaration)', and object \(unfit.key) holds "
            + "\(unfit.value), which does not fit.")
      }
      column.type.width = type.width
      if change != .reading { column.deleteRule = property.deleteRule }
    }
  }

  private mutating func removeUnwanted(_ columns: inout [Column], _ table: TableLayout) {
    guard table.present != nil, change != .reading else { return }
    let wanted = Set(table.models.flatMap { $0.properties.filter(\.isStored).map(\.storedName) })
    guard wanted.count < columns.count || !columns.allSatisfy({ wanted.contains($0.name) }) else { return }
    for column in columns where !wanted.contains(column.name) {
      if change == .raisedVersion {
        removed.append((table.key, column.key))
      } else {
        hasPropertyDifferences = true
        differences.append("Property '\(table.name).\(column.name)' has been removed.")
      }
    }
    columns.removeAll { !wanted.contains($0.name) }
  }

  private mutating func primaryKey(_ columns: [Column], _ table: TableLayout) -> ColumnKey? {
    let name = table.models.first?.primaryKeyName
    if let present = table.present, present.primaryKey.flatMap(present.column(_:))?.name != name {
      other("The primary key of class '\(table.name)' has been changed.")
    }
    return name.flatMap { name in columns.first { $0.name == name }?.key }
  }

  private mutating func other(_ difference: String) {
    hasOtherDifferences = true
    differences.append(difference)
  }
}

/// A table and its classes. `ModelChecks` has ensured that they agree in kind and primary key.
private struct TableLayout {
  let name: String
  let models: [ModelClass]
  let key: TableKey
  let present: TableSchema?
  /// The narrowest declared widths of properties, if the table has several classes.
  private let widths: [String: IntegerWidth]

  init(_ name: String, _ models: [ModelClass], _ key: TableKey, _ present: TableSchema?) {
    self.name = name
    self.models = models
    self.key = key
    self.present = present
    var widths: [String: IntegerWidth] = [:]
    if models.count > 1 {
      for property in models.flatMap(\.properties) where property.isStored && property.facts.kind == .int {
        widths[property.storedName] = min(widths[property.storedName] ?? .bits64, property.facts.width)
      }
    }
    self.widths = widths
  }

  var kind: TableKind { present?.kind ?? models.first?.tableKind ?? .ordinary }

  /// Returns the width of a property's column: the narrowest that a class declares, as each class has to read every
  /// value.
  func width(of property: ModelProperty) -> IntegerWidth { widths[property.storedName] ?? property.facts.width }

  /// Returns the indexes of all classes together. Existing ones come first, in their order.
  func indexes(over columns: [Column], _ change: SchemaLayout.Change) -> [IndexDefinition] {
    let keys = Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0.key) })
    var wanted: [IndexDefinition] = []
    func want(_ index: IndexDefinition) {
      if let position = wanted.firstIndex(where: { $0.columns == index.columns && $0.isFullText == index.isFullText }) {
        wanted[position].isUnique = wanted[position].isUnique || index.isUnique
      } else {
        wanted.append(index)
      }
    }
    for model in models {
      for property in model.properties where property.isStored {
        guard let column = keys[property.storedName] else { continue }
        if property.isIndexed && !property.isPrimaryKey { want(IndexDefinition([column], isUnique: property.isUnique)) }
        if property.hasWordIndex { want(.fullText(column)) }
      }
      for index in model.compoundIndexes {
        let columns = index.properties.compactMap { model.number(of: $0) }
          .compactMap { keys[model.properties[$0].storedName] }
        if columns.count == index.properties.count { want(IndexDefinition(columns, isUnique: index.isUnique)) }
      }
    }
    let present = self.present?.indexes ?? []
    guard change == .reading else {
      return present.filter(wanted.contains) + wanted.filter { !present.contains($0) }
    }
    // The rows of a read-only file may have duplicates, so a missing unique index is added as a plain one.
    let missing = wanted.filter { index in
      !present.contains { $0.columns == index.columns && $0.isFullText == index.isFullText }
    }
    return present + missing.map { $0.isFullText ? $0 : IndexDefinition($0.columns) }
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

  /// The stored name of the primary key.
  fileprivate var primaryKeyName: String? { primaryKey.map { properties[$0].storedName } }
}
