internal import FiefGraph
internal import FiefRuntime

// Rows of any view: of this store or another, live or frozen.

extension InsertionPlanner {
  func expand(
    _ index: Int, in other: any RowReader, of source: RowClass, key: ObjectKey, as rowClass: RowClass
  ) throws {
    let isUpdate = plan.rows[index].isUpdate
    if !request.options.isWhole && !isUpdate {
      // Defaults run application code, which may move or delete the rows that were looked up before.
      for property in rowClass.stored where !property.isPrimaryKey {
        if case .defaulted = treatment(of: property, in: index, as: rowClass) { try acceptDefault(property, index) }
      }
    }
    // No application code runs from here on, so the cluster and the slot stay valid.
    let cluster = other.cluster(source.table, key.chunk)
    guard let cluster, let slot = cluster.with({ $0.slot(ofBit: key.bit) }) else {
      throw CopyError(
        "Object of class '\(source.name)' has been deleted or invalidated and cannot be added or copied"
          + "\(at(plan.rows[index].step)).")
    }
    try cluster.with { cluster in
      for property in rowClass.stored where !property.isPrimaryKey {
        if !request.options.isWhole {
          guard case .copied = treatment(of: property, in: index, as: rowClass) else { continue }
        }
        let number = try locate(of: property, in: source, rowClass, index)
        let leaf = source.leaf(number)
        guard leaf >= 0 else { throw noName(property, in: source, for: rowClass) }
        let type = source.all[number].type
        guard type.shape == property.type.shape else {
          throw otherShape(property, in: source, number: number, of: index)
        }
        if type.isCollection {
          let first = plan.elements.count
          if let contents = cluster[leaf: leaf].values.collection(at: slot) {
            try append(contents, of: type, in: other, to: property, at: index)
          }
          let range = first..<plan.elements.count
          if isUpdate || !range.isEmpty { record(.elements(range), property) }
        } else {
          let value = cluster[leaf: leaf].value(at: slot, as: type)
          if value.isNull && !isUpdate && property.type.allowsNull { continue }
          record(try accept(stored: value, in: other, for: property, at: PlanStep(index, property.number)), property)
        }
      }
    }
  }

  /// The index of the property with the same name in the class of a source.
  @inline(__always)
  private func locate(of property: RowProperty, in source: RowClass, _ rowClass: RowClass, _ index: Int) throws -> Int {
    if source.declaration === rowClass.declaration { return property.number }
    guard let number = source.number(of: property.name) else { throw noName(property, in: source, for: rowClass) }
    return number
  }

  func noName(_ property: RowProperty, in source: RowClass, for rowClass: RowClass) -> CopyError {
    CopyError(
      "Object of class '\(source.name)' has no property '\(property.name)', which class '\(rowClass.name)' asks for: "
        + "give a dictionary of what is there.")
  }

  private func otherShape(_ property: RowProperty, in source: RowClass, number: Int, of index: Int) -> CopyError {
    CopyError(
      "Property '\(source.name).\(source.all[number].name)' cannot be given to property "
        + "\(text(.step(PlanStep(index, property.number)))): expected \(property.typeName).")
  }

  /// The stored value of one property of a row; for a row of another class, the property with that name.
  func stored(
    _ property: RowProperty, in other: any RowReader, of source: RowClass, key: ObjectKey, as rowClass: RowClass,
    at step: PlanStep
  ) throws -> Value {
    assert(property.isPrimaryKey, "Only keys are read before a row is expanded.")
    let number = try locate(of: property, in: source, rowClass, -1)
    var value = Value.null
    other.withGraph { value = $0.value(source.cell(key, number)) ?? .null }
    guard let adapted = DynamicValue.adapted(value, property.type), adapted.linked == nil else {
      throw CopyError(
        "Invalid value \(value) for property '\(rowClass.name).\(property.name)': expected \(property.typeName).")
    }
    return adapted
  }

  /// Plans one stored value of a view.
  func accept(
    stored value: Value, in other: any RowReader, for property: RowProperty, at step: PlanStep
  ) throws -> PlannedContent {
    guard case .link(let link) = value else {
      return .value(try scalar(stored: value, for: property, at: step, isElement: true))
    }
    if property.type.kind == .any { return try acceptAny(stored: value, other, step) }
    guard property.type.kind == .link, let target = state.items[step.parent].rowClass?.target(property.number),
      let source = other.rowClass(of: link.table)
    else {
      throw CopyError("Invalid value, an object, for property \(text(.step(step))): expected \(property.typeName).")
    }
    if target.kind != .embedded && target.table == link.table, let own = ownRow(link, other) {
      return .value(.link(own))
    }
    if source.name != target.name {
      try checkForeignObject(source, as: target, for: property, at: step, isElement: property.type.shape != .single)
    }
    return .row(try enter(row: link, of: source, in: other, as: target, at: step, current: current(property, step)))
  }

  func acceptAny(stored value: Value, _ other: any RowReader, _ step: PlanStep) throws -> PlannedContent {
    guard case .link(let link) = value else { return .value(value) }
    if link.table.isNested {
      let isList = link.table == .nestedLists
      let cell = Cell(link.table, link.key, .nestedElements)
      return enterNested(
        .stored(SourceCell(other, cell, type: ColumnType(.any, shape: isList ? .list : .dictionary))), isList: isList,
        at: step)
    }
    try checkMayHoldObjects(other.rowClass(of: link.table), step)
    if isLast(step.parent) { return .cleared }
    if let own = ownRow(link, other) { return .value(.link(own)) }
    if request.mode == .add { throw managedElsewhere(step) }
    guard let source = other.rowClass(of: link.table) else { return .value(.null) }
    return .row(
      try enter(row: link, of: source, in: other, as: rowClass(like: source, of: other, step), at: step, current: nil))
  }

  /// The row of the store that a row of a view is, or stands for; nil when the row is to be copied.
  private func ownRow(_ link: ObjectLink, _ other: any RowReader) -> ObjectLink? {
    assert(!link.table.isNested, "A collection in an any-value is always copied.")
    if other === store { return request.copiesOwnRows ? nil : link }
    return store.counterpart(of: link, in: other)
  }
}
