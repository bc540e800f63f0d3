import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions

// Rows of any session: of this store or another, live or frozen.

extension InsertionPlanner {
  func expand(
    _ index: Int, _ other: Session, _ source: ClassBinding, _ key: ObjectKey, _ binding: ClassBinding
  ) throws {
    let isUpdate = plan.rows[index].isUpdate
    if !request.options.isWhole && !isUpdate {
      // Defaults run application code, which may move or delete the rows that were looked up before.
      for property in binding.rows.properties where !property.isPrimaryKey {
        if case .defaulted = treatment(property, index, binding) { try acceptDefault(property, index) }
      }
    }
    // No application code runs from here on, so the cluster and the slot stay valid.
    let cluster = other.cluster(source.table, key.chunk)
    guard let cluster, let slot = cluster.with({ $0.slot(ofBit: key.bit) }) else {
      throw Realm.Error(
        .invalidValue,
        "Object of class '\(source.model.name)' has been deleted or invalidated and cannot be added or copied"
          + "\(at(plan.rows[index].step)).")
    }
    try cluster.with { cluster in
      for property in binding.rows.properties where !property.isPrimaryKey {
        if !request.options.isWhole {
          guard case .copied = treatment(property, index, binding) else { continue }
        }
        let number = try locate(of: property, in: source, binding, index)
        let leaf = source.leaf(number)
        guard leaf >= 0 else { throw noName(property, source.model, binding) }
        let type = source.columnTypes[number]
        guard type.shape == property.type.shape else { throw otherShape(property, source, number, index) }
        if type.isCollection {
          let first = plan.elements.count
          if let contents = cluster[leaf: leaf].values.collection(at: slot) {
            try append(contents, of: type, other, property, index)
          }
          let range = first..<plan.elements.count
          if isUpdate || !range.isEmpty { record(.elements(range), property) }
        } else {
          let value = cluster[leaf: leaf].value(at: slot, as: type)
          if value.isNull && !isUpdate && property.type.allowsNull { continue }
          record(try accept(stored: value, other, property, PlanStep(index, property.number)), property)
        }
      }
    }
  }

  /// The index of the property with the same name in the class of a source.
  @inline(__always)
  private func locate(
    of property: RowProperty, in source: ClassBinding, _ binding: ClassBinding, _ index: Int
  ) throws -> Int {
    if source.model === binding.model { return property.number }
    guard let number = source.model.number(of: property.name) else { throw noName(property, source.model, binding) }
    return number
  }

  func noName(_ property: RowProperty, _ source: ModelClass, _ binding: ClassBinding) -> Realm.Error {
    Realm.Error(
      .invalidValue,
      "Object of class '\(source.name)' has no property '\(property.name)', which class '\(binding.model.name)' asks for: "
        + "give a dictionary of what is there.")
  }

  private func otherShape(
    _ property: RowProperty, _ source: ClassBinding, _ number: Int, _ index: Int
  ) -> Realm.Error {
    Realm.Error(
      .invalidValue,
      "Property '\(source.model.name).\(source.model.properties[number].name)' cannot be given to property "
        + "\(text(.step(PlanStep(index, property.number)))): expected \(property.words).")
  }

  /// The stored value of one property of a row; for a row of another class, the property with that name.
  func stored(
    _ property: RowProperty, _ other: Session, _ source: ClassBinding, _ key: ObjectKey, _ binding: ClassBinding,
    _ step: PlanStep
  ) throws -> StoredValue {
    let number = try locate(of: property, in: source, binding, -1)
    let value = other.read { $0.value(source.rows.cell(key, number)) } ?? .null
    guard let adapted = DynamicValue.adapted(value, property.type), adapted.linked == nil else {
      throw Realm.Error(
        .invalidValue,
        "Invalid value \(value) for property '\(binding.model.name).\(property.name)': expected \(property.words).")
    }
    return adapted
  }

  /// Plans one stored value of a session.
  func accept(
    stored value: StoredValue, _ other: Session, _ property: RowProperty, _ step: PlanStep
  ) throws -> PlannedContent {
    guard case .link(let link) = value else {
      if property.element.holds(value) { return .value(value) }
      if let adapted = DynamicValue.adapted(value, property.element) { return .value(adapted) }
      throw Realm.Error(
        .invalidValue, "Invalid value \(value) for property \(text(.step(step))): expected \(property.elementWords).")
    }
    if property.type.kind == .any { return try acceptAny(stored: value, other, step) }
    guard property.type.kind == .link, let target = state.items[step.parent].binding?.target(property.number),
      let source = other.store.binding(of: link.table)
    else {
      throw Realm.Error(
        .invalidValue, "Invalid value, an object, for property \(text(.step(step))): expected \(property.words).")
    }
    if other === session && !request.copiesOwnRows && target.model.kind != .embedded && target.table == link.table {
      return .value(value)
    }
    if source.model.name != target.model.name {
      try checkForeignObject(source.model, target, property, step, isElement: property.type.shape != .single)
    }
    return .row(
      try enter(row: link, of: source, other, target, step, current: current(property, step)))
  }

  /// Plans one stored any-value of a session.
  func acceptAny(stored value: StoredValue, _ other: Session, _ step: PlanStep) throws -> PlannedContent {
    guard case .link(let link) = value else { return .value(value) }
    if link.table.isNested {
      let isList = link.table == .nestedLists
      let cell = Cell(link.table, link.key, .nestedElements)
      return enterNested(
        .stored(other, cell, ColumnType(.any, shape: isList ? .list : .dictionary)), isList: isList, step)
    }
    if isLast(step.parent) { return .cleared }
    if other === session && !request.copiesOwnRows { return .value(value) }
    guard let source = other.store.binding(of: link.table) else { return .value(.null) }
    guard let binding = session.binding(of: source.model.type) else { throw missing(source.model.type, step) }
    return .row(try enter(row: link, of: source, other, binding, step, current: nil))
  }
}
