internal import FiefGraph
internal import FiefRuntime
import FiefValues
import Foundation

// Dictionaries and arrays, and the values in them.

extension InsertionPlanner {
  /// Plans the cells of a row from the values of its properties, by their position and by themselves. Without a value a
  /// property of a new row gets its default.
  @inline(__always)
  private func expand(_ index: Int, as rowClass: RowClass, value: (Int, RowProperty) -> Any?) throws {
    assert(plan.rows[index].table == rowClass.table, "A row is one of its class.")
    let isUpdate = plan.rows[index].isUpdate
    for (position, property) in rowClass.stored.enumerated() where !property.isPrimaryKey {
      if let value = value(position, property) {
        guard isPlanned(property, in: index) else { continue }
        try accept(value, for: property, in: index, isUpdate: isUpdate)
      } else if !isUpdate {
        try acceptDefault(property, index)
      }
    }
  }

  func expand(_ index: Int, from dictionary: [String: Any], as rowClass: RowClass) throws {
    try expand(index, as: rowClass) { dictionary[$1.name] }
  }

  func expand(_ index: Int, from array: [Any], as rowClass: RowClass) throws {
    if array.count > rowClass.stored.count {
      throw CopyError(
        "Invalid array\(at(plan.rows[index].step)): it has \(array.count) values, and class '\(rowClass.name)' has "
          + "\(rowClass.stored.count) properties (\(rowClass.stored.map(\.name).joined(separator: ", ")))."
      )
    }
    try expand(index, as: rowClass) { position, _ in position < array.count ? array[position] : nil }
  }

  /// Plans the cells of a row from an object of a document. A name that the class does not have is an error: it may be
  /// misspelt, and its value would be lost.
  func expand(_ index: Int, from tree: DocumentTree, span: DocumentTree.Span, as rowClass: RowClass) throws {
    var members = ContiguousArray(repeating: -1, count: rowClass.all.count)
    for member in 0..<span.count {
      let name = tree.name(member, of: span)
      if isMarker(name, in: index, as: rowClass, tree.value(member, of: span)) { continue }
      guard let number = rowClass.number(of: name), members[number] < 0 else {
        if request.document?.ignoresUnknownNames == true { continue }
        throw UnknownName(
          at: span.first + 2 * member, name: name, path: path(plan.rows[index].step),
          className: rowClass.name, known: rowClass.all.map(\.name))
      }
      members[number] = member
    }
    try expand(index, as: rowClass) { _, property in
      let member = members[property.number]
      return member >= 0 ? tree.untyped(tree.value(member, of: span)) : nil
    }
  }

  /// Plans the declared default of a property that has no value in the source of a new row.
  func acceptDefault(_ property: RowProperty, _ index: Int) throws {
    assert(!plan.rows[index].isUpdate && !property.isPrimaryKey, "Defaults are for new rows.")
    let instance: AnyObject
    if let made = state.items[index].instance {
      instance = made
      // The conversion of an earlier default may have used the instance.
      if let rowClass = state.items[index].rowClass { try checkInstance(instance, rowClass) }
    } else {
      guard let rowClass = state.items[index].rowClass else { return }
      instance = try self.instance(of: rowClass, plan.rows[index].step)
      state.items[index].instance = instance
    }
    if let content = objects.content(of: property, in: instance, skippingUnset: true) {
      try accept(content: content, for: property, in: index, isUpdate: false)
    }
  }

  // MARK: One property

  /// Plans the cell of a property from an untyped value.
  func accept(_ value: Any, for property: RowProperty, in index: Int, isUpdate: Bool) throws {
    assert(plan.rows[index].isUpdate == isUpdate, "A row is updated or new.")
    switch property.type.shape {
    case .single:
      let step = PlanStep(index, property.number)
      switch property.type.kind {
      case .link:
        record(try link(value, for: property, at: step, current: { self.current(property, step) }), property)
      case .any: record(try any(value, at: step, for: property), property)
      default: record(.value(try scalar(value, for: property, at: .step(step))), property)
      }
    case .list, .set, .dictionary:
      if let content = try elements(value, for: property, in: index, isUpdate: isUpdate) { record(content, property) }
    }
  }

  @inline(__always)
  func scalar(_ value: Any, for property: RowProperty, at location: Where, isElement: Bool = false) throws -> Value {
    if let stored = DynamicValue.stored(value, property.type) { return stored }
    return try scalarSlowly(value, for: property, at: location, isElement: isElement)
  }

