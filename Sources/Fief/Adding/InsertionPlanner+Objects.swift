import FiefCopying
import FiefGraph
import FiefSessions
import Foundation

// Unmanaged objects, and the typed values that they hold.

extension InsertionPlanner {
  func expand(_ index: Int, _ object: ObjectBase, _ binding: ClassBinding) throws {
    let isUpdate = plan.rows[index].isUpdate
    let base = unsafe object.address
    for property in binding.rows.properties where !property.isPrimaryKey {
      let field = unsafe base + property.bound.offset
      if !request.options.isWhole {
        switch treatment(property, index, binding) {
        case .copied: break
        case .defaulted:
          if !isUpdate { try acceptDefault(property, index) }
          continue
        case .leftOut: continue
        }
      }
      if unsafe !isUpdate && property.isBareUnset && property.bound.access.isUnset(field) { continue }
      unsafe try accept(
        content: property.bound.access.content(field, object, property.number), property, index, isUpdate: isUpdate)
    }
  }

  /// Plans the cells of a row from an unmanaged object of another class, whose properties are matched by name.
  func expand(_ index: Int, namesake object: ObjectBase, _ binding: ClassBinding) throws {
    let isUpdate = plan.rows[index].isUpdate
    let model = ModelClass.of(type(of: object))
    for property in binding.rows.properties where !property.isPrimaryKey {
      guard let number = model.number(of: property.name) else { throw noName(property, model, binding) }
      let value = model.properties[number].access.get(object, number) ?? NSNull()
      try accept(value, property, index, isUpdate: isUpdate)
    }
  }

  /// Plans the cell of a property from its typed content.
  func accept(content: _PropertyContent, _ property: RowProperty, _ index: Int, isUpdate: Bool) throws {
    switch content {
    case .collection(let collection):
      guard let collection = collection as? CollectionBase else { return }
      if let content = try elements(of: collection, property, index, isUpdate: isUpdate) { record(content, property) }
    case .value(.null): if isUpdate { record(.value(.null), property) }
    default:
      record(
        try accept(content: content, property, PlanStep(index, property.number), isElement: false), property)
    }
  }

  /// Plans one typed value.
  func accept(
    content: _PropertyContent, _ property: RowProperty, _ step: PlanStep, isElement: Bool
  ) throws -> PlannedContent {
    switch content {
    case .value(let value):
      if property.element.holds(value) { return .value(value) }
      if let adapted = DynamicValue.adapted(value, property.element) { return .value(adapted) }
      throw Realm.Error(
        .invalidValue,
        "Invalid value \(value) for property \(text(.step(step))): expected "
          + "\(isElement ? property.elementWords : property.words).")
    case .object(let object):
      if property.type.kind == .any { return try anyObject(object, step) }
      return try link(object, property, step, isElement: isElement, current: { self.current(property, step) })
    case .nested(let contents):
      try refuseNestedInSet(property, step)
      return enterNested(contents, step)
    case .collection(let collection):
      throw wrongValue(collection, .step(step), property, isElement: isElement)
    }
  }

  /// Plans a list or a dictionary inside an any-value.
  func enterNested(_ contents: any _NestedContents, _ step: PlanStep) -> PlannedContent {
    switch contents.elements {
    case .list(let values): enterNested(.anyValues(values), isList: true, step)
    case .dictionary(let entries): enterNested(.anyEntries(entries), isList: false, step)
    }
  }

  private func refuseNestedInSet(_ property: RowProperty, _ step: PlanStep) throws {
    guard property.type.shape == .set else { return }
    throw Realm.Error(
      .invalidValue, "Invalid value for property \(text(.step(step))): a set cannot hold lists or dictionaries.")
  }

  // MARK: Collections inside any-values

  func expandNested(_ index: Int, _ source: Source) throws {
    let first = plan.elements.count
    switch source {
    case .values(let values):
      for (place, value) in values.enumerated() { try append(value, index, place) }
    case .entries(let entries):
      for key in entries.keys.sorted() { if let value = entries[key] { try append(value, index, key) } }
    case .anyValues(let values):
      for (place, value) in values.enumerated() { add(try any(value, PlanStep(index, -1, .index(place))), key: nil) }
    case .anyEntries(let entries):
      for (key, value) in entries {
        try checkMapKey(key, PlanStep(index, -1))
        add(try any(value, PlanStep(index, -1, .key(key))), key: key)
      }
    case .stored(let other, let cell, let type): try append(other, cell, type, index)
    case .dictionary, .array, .object, .namesake, .row: break
    }
    guard plan.elements.count > first else { return }
    state.joins = true
    plan.cells.append(PlannedCell(.nestedElements, number: -1, .elements(first..<plan.elements.count)))
  }

  /// Plans an element. An object beyond the depth limit is left out of a list or set, and becomes null in a dictionary.
  @inline(__always)
  func add(_ content: PlannedContent, key: String?) {
    if case .cleared = content {
      if key != nil { plan.elements.append(PlannedElement(.value(.null), key: key)) }
    } else {
      plan.elements.append(PlannedElement(content, key: key))
    }
  }

  private func append(_ value: Any, _ index: Int, _ place: Int) throws {
    plan.elements.append(PlannedElement(try any(value, PlanStep(index, -1, .index(place)), nil)))
  }

  private func append(_ value: Any, _ index: Int, _ key: String) throws {
    try checkMapKey(key, PlanStep(index, -1))
    plan.elements.append(PlannedElement(try any(value, PlanStep(index, -1, .key(key)), nil), key: key))
  }

  private func append(_ other: Session, _ cell: Cell, _ type: ColumnType, _ index: Int) throws {
    try other.read { graph in
      guard let contents = graph.collection(cell) else { return }
      if let dictionary = contents as? StoredDictionary {
        for entry in dictionary.entries {
          add(try acceptAny(stored: entry.value, other, PlanStep(index, -1, .key(entry.key))), key: entry.key)
        }
      } else {
        for place in 0..<contents.count {
          let value = contents.value(at: place, as: type)
          add(try acceptAny(stored: value, other, PlanStep(index, -1, .index(place))), key: nil)
        }
      }
    }
  }
}
