import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions
import Foundation

// Dictionaries and arrays, and the values in them.

extension InsertionPlanner {
  func expand(_ index: Int, _ dictionary: [String: Any], _ binding: ClassBinding) throws {
    let isUpdate = plan.rows[index].isUpdate
    for property in binding.rows.properties where !property.isPrimaryKey {
      if let value = dictionary[property.name] {
        try accept(value, property, index, isUpdate: isUpdate)
      } else if !isUpdate {
        try acceptDefault(property, index)
      }
    }
  }

  func expand(_ index: Int, _ array: [Any], _ binding: ClassBinding) throws {
    if array.count > binding.rows.properties.count {
      throw Realm.Error(
        .invalidValue,
        "Invalid array\(at(plan.rows[index].step)): it has \(array.count) values, and class '\(binding.model.name)' has "
          + "\(binding.rows.properties.count) properties (\(binding.rows.properties.map(\.name).joined(separator: ", ")))."
      )
    }
    let isUpdate = plan.rows[index].isUpdate
    for (place, property) in binding.rows.properties.enumerated() where !property.isPrimaryKey {
      if place < array.count {
        try accept(array[place], property, index, isUpdate: isUpdate)
      } else if !isUpdate {
        try acceptDefault(property, index)
      }
    }
  }

  /// Plans the declared default of a property that has no value in the source of a new row.
  func acceptDefault(_ property: RowProperty, _ index: Int) throws {
    let instance: ObjectBase
    if let made = state.items[index].instance {
      instance = unsafe unsafeDowncast(made, to: ObjectBase.self)
      // The conversion of an earlier default may have used the instance.
      if instance.isManaged || instance.flags.contains(.faulty), let binding = state.items[index].binding {
        try session.checkIsFresh(instance, binding, transaction)
      }
    } else {
      guard let binding = state.items[index].binding else { return }
      instance = try self.instance(of: binding, plan.rows[index].step)
      state.items[index].instance = instance
    }
    let field = unsafe instance.address + property.bound.offset
    if unsafe property.isBareUnset && property.bound.access.isUnset(field) { return }
    unsafe try accept(
      content: property.bound.access.content(field, instance, property.number), property, index, isUpdate: false)
  }

  // MARK: One property

  /// Plans the cell of a property from an untyped value.
  func accept(_ value: Any, _ property: RowProperty, _ index: Int, isUpdate: Bool) throws {
    switch property.type.shape {
    case .single:
      let step = PlanStep(index, property.number)
      switch property.type.kind {
      case .link:
        record(try link(value, property, step, current: { self.current(property, step) }), property)
      case .any: record(try any(value, step, property), property)
      default: record(.value(try scalar(value, property, .step(step))), property)
      }
    case .list, .set, .dictionary:
      if let content = try elements(value, property, index, isUpdate: isUpdate) { record(content, property) }
    }
  }

  /// The stored form of a scalar property or element.
  @inline(__always)
  func scalar(_ value: Any, _ property: RowProperty, _ place: Where, isElement: Bool = false) throws -> StoredValue {
    if let stored = DynamicValue.stored(value, property.type) { return stored }
    return try scalarSlowly(value, property, place, isElement: isElement)
  }

  private func scalarSlowly(
    _ value: Any, _ property: RowProperty, _ place: Where, isElement: Bool
  ) throws -> StoredValue {
    let wrong = { self.wrongValue(value, place, property, isElement: isElement) }
    guard let inner = DynamicValue.present(value) else {
      if property.allowsNull { return .null }
      throw wrong()
    }
    if let stored = DynamicValue.stored(inner, property.type) { return stored }
    if !DynamicValue.isObject(inner), let any = inner as? AnyRealmValue {
      guard case .value(let held) = AnyRealmValue._content(any) else { throw wrong() }
      guard let stored = DynamicValue.adapted(held, property.element), stored.linked == nil else { throw wrong() }
      return stored
    }
    // Enums and custom types convert themselves.
    guard case .value(let stored)? = property.bound.take(inner), property.element.holds(stored) else { throw wrong() }
    return stored
  }

  /// Plans the row for a link property or a linked element.
  func link(
    _ value: Any, _ property: RowProperty, _ step: PlanStep, isElement: Bool = false, current: () -> ObjectLink?
  ) throws -> PlannedContent {
    guard let target = state.items[step.parent].binding?.target(property.number) else { return .value(.null) }
    if let dictionary = Existential.value(value, as: [String: Any].self) {
      return .row(try enter(dictionary: dictionary, target, step, current: current()))
    }
    // Only objects are cast to a class. For any other value, the cast would first make an object of it, to test that
    // object's class.
    if DynamicValue.isObject(value), let object = value as? ObjectBase {
      if let object = try dynamicLink(object, target, step, current: current) { return object }
      if type(of: object) != target.model.type {
        try checkForeignObject(object.model, target, property, step, isElement: isElement)
      }
      return try accept(object, target, step, current: current())
    }
    if let dictionary = Existential.value(value, as: [String: String].self) {
      return .row(try enter(.dictionary(dictionary), target, step, current: current()))
    }
    if let array = Existential.value(value, as: [Any].self) {
      let container = DynamicContainer.array(array, ContainerIdentity(array))
      return .row(try enter(container, target, step, current: current()))
    }
    guard let inner = DynamicValue.present(value) else {
      if property.allowsNull { return .value(.null) }
      throw wrongValue(value, .step(step), property, isElement: isElement)
    }
    if DynamicValue.isObject(inner), !DynamicValue.isObject(value), inner is ObjectBase {
      return try link(inner, property, step, isElement: isElement, current: current)
    }
    if !DynamicValue.isObject(inner), let object = inner as? AnyRealmValue {
      switch object {
      case .none: return try link(NSNull(), property, step, isElement: isElement, current: current)
      case .object(let object): return try link(object, property, step, isElement: isElement, current: current)
      default: throw wrongValue(value, .step(step), property, isElement: isElement)
      }
    }
    if case .object(let object)? = property.bound.take(inner), type(of: object) == target.model.type {
      return try accept(object, target, step, current: current())
    }
    if let container = DynamicContainer.of(inner) {
      return .row(try enter(container, target, step, current: current()))
    }
    throw wrongValue(value, .step(step), property, isElement: isElement)
  }

