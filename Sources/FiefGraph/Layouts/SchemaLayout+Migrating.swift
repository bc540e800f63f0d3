// Brings a graph to the tables of a raised schema version, in two steps. Code of the application may run between them.
//
//     stored graph ──prepare──▶ every declared column is there ──application's block──▶ ──complete──▶ declared tables
//
// `prepare` does what code needs to read and write the new properties, and to delete by the new rules. `complete` does
// what would be in its way before: it removes columns, embeds tables, and sets primary keys, indexes and widths.

extension SchemaLayout {
  /// Adds what the declarations have and the graph has not, and makes every column hold its declared type.
  ///
  /// - New tables and columns are added; their cells are zero, null or empty.
  /// - A column of another type, or one that forbids null from now on, is made anew, without its values. Rows that it
  ///   owned are deleted.
  /// - A column that allows null from now on keeps its values.
  /// - Tables that were embedded, or are to be, are ordinary ones.
  /// - Columns that no declaration has stay, without a delete rule. Integers keep the wider of the two widths.
  /// - The delete rules of declared columns become those of the declarations.
  ///
  /// - Parameter defersKeys: Whether the tables lose their primary keys and unique indexes until `complete`, so that
  ///   code may set them in any order.
  /// - Throws: `GraphError` when a delete rule forbids the deletion of an owned row.
  package static func prepare(_ declarations: [TableDeclaration], _ transaction: Transaction, defersKeys: Bool) throws {
    let layout = SchemaLayout(declarations, over: transaction.graph, .raisedVersion)
    transaction.makeOrdinary(layout.kinds.map(\.table))
    for (table, column) in layout.recreated { try transaction.removeColumn(column, of: table) }
    for (table, column, type) in layout.loosened { _ = try transaction.loosen(column, of: table, to: type) }
    if defersKeys { for table in layout.present { try transaction.deferUniqueness(of: table.key) } }
    // Columns that were made anew have other keys now.
    let interim = SchemaLayout(declarations, over: transaction.graph, .raisedVersion)
    let tables = interim.changed.compactMap { interim.interim($0, defersKeys) }
    if !tables.isEmpty { try transaction.declare(tables) }
  }

  /// Brings a prepared graph to the declared tables exactly.
  ///
  /// - Columns that no declaration has are removed, with the rows that they own.
  /// - Tables become embedded: rows without an owner are deleted, and rows with several are copied for each. Tables
  ///   that become asymmetric lose their rows.
  /// - Primary keys, indexes and widths become those of the declarations.
  ///
  /// - Parameter unconstrained: Receives the graph in which values may still repeat.
  /// - Returns: The rows that embedding has deleted and copied.
  /// - Throws: `GraphError` when two rows have one value as their primary key or in a unique index, an integer does not
  ///   fit its width, objects that are to be embedded own each other in a circle, or a delete rule forbids a deletion.
  package static func complete(
    _ declarations: [TableDeclaration], _ transaction: Transaction, unconstrained: (Graph) -> Void = { _ in }
  ) throws -> EmbeddingOutcome {
    try removeUndeclared(declarations, transaction)
    let layout = SchemaLayout(declarations, over: transaction.graph, .raisedVersion)
    var outcome = EmbeddingOutcome()
    if !layout.kinds.isEmpty {
      let asymmetric = layout.kinds.filter { $0.kind == .asymmetric }.map(\.table)
      try transaction.clear(asymmetric)
      for table in asymmetric { try transaction.setKind(.asymmetric, of: table) }
      outcome = try transaction.embed(layout.kinds.filter { $0.kind == .embedded }.map(\.table))
    }
    unconstrained(transaction.graph)
    let final = SchemaLayout(declarations, over: transaction.graph, .raisedVersion)
    assert(final.recreated.isEmpty && final.kinds.isEmpty && final.removed.isEmpty, "A completed graph is prepared.")
    if !final.changed.isEmpty { try transaction.declare(final.changed) }
    return outcome
  }

  /// Removes the columns of declared tables that no declaration has, with the rows that they own.
  ///
  /// - Throws: `GraphError` when a delete rule forbids a deletion.
  package static func removeUndeclared(_ declarations: [TableDeclaration], _ transaction: Transaction) throws {
    let layout = SchemaLayout(declarations, over: transaction.graph, .raisedVersion)
    for (table, column) in layout.removed { try transaction.removeColumn(column, of: table) }
    assert(
      SchemaLayout(declarations, over: transaction.graph, .raisedVersion).removed.isEmpty,
      "No undeclared column is left.")
  }

  /// A declared table as it is between `prepare` and `complete`; nil when it is not to change before.
  private func interim(_ wanted: TableSchema, _ defersKeys: Bool) -> TableSchema? {
    guard let present = present.first(where: { $0.key == wanted.key }) else {
      return TableSchema(
        key: wanted.key, name: wanted.name, kind: wanted.kind,
        columns: wanted.columns, primaryKey: defersKeys ? nil : wanted.primaryKey, nextColumn: wanted.nextColumn)
    }
    var columns = present.columns
    // What code deletes follows the rules of its own classes, and not those of former ones.
    for position in columns.indices { columns[position].deleteRule = .nullify }
    for column in wanted.columns {
      if let position = columns.firstIndex(where: { $0.key == column.key }) {
        columns[position].deleteRule = column.deleteRule
        columns[position].type.width = max(column.type.width, columns[position].type.width)
      } else {
        columns.append(column)
      }
    }
    let interim = TableSchema(
      key: present.key, name: present.name, kind: present.kind, columns: columns, primaryKey: present.primaryKey,
      indexes: present.indexes, nextColumn: wanted.nextColumn)
    return interim == present ? nil : interim
  }
}
