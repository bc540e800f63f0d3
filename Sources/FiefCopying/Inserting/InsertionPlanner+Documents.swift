internal import FiefGraph

// The plan of an object that is handed over instead of being stored.

extension InsertionPlanner {
  /// The first row of the plan, with everything that it owns, as a dictionary: the values by property name.
  ///
  /// - Throws: when it would be nested deeper than a document may be. The limit is needed since dictionaries and arrays
  ///   are freed by recursion.
  package func rootDictionary() throws -> [String: any Sendable] {
    if let index = state.items.firstIndex(where: { $0.level > DocumentTree.deepest }) {
      throw CopyError(
        "An object of class '\(className(ofRow: 0))' is nested deeper than \(DocumentTree.deepest) levels, at "
          + "\(path(plan.rows[index].step)): it could not be handed over as a document.")
    }
    assert(state.items.count == plan.rows.count && !plan.rows.isEmpty, "A plan that is handed over was walked.")
    var values: [any Sendable] = Array(repeating: 0, count: plan.rows.count)
    // Owned rows come after their owners, so in reverse order each value is ready before its owner reads it.
    for index in plan.rows.indices.reversed() {
      let row = plan.rows[index]
      guard let rowClass = state.items[index].rowClass else {
        let empty: any Sendable = row.table == .nestedLists ? [any Sendable]() : [String: any Sendable]()
        values[index] = row.cells.first.map { value(of: plan.cells[$0].content, row.table, values) } ?? empty
        continue
      }
      var members: [String: any Sendable] = [:]
      if let key = row.primaryKey, let property = rowClass.keyProperty {
        members[property.name] = value(of: .value(key), row.table, values)
      }
      for number in row.cells {
        let cell = plan.cells[number]
        let property = rowClass.all[Int(cell.number)]
        let table: TableKey = property.type.shape == .dictionary ? .nestedDictionaries : .nestedLists
        members[property.name] = value(of: cell.content, table, values)
      }
      values[index] = members
    }
    return values[0] as? [String: any Sendable] ?? [:]
  }

  private func value(of content: PlannedContent, _ table: TableKey, _ rows: [any Sendable]) -> any Sendable {
    switch content {
    case .value(let value): return value.plain ?? Optional<Int>.none
    case .row(let row):
      assert(plan.rows[row].isOwned, "Only owned rows are handed over with their owner.")
      return rows[row]
    case .cleared: return [any Sendable]()
    case .elements(let range):
      guard table == .nestedDictionaries else { return range.map { value(of: plan.elements[$0].content, table, rows) } }
      var values: [String: any Sendable] = [:]
      for index in range {
        values[plan.elements[index].key ?? ""] = value(of: plan.elements[index].content, table, rows)
      }
      return values
    }
  }
}
