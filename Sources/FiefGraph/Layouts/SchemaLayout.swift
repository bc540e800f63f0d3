/// The changes that the tables of a graph need for a set of classes, and the differences that prevent them.
///
/// The changes are computed from the schemas of the tables before anything is modified, and applied in one step.
/// Opening is therefore linear in the columns. New classes, indexes, delete rules and widths of integers (if the stored
/// integers fit) are applied without a new schema version. All other changes are differences, which need a migration:
/// a raised schema version. `SchemaLayout+Migrating` carries them out.
package struct SchemaLayout {
  /// The changes to tables that opening may make.
  package enum Change {
    /// The schema version equals that of the file: properties may not change.
    case sameVersion
    /// The schema version is higher: everything may change.
    case raisedVersion
    /// The file is read-only: missing classes and indexes are added in memory.
    case reading
  }

  /// The differences from the wanted tables. Empty when the changes can be applied.
  package private(set) var differences: [SchemaChange] = []

  private let change: Change
  private let graph: Graph
  /// The tables that are new or change, as the classes declare them.
  private(set) var changed: [TableSchema] = []
  /// The columns that no class declares any more.
  private(set) var removed: [(table: TableKey, column: ColumnKey)] = []
  /// Under a raised version: the columns whose values do not fit their new type.
  private(set) var recreated: [(table: TableKey, column: ColumnKey)] = []
  /// Under a raised version: the columns that only begin to allow null, with the type that they get.
  private(set) var loosened: [(table: TableKey, column: ColumnKey, type: ColumnType)] = []
  /// Under a raised version: the tables of another kind, with their new kind.
  private(set) var kinds: [(table: TableKey, kind: TableKind)] = []
  /// The tables that the classes declare, if they are there already.
  private(set) var present: [TableSchema] = []

  /// Computes the changes that `graph` needs for `declarations`.
  ///
  /// Several classes may have one table, if they agree in kind and primary key.
  package init(_ declarations: [TableDeclaration], over graph: Graph, _ change: Change) {
    self.change = change
    self.graph = graph
    var names: [String] = []
    var classes: [String: [TableDeclaration]] = [:]
    for declaration in declarations {
      if classes[declaration.name] == nil { names.append(declaration.name) }
      classes[declaration.name, default: []].append(declaration)
    }
    let schema = graph.schema
    let present = Dictionary(uniqueKeysWithValues: schema.tables.map { ($0.name, $0) })
    var nextTable = schema.nextTable
    var keys: [String: TableKey] = [:]
    for name in names {
      keys[name] = present[name]?.key ?? TableKey(rawValue: nextTable)
      if present[name] == nil { nextTable += 1 }
    }
    assert(keys.count == names.count && Set(keys.values).count == names.count, "Each table has a key of its own.")
    for name in names {
      guard let declarations = classes[name], let key = keys[name] else { continue }
      if let table = present[name] { self.present.append(table) }
      compare(TableLayout(name, declarations, key: key, present: present[name]), keys)
    }
  }

  /// Whether the tables need no changes.
  package var isEmpty: Bool { changed.isEmpty && removed.isEmpty }

  /// Applies the changes of an unchanged version. There must be no differences.
  ///
  /// - Throws: `GraphError` when two rows have one value where an index is unique.
  package func apply(to transaction: Transaction) throws {
    assert(change != .raisedVersion, "Under a raised version, the changes are those of a migration.")
    if !changed.isEmpty { try transaction.declare(changed) }
  }

  private mutating func differ(_ className: String, property: String? = nil, _ sentence: String) {
    differences.append(SchemaChange(className, property: property, sentence, needsMigration: true))
  }

  // MARK: One table

  private mutating func compare(_ table: TableLayout, _ keys: [String: TableKey]) {
    var columns = table.present?.columns ?? []
    var nextColumn = table.present?.nextColumn ?? 0
    var positions = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1.name, $0) })
    let isFresh = table.present == nil
    if let present = table.present, let declaration = table.declarations.first, present.kind != declaration.kind {
      if change == .raisedVersion {
        kinds.append((table.key, declaration.kind))
      } else {
        differ(table.name, "Class '\(table.name)' has been changed from \(present.kind) to \(declaration.kind).")
      }
    }
    for declaration in table.declarations {
      for wanted in declaration.columns {
        var type = wanted.type
        type.target = wanted.target.flatMap { keys[$0] }
        type.width = table.width(of: wanted)
        if let position = positions[wanted.name] {
          let isKept = adapt(&columns[position], to: type, as: wanted, of: table)
          if isKept { continue }
          recreated.append((table.key, columns[position].key))
          columns[position] = Column(
            key: ColumnKey(rawValue: nextColumn), name: wanted.name, type: type, deleteRule: wanted.deleteRule)
          nextColumn += 1
        } else if isFresh || change == .raisedVersion {
          positions[wanted.name] = columns.count
          columns.append(
            Column(key: ColumnKey(rawValue: nextColumn), name: wanted.name, type: type, deleteRule: wanted.deleteRule))
          nextColumn += 1
        } else {
          differ(table.name, property: wanted.label, "Property '\(table.name).\(wanted.label)' has been added.")
        }
      }
    }
    removeUnwanted(&columns, table)
    let primaryKey = primaryKey(columns, table)
    // With differences nothing is applied, and the columns that they concern may be missing here.
    guard differences.isEmpty else { return }
    let indexes = table.indexes(over: columns, change)
    let kind = change == .raisedVersion ? table.declarations.first?.kind ?? table.kind : table.kind
    let wanted = TableSchema(
      key: table.key, name: table.name, kind: kind, columns: columns, primaryKey: primaryKey, indexes: indexes,
      nextColumn: nextColumn)
    if wanted != table.present { changed.append(wanted) }
  }

  /// Adopts the changes that need no change of cells, and records the others as differences.
  ///
  /// - Returns: Whether the column is kept. Under a raised version, one whose cells do not fit its new type is not.
  private mutating func adapt(
    _ column: inout Column, to type: ColumnType, as wanted: ColumnDeclaration, of table: TableLayout
  ) -> Bool {
    let path = "\(table.name).\(wanted.label)"
    var found = column.type
    found.width = type.width
    var required = found
    required.isOptional = type.isOptional
    if change == .raisedVersion {
      if found != type && !(required == type && type.isOptional) { return false }
      if found != type {
        found.width = column.type.width
        found.isOptional = true
        loosened.append((table.key, column.key, found))
      }
      column.type = type
      column.deleteRule = wanted.deleteRule
      return true
    }
    if found != type && required == type {
      differ(
        table.name, property: wanted.label,
        "Property '\(path)' has been made \(type.isOptional ? "optional" : "required").")
    } else if found != type {
      func phrase(_ type: ColumnType, _ target: String?) -> String {
        type.declaration + (target.map { " to \($0)" } ?? "")
      }
      let (old, new) = (
        phrase(column.type, column.type.target.flatMap { graph[$0]?.schema.name }), phrase(type, wanted.target)
      )
      differ(table.name, property: wanted.label, "Property '\(path)' has been changed from '\(old)' to '\(new)'.")
    } else {
      if type.width < column.type.width,
        let unfit = graph[table.key]?.firstInteger(outside: type.width, in: column.key)
      {
        differ(
          table.name, property: wanted.label,
          "Property '\(path)' has been narrowed to '\(type.declaration)', and object \(unfit.key) holds "
            + "\(unfit.value), which does not fit.")
      }
      column.type.width = type.width
      if change != .reading { column.deleteRule = wanted.deleteRule }
    }
    return true
  }

  private mutating func removeUnwanted(_ columns: inout [Column], _ table: TableLayout) {
    guard table.present != nil, change != .reading else { return }
    let wanted = Set(table.declarations.flatMap { $0.columns.map(\.name) })
    guard wanted.count < columns.count || !columns.allSatisfy({ wanted.contains($0.name) }) else { return }
    for column in columns where !wanted.contains(column.name) {
      if change == .raisedVersion {
        removed.append((table.key, column.key))
      } else {
        differ(table.name, property: column.name, "Property '\(table.name).\(column.name)' has been removed.")
      }
    }
    columns.removeAll { !wanted.contains($0.name) }
  }

  private mutating func primaryKey(_ columns: [Column], _ table: TableLayout) -> ColumnKey? {
    assert(
      table.declarations.allSatisfy { $0.primaryKey == table.declarations.first?.primaryKey },
      "Classes of one table agree in the primary key.")
    let name = table.declarations.first?.primaryKey
    if change != .raisedVersion, let present = table.present,
      present.primaryKey.flatMap(present.column(_:))?.name != name
    {
      differ(table.name, "The primary key of class '\(table.name)' has been changed.")
    }
    return name.flatMap { name in columns.first { $0.name == name }?.key }
  }

}