  /// Plans the row behind a dynamic object; nil for other objects, and for rows of other classes.
  private func dynamicLink(
    _ object: ObjectBase, _ target: ClassBinding, _ step: PlanStep, current: () -> ObjectLink?
  ) throws -> PlannedContent? {
    guard let object = object as? DynamicObject else { return nil }
    if let shown = object.shown, type(of: shown) == target.model.type {
      return try accept(shown, target, step, current: current())
    }
    guard let source = object.binding?.counted, source.model.name == target.model.name else {
      return nil
    }
    return try accept(object, target, step, current: current())
  }

  /// Throws unless an object of another class can be read by the names of a class's properties. Only a copied object
  /// can.
  func checkForeignObject(
    _ model: ModelClass, _ target: ClassBinding, _ property: RowProperty, _ step: PlanStep, isElement: Bool
  ) throws {
    let missing = target.rows.properties.first { model.number(of: $0.name) == nil }
    guard request.mode == .add || missing != nil else { return }
    throw Realm.Error(
      .invalidValue,
      "Invalid value, an object of class '\(model.name)', for property \(text(.step(step))): expected "
        + "\(isElement ? property.elementWords : property.words)"
        + (request.mode == .add
          ? "." : ", or an object with its properties, of which it lacks '\(missing?.name ?? "")'."))
  }

  /// The present row at a step, if it may be changed in place. That is so only in rows that are updated with
  /// `.modified`.
  func current(_ property: RowProperty, _ step: PlanStep) -> ObjectLink? {
    guard request.policy == .modified, step.parent >= 0 else { return nil }
    let row = plan.rows[step.parent]
    guard row.isUpdate, row.key.rawValue >= 0 else { return nil }
    let cell = Cell(row.table, row.key, property.column)
    switch step.spot {
    case .value: return transaction.value(cell)?.linked
    case .index(let index):
      return transaction.read { graph in
        guard let contents = graph.collection(cell), contents.shape == .list, index < contents.count else { return nil }
        return contents.value(at: index, as: property.type).linked
      }
    case .key(let key): return transaction.value(forKey: key, inDictionary: cell)?.linked
    }
  }

  // MARK: Any-values

  /// Plans the value of an any-value property or element.
  func any(_ value: Any, _ step: PlanStep, _ property: RowProperty?) throws -> PlannedContent {
    if let value = Existential.value(value, as: AnyRealmValue.self) { return try any(value, step) }
    if let stored = DynamicValue.storedAny(value) { return .value(stored) }
    guard let inner = DynamicValue.present(value) else { return .value(.null) }
    if !DynamicValue.isObject(inner), let value = inner as? AnyRealmValue { return try any(value, step) }
    if DynamicValue.isObject(inner), let object = inner as? ObjectBase { return try anyObject(object, step) }
    if DynamicValue.isObject(inner), let collection = inner as? CollectionBase {
      if let place = collection.location {
        guard place.type.shape != .set else { throw wrongAny(value, step) }
        return enterNested(
          .stored(place.session, place.cell, place.type), isList: place.type.shape == .list, step)
      }
      if let list = collection as? List<AnyRealmValue> { return try any(.list(list), step) }
      if let map = collection as? Map<String, AnyRealmValue> { return try any(.dictionary(map), step) }
      throw wrongAny(value, step)
    }
    if let container = DynamicContainer.of(inner) { return try enterNested(container, step) }
    if let take = property?.bound.take, case .value(let stored)? = take(inner) { return .value(stored) }
    throw wrongAny(value, step)
  }

  private func wrongAny(_ value: Any, _ step: PlanStep) -> Realm.Error {
    Realm.Error(
      .invalidValue,
      "Invalid value \(DynamicValue.words(value)) for property \(text(.step(step))): expected AnyRealmValue, which holds scalars, "
        + "objects that are not embedded, lists and dictionaries with string keys.")
  }

  func any(_ value: AnyRealmValue, _ step: PlanStep) throws -> PlannedContent {
    switch value {
    case .object(let object): return try anyObject(object, step)
    case .list(let list):
      if let place = list.location {
        return enterNested(.stored(place.session, place.cell, place.type), isList: true, step)
      }
      if !state.collections.insert(ObjectIdentifier(list)).inserted { try noteRepetition(list, step) }
      return enterNested(.anyValues(Array(list)), isList: true, step, list)
    case .dictionary(let map):
      if let place = map.location {
        return enterNested(.stored(place.session, place.cell, place.type), isList: false, step)
      }
      if !state.collections.insert(ObjectIdentifier(map)).inserted { try noteRepetition(map, step) }
      return enterNested(.anyEntries(map.keyedElements), isList: false, step, map)
    default:
      guard case .value(let stored) = AnyRealmValue._content(value) else { return .value(.null) }
      if case .date(let moment) = stored, !moment.isMoment { throw wrongAny(value, step) }
      return .value(stored)
    }
  }

  func anyObject(_ object: ObjectBase, _ step: PlanStep) throws -> PlannedContent {
    guard object is Object else { throw wrongAny(object, step) }
    if isLast(step.parent) { return .cleared }
    guard let binding = session.binding(of: type(of: object)) else { throw missing(type(of: object), step) }
    return try accept(object, binding, step, current: nil)
  }
}