  private func scalarSlowly(
    _ value: Any, for property: RowProperty, at location: Where, isElement: Bool
  ) throws -> Value {
    assert(property.type.kind != .link && property.type.kind != .any, "A scalar is given to a property of scalars.")
    let wrong = { self.wrongValue(value, at: location, for: property, isElement: isElement) }
    guard let inner = DynamicValue.present(value) else {
      if property.allowsNull { return .null }
      throw wrong()
    }
    if let stored = DynamicValue.stored(inner, property.type) { return stored }
    if request.document != nil, let stored = documentScalar(inner, property.type.kind) { return stored }
    if !DynamicValue.isObject(inner), let any = objects.value(of: inner) {
      guard case .stored(let held) = any else { throw wrong() }
      guard let stored = DynamicValue.adapted(held, property.element), stored.linked == nil else { throw wrong() }
      return stored
    }
    // Enums and custom types convert themselves.
    guard case .stored(let stored)? = objects.converted(inner, for: property), property.element.holds(stored) else {
      throw wrong()
    }
    return stored
  }

  /// A scalar of a document by the type of its property: what a string holds that JSON has no form for, and the nearest
  /// number to one with more digits, or a greater power of ten, than the types of Foundation hold.
  private func documentScalar(_ value: Any, _ kind: ValueKind) -> Value? {
    if let text = DynamicValue.text(value) { return DocumentScalar.value(of: text, kind) }
    return (value as? Decimal128).flatMap { DocumentScalar.value(of: $0, kind) }
  }

  /// Plans the row for a link property or a linked element.
  func link(
    _ value: Any, for property: RowProperty, at step: PlanStep, isElement: Bool = false, current: () -> CurrentRow?
  ) throws -> PlannedContent {
    assert(property.type.kind == .link, "A link is given to a property of links.")
    guard let target = state.items[step.parent].rowClass?.target(property.number) else { return .value(.null) }
    if let dictionary = Existential.value(value, as: [String: Any].self) {
      return .row(try enter(dictionary: dictionary, as: target, at: step, current: current()))
    }
    // Only objects are cast to a class. For any other value, the cast would first make an object of it, to test that
    // object's class.
    if DynamicValue.isObject(value), case .object(let object)? = objects.value(of: value) {
      let source = objects.declaredClass(of: object)
      // A dynamic object is of another declaration than its class, and has all properties of it.
      if source.declaration !== target.declaration && source.name != target.name {
        try checkForeignObject(source, as: target, for: property, at: step, isElement: isElement)
      }
      return try accept(object, as: target, at: step, current: current())
    }
    if let dictionary = Existential.value(value, as: [String: String].self) {
      return .row(try enter(.dictionary(dictionary), as: target, at: step, current: current()))
    }
    if let array = Existential.value(value, as: [Any].self) {
      let container = DynamicContainer.array(array, ContainerIdentity(array))
      return .row(try enter(container, as: target, at: step, current: current()))
    }
    guard let inner = DynamicValue.present(value) else {
      if property.allowsNull { return .value(.null) }
      throw wrongValue(value, at: .step(step), for: property, isElement: isElement)
    }
    let isObject = DynamicValue.isObject(inner)
    switch isObject && DynamicValue.isObject(value) ? nil : objects.value(of: inner) {
    case .object(let object): return try link(object, for: property, at: step, isElement: isElement, current: current)
    case .stored(.null): return try link(NSNull(), for: property, at: step, isElement: isElement, current: current)
    case .collection where isObject: break
    case .stored, .collection: throw wrongValue(value, at: .step(step), for: property, isElement: isElement)
    case nil: break
    }
    if case .object(let object)? = objects.converted(inner, for: property) {
      return try link(object, for: property, at: step, isElement: isElement, current: current)
    }
    if let reference = try reference(inner, to: target, at: step) { return reference }
    if let container = DynamicContainer.of(inner) {
      return .row(try enter(container, as: target, at: step, current: current()))
    }
    throw wrongValue(value, at: .step(step), for: property, isElement: isElement)
  }

  /// Throws unless an object of another class can be read by the names of a class's properties. Only a copied object
  /// can.
  func checkForeignObject(
    _ source: RowClass, as target: RowClass, for property: RowProperty, at step: PlanStep, isElement: Bool
  ) throws {
    assert(source.declaration !== target.declaration, "An object of the class itself is no foreign one.")
    let missing = target.stored.first { source.number(of: $0.name) == nil }
    guard request.mode == .add || missing != nil else { return }
    throw CopyError(
      "Invalid value, an object of class '\(source.name)', for property \(text(.step(step))): expected "
        + "\(isElement ? property.elementTypeName : property.typeName)"
        + (request.mode == .add
          ? "." : ", or an object with its properties, of which it lacks '\(missing?.name ?? "")'."))
  }

