package import FiefGraph
import Foundation

// Unmanaged objects, and the typed values that they hold.

extension InsertionPlanner {
  func expand(_ index: Int, from object: AnyObject, as rowClass: RowClass) throws {
    assert(plan.rows[index].table == rowClass.table, "A row is one of its class.")
    let isUpdate = plan.rows[index].isUpdate
    for property in rowClass.stored where !property.isPrimaryKey {
      if !request.options.isWhole {
        switch treatment(of: property, in: index, as: rowClass) {
        case .copied: break
        case .defaulted:
          if !isUpdate { try acceptDefault(property, index) }
          continue
        case .leftOut: continue
        }
      }
      if let content = objects.content(of: property, in: object, skippingUnset: !isUpdate) {
        try accept(content: content, for: property, in: index, isUpdate: isUpdate)
      }
    }
  }

  /// Plans the cells of a row from an unmanaged object of another class, whose properties are matched by name.
  func expand(_ index: Int, namesake object: AnyObject, as rowClass: RowClass) throws {
    let isUpdate = plan.rows[index].isUpdate
    for property in rowClass.stored where !property.isPrimaryKey {
      let content = try content(of: property, namesake: object, rowClass)
      if case .stored(.null) = content, property.type.shape == .single, !property.allowsNull {
        throw wrongValue(NSNull(), at: .step(PlanStep(index, property.number)), for: property, isElement: false)
      }
      try accept(content: content, for: property, in: index, isUpdate: isUpdate)
    }
  }

  /// Plans the cell of a property from its typed content.
  func accept(content: SourceValue, for property: RowProperty, in index: Int, isUpdate: Bool) throws {
    switch content {
    case .collection(let collection) where property.type.isCollection:
      if let content = try elements(of: collection, for: property, in: index, isUpdate: isUpdate) {
        record(content, property)
      }
    case .stored(.null): if isUpdate { record(.value(.null), property) }
    default:
      record(
        try accept(content: content, for: property, at: PlanStep(index, property.number), isElement: false), property)
    }
  }

  func accept(
    content: SourceValue, for property: RowProperty, at step: PlanStep, isElement: Bool
  ) throws -> PlannedContent {
    switch content {
    case .stored(let value): return .value(try scalar(stored: value, for: property, at: step, isElement: isElement))
    case .object(let object):
      if property.type.kind == .any { return try anyObject(object, step) }
      return try link(object, for: property, at: step, isElement: isElement, current: { self.current(property, step) })
    case .collection(let collection):
      guard property.type.kind == .any else {
        throw wrongValue(collection, at: .step(step), for: property, isElement: isElement)
      }
      if property.type.shape == .set {
        throw CopyError("Invalid value for property \(text(.step(step))): a set cannot hold lists or dictionaries.")
      }
      return try any(content, at: step)
    }
  }

  /// A stored value without a link, as one of a property or of its elements.
  func scalar(stored value: Value, for property: RowProperty, at step: PlanStep, isElement: Bool) throws -> Value {
    if property.element.holds(value) { return value }
    if let adapted = DynamicValue.adapted(value, property.element) { return adapted }
    throw CopyError(
      "Invalid value \(value) for property \(text(.step(step))): expected "
        + "\(isElement ? property.elementTypeName : property.typeName).")
  }

  /// Plans a typed value that the caller stores.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - cell: the cell in which the caller stores it, for messages.
  ///   - place: the position there.
  ///   - target: the class of which an object, or its copy, has to be; nil for the object's own.
  package func accept(
    given value: SourceValue, to cell: Cell, at place: PlanStep.Place, as target: RowClass? = nil
  ) throws -> PlannedContent {
    assert(request.root == .owned, "The caller stores what it gives.")
    state.given = cell
    let step = PlanStep(-1, -1, at: place)
    switch value {
    case .stored(let value): return .value(value)
    case .object(let object):
      guard let target else { return try accept(object, at: step) }
      return try accept(object, as: target, at: step, current: nil)
    case .collection: return try any(value, at: step)
    }
  }

  // MARK: Collections inside any-values

  func expandNested(_ index: Int, _ source: Source) throws {
    assert(plan.rows[index].table.isNested && plan.rows[index].isOwned, "A collection in an any-value is owned.")
    let first = plan.elements.count
    switch source {
    case .array(let values):
      for (position, value) in values.enumerated() { try append(value, to: index, at: .index(position)) }
    case .dictionary(let entries):
      for key in entries.keys.sorted() { if let value = entries[key] { try append(value, to: index, at: .key(key)) } }
    case .members(let tree, let span):
      for (key, value) in tree.members(span) { try append(tree.untyped(value), to: index, at: .key(key)) }
    case .elements(let elements):
      for (position, element) in elements.enumerated() {
        if let key = element.key { try checkMapKey(key, PlanStep(index, -1)) }
        add(
          try any(element.value, at: PlanStep(index, -1, at: .init(key: element.key, index: position))),
          key: element.key)
      }
    case .stored(let location):
      try location.reader.withGraph { graph in
        guard let contents = graph.collection(location.cell) else { return }
        try append(contents, of: location.type, in: location.reader, to: nil, at: index)
      }
    case .object, .namesake, .row: break
    }
    guard plan.elements.count > first else { return }
    state.hasDeferred = true
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

  private func append(_ value: Any, to index: Int, at place: PlanStep.Place) throws {
    if case .key(let key) = place { try checkMapKey(key, PlanStep(index, -1)) }
    let content = try any(value, at: PlanStep(index, -1, at: place), for: nil)
    plan.elements.append(PlannedElement(content, key: place.key))
  }
}
