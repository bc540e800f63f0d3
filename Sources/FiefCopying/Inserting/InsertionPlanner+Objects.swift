internal import FiefGraph
import Foundation

// Unmanaged objects, and the typed values that they hold.

extension InsertionPlanner {
  func expand(_ index: Int, _ object: AnyObject, _ rowClass: RowClass) throws {
    assert(plan.rows[index].table == rowClass.table, "A row is one of its class.")
    let isUpdate = plan.rows[index].isUpdate
    for property in rowClass.properties where !property.isPrimaryKey {
      if !request.options.isWhole {
        switch treatment(property, index, rowClass) {
        case .copied: break
        case .defaulted:
          if !isUpdate { try acceptDefault(property, index) }
          continue
        case .leftOut: continue
        }
      }
      if let content = objects.content(of: property, in: object, skippingUnset: !isUpdate) {
        try accept(content: content, property, index, isUpdate: isUpdate)
      }
    }
  }

  /// Plans the cells of a row from an unmanaged object of another class, whose properties are matched by name.
  func expand(_ index: Int, namesake object: AnyObject, _ rowClass: RowClass) throws {
    let isUpdate = plan.rows[index].isUpdate
    for property in rowClass.properties where !property.isPrimaryKey {
      let content = try content(of: property, namesake: object, rowClass)
      if case .stored(.null) = content, property.type.shape == .single, !property.allowsNull {
        throw wrongValue(NSNull(), .step(PlanStep(index, property.number)), property, isElement: false)
      }
      try accept(content: content, property, index, isUpdate: isUpdate)
    }
  }

  /// Plans the cell of a property from its typed content.
  func accept(content: SourceValue, _ property: RowProperty, _ index: Int, isUpdate: Bool) throws {
    switch content {
    case .collection(let collection) where property.type.isCollection:
      if let content = try elements(of: collection, property, index, isUpdate: isUpdate) { record(content, property) }
    case .stored(.null): if isUpdate { record(.value(.null), property) }
    default:
      record(
        try accept(content: content, property, PlanStep(index, property.number), isElement: false), property)
    }
  }

  /// Plans one typed value.
  func accept(
    content: SourceValue, _ property: RowProperty, _ step: PlanStep, isElement: Bool
  ) throws -> PlannedContent {
    switch content {
    case .stored(let value):
      if property.element.holds(value) { return .value(value) }
      if let adapted = DynamicValue.adapted(value, property.element) { return .value(adapted) }
      throw CopyError(
        "Invalid value \(value) for property \(text(.step(step))): expected "
          + "\(isElement ? property.elementWords : property.words).")
    case .object(let object):
      if property.type.kind == .any { return try anyObject(object, step) }
      return try link(object, property, step, isElement: isElement, current: { self.current(property, step) })
    case .nested(let contents):
      try refuseNestedInSet(property, step)
      return enterNested(.elements(contents), isList: contents.isList, step)
    case .collection(let collection):
      if property.type.kind == .any {
        try refuseNestedInSet(property, step)
        return try any(content, step)
      }
      throw wrongValue(collection, .step(step), property, isElement: isElement)
    }
  }

  /// Plans a typed value that the caller stores.
  ///
  /// - Parameter target: the class of which an object, or its copy, has to be; nil for the object's own.
  package func accept(
    given value: SourceValue, _ spot: PlanStep.Spot, as target: RowClass? = nil
  ) throws -> PlannedContent {
    assert(request.root == .owned, "The caller stores what it gives.")
    let step = PlanStep(-1, -1, spot)
    switch value {
    case .stored(let value): return .value(value)
    case .object(let object):
      guard let target else { return try accept(object, step) }
      return try accept(object, target, step, current: nil)
    case .nested(let contents): return enterNested(.elements(contents), isList: contents.isList, step)
    case .collection: return .value(.null)
    }
  }

  private func refuseNestedInSet(_ property: RowProperty, _ step: PlanStep) throws {
    guard property.type.shape == .set else { return }
    throw CopyError("Invalid value for property \(text(.step(step))): a set cannot hold lists or dictionaries.")
  }

  // MARK: Collections inside any-values

  func expandNested(_ index: Int, _ source: Source) throws {
    assert(plan.rows[index].table.isNested && plan.rows[index].isOwned, "A collection in an any-value is owned.")
    let first = plan.elements.count
    switch source {
    case .values(let values):
      for (position, value) in values.enumerated() { try append(value, index, position) }
    case .entries(let entries):
      for key in entries.keys.sorted() { if let value = entries[key] { try append(value, index, key) } }
    case .members(let tree, let span):
      for (key, value) in tree.members(span) { try append(tree.untyped(value), index, key) }
    case .elements(let contents):
      for (position, element) in contents.elements.enumerated() {
        if let key = element.key { try checkMapKey(key, PlanStep(index, -1)) }
        let spot = element.key.map(PlanStep.Spot.key) ?? .index(position)
        add(try any(element.value, PlanStep(index, -1, spot)), key: element.key)
      }
    case .stored(let location): try append(location.reader, location.cell, location.type, index)
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

  private func append(_ value: Any, _ index: Int, _ position: Int) throws {
    plan.elements.append(PlannedElement(try any(value, PlanStep(index, -1, .index(position)), nil)))
  }

  private func append(_ value: Any, _ index: Int, _ key: String) throws {
    try checkMapKey(key, PlanStep(index, -1))
    plan.elements.append(PlannedElement(try any(value, PlanStep(index, -1, .key(key)), nil), key: key))
  }

  private func append(_ other: any RowReader, _ cell: Cell, _ type: ColumnType, _ index: Int) throws {
    try other.withGraph { graph in
      guard let contents = graph.collection(cell) else { return }
      if let dictionary = contents as? StoredDictionary {
        for entry in dictionary.entries {
          add(try acceptAny(stored: entry.value, other, PlanStep(index, -1, .key(entry.key))), key: entry.key)
        }
      } else {
        for position in 0..<contents.count {
          let value = contents.value(at: position, as: type)
          add(try acceptAny(stored: value, other, PlanStep(index, -1, .index(position))), key: nil)
        }
      }
    }
  }
}