  /// The present row at a step, if it may be changed in place. That is so only in rows that are updated with
  /// `.modified`.
  func current(_ property: RowProperty, _ step: PlanStep) -> CurrentRow? {
    assert(property.number == step.number, "A step names the property.")
    guard request.policy == .modified, step.parent >= 0, property.type.shape != .set else { return nil }
    let row = plan.rows[step.parent]
    guard row.isUpdate else { return nil }
    let first = row.same >= 0 ? row.same : step.parent
    switch state.repeated[first]?.content(at: step, property.column, in: plan) {
    case .row(let index): return .planned(index)
    case .value(let value): return value.linked.map { .stored($0) }
    case .elements, .cleared: return nil
    case nil: return row.key.rawValue >= 0 ? stored(property, step, row).map { .stored($0) } : nil
    }
  }

  /// The row that the store has at a step from one of its rows.
  private func stored(_ property: RowProperty, _ step: PlanStep, _ row: PlannedRow) -> ObjectLink? {
    let cell = Cell(row.table, row.key, property.column)
    switch step.place {
    case .value: return transaction.value(cell)?.linked
    case .index(let index):
      return transaction.read { graph in
        guard let contents = graph.collection(cell), index < contents.count else { return nil }
        return contents.value(at: index, as: property.type).linked
      }
    case .key(let key): return transaction.value(forKey: key, inDictionary: cell)?.linked
    }
  }

  // MARK: Any-values

  func any(_ value: Any, at step: PlanStep, for property: RowProperty?) throws -> PlannedContent {
    assert(property.map { $0.type.kind == .any } ?? true, "An any-value is given to a property of any-values.")
    if let value = objects.value(of: value) { return try any(value, at: step) }
    if let stored = DynamicValue.storedAny(value) { return .value(stored) }
    guard let inner = DynamicValue.present(value) else { return .value(.null) }
    if let value = objects.value(of: inner) { return try any(value, at: step) }
    if let marked = try marked(inner, at: step) { return marked }
    if let container = DynamicContainer.of(inner) { return try enterNested(container, at: step) }
    // The stored form of a custom type may be a list or a dictionary.
    if let converted = objects.converted(inner, for: property) { return try any(converted, at: step) }
    throw wrongAny(DynamicValue.description(of: value), step)
  }

  private func wrongAny(_ words: String, _ step: PlanStep) -> CopyError {
    CopyError(
      "Invalid value \(words) for property \(text(.step(step))): expected AnyRealmValue, which holds scalars, "
        + "objects that are not embedded, lists and dictionaries with string keys.")
  }

  func any(_ value: SourceValue, at step: PlanStep) throws -> PlannedContent {
    switch value {
    case .stored(let stored):
      if case .date(let moment) = stored, !moment.isMoment { throw wrongAny("\(stored)", step) }
      return .value(stored)
    case .object(let object): return try anyObject(object, step)
    case .collection(let collection):
      switch objects.contents(of: collection) {
      case .cell(let location) where location.type.shape != .set:
        return enterNested(.stored(location), isList: location.type.shape == .list, at: step)
      case .elements(let elements, let isList?):
        if !state.collections.insert(ObjectIdentifier(collection)).inserted { try noteRepetition(collection, step) }
        return enterNested(.elements(elements), isList: isList, at: step, instance: collection)
      case .cell, .elements: throw wrongAny(DynamicValue.description(of: collection), step)
      case .gone: throw invalidated(at: step)
      }
    }
  }

  func anyObject(_ object: AnyObject, _ step: PlanStep) throws -> PlannedContent {
    guard objects.declaredClass(of: object).kind == .ordinary else {
      throw wrongAny(DynamicValue.description(of: object), step)
    }
    try checkMayHoldObjects(objects.declaredClass(of: object), step)
    if isLast(step.parent) { return .cleared }
    return try accept(object, at: step)
  }

  /// Throws for an object in an any-value of what is handed over: a document holds only what its object owns, and no
  /// links.
  ///
  /// - Parameter rowClass: the class of the object; nil for one that the program does not have.
  func checkMayHoldObjects(_ rowClass: RowClass?, _ step: PlanStep) throws {
    guard request.root == .ingested else { return }
    throw CopyError(
      "Invalid value, an object\(rowClass.map { " of class '\($0.name)'" } ?? ""), for property \(text(.step(step))): "
        + "an asymmetric object holds values and embedded objects only. Give the object's primary key, or a dictionary "
        + "of its values.")
  }
}