/// A table and its declarations.
private struct TableLayout {
  let name: String
  let declarations: [TableDeclaration]
  let key: TableKey
  let present: TableSchema?
  /// The narrowest declared widths of properties, if the table has several classes.
  private let widths: [String: IntegerWidth]

  init(_ name: String, _ declarations: [TableDeclaration], key: TableKey, present: TableSchema?) {
    assert(!declarations.isEmpty && declarations.allSatisfy { $0.name == name }, "A table is declared by its classes.")
    self.name = name
    self.declarations = declarations
    self.key = key
    self.present = present
    var widths: [String: IntegerWidth] = [:]
    if declarations.count > 1 {
      for column in declarations.flatMap(\.columns) where column.type.kind == .int {
        widths[column.name] = min(widths[column.name] ?? .bits64, column.type.width)
      }
    }
    self.widths = widths
  }

  var kind: TableKind { present?.kind ?? declarations.first?.kind ?? .ordinary }

  /// Returns the width of a column: the narrowest that a class declares, as each class has to read every
  /// value.
  func width(of column: ColumnDeclaration) -> IntegerWidth { widths[column.name] ?? column.type.width }

  /// Returns the indexes of all classes together. Existing ones come first, in their order.
  func indexes(over columns: [Column], _ change: SchemaLayout.Change) -> [IndexDefinition] {
    let keys = Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0.key) })
    var wanted: [IndexDefinition] = []
    for declared in declarations.flatMap(\.indexes) {
      let index = declared.over(declared.columns.compactMap { keys[$0] })
      guard index.columns.count == declared.columns.count else { continue }
      if let position = wanted.firstIndex(where: { $0.finds(like: index) }) {
        wanted[position].isUnique = wanted[position].isUnique || index.isUnique
      } else {
        wanted.append(index)
      }
    }
    let present = self.present?.indexes ?? []
    guard change == .reading else {
      return present.filter(wanted.contains) + wanted.filter { !present.contains($0) }
    }
    // The rows of a read-only file may have duplicates, so a missing unique index is added as a plain one.
    let missing = wanted.filter { index in !present.contains { $0.finds(like: index) } }
    return present + missing.map { $0.isFullText ? $0 : IndexDefinition($0.columns) }
  }
}
