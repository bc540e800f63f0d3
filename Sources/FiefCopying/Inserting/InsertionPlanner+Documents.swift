internal import FiefGraph

// The plan of an object that is handed over instead of being stored.

extension InsertionPlanner {
  /// The first row of the plan, with everything that it owns, as a document: the values by property name. Values have
  /// the markers of any-values, so that they are read with their types.
  ///
  /// - Throws: when it would be nested deeper than a document may be.
  package func rootDocument() throws -> DocumentTree {
    if let index = state.items.firstIndex(where: { $0.level > DocumentTree.deepest }) {
      throw CopyError(
        "An object of class '\(className(ofRow: 0))' is nested deeper than \(DocumentTree.deepest) levels, at "
          + "\(path(plan.rows[index].step)): it could not be handed over as a document.")
    }
    assert(state.items.count == plan.rows.count && !plan.rows.isEmpty, "A plan that is handed over was walked.")
    var builder = DocumentBuilder()
    add(row: 0, to: &builder)
    return builder.finish()
  }

  // The recursion ends at the deepest level.

  private func add(row index: Int, to builder: inout DocumentBuilder) {
    let row = plan.rows[index]
    guard let rowClass = state.items[index].rowClass else {
      let contents = row.cells.first.map { plan.cells[$0].content } ?? .elements(0..<0)
      return add(contents, isMap: row.table == .nestedDictionaries, to: &builder)
    }
    builder.beginObject()
    if let key = row.primaryKey, let property = rowClass.keyProperty {
      builder.name(property.name)
      builder.scalar(key, isAny: true)
    }
    for number in row.cells {
      let property = rowClass.all[Int(plan.cells[number].number)]
      builder.name(property.name)
      add(plan.cells[number].content, isMap: property.type.shape == .dictionary, to: &builder)
    }
    _ = builder.endObject()
  }

  private func add(_ content: PlannedContent, isMap: Bool, to builder: inout DocumentBuilder) {
    switch content {
    case .value(let value): builder.scalar(value, isAny: true)
    case .row(let row):
      assert(plan.rows[row].isOwned, "Only owned rows are handed over with their owner.")
      add(row: row, to: &builder)
    case .elements(let range) where isMap:
      builder.beginObject()
      for element in plan.elements[range] {
        builder.name(element.key ?? "")
        add(element.content, isMap: false, to: &builder)
      }
      _ = builder.endObject()
    case .elements, .cleared:
      builder.beginArray()
      if case .elements(let range) = content {
        for element in plan.elements[range] { add(element.content, isMap: false, to: &builder) }
      }
      builder.endArray()
    }
  }
}
