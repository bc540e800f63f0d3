internal import FiefGraph
internal import FiefRuntime
import Foundation

// Lists, sets and maps: from any sequence, from unmanaged collections, and from stored collections.

extension InsertionPlanner {
  /// Plans the elements of a collection property from an untyped value.
  ///
  /// - Returns: nil when there is nothing to do: a new row gets no elements, or the value is the collection that the
  ///   row already has.
  func elements(_ value: Any, for property: RowProperty, in index: Int, isUpdate: Bool) throws -> PlannedContent? {
    assert(property.type.isCollection, "Elements are those of a collection.")
    let first = plan.elements.count
    func all<Element>(_ array: [Element]) throws -> PlannedContent? {
      if isLarge(array.count) { try note(ContainerIdentity(array), for: property, in: index) }
      for (position, element) in array.enumerated() {
        try append(element, to: property, of: index, at: .index(position))
      }
      return finish(first, isUpdate)
    }
    if property.type.shape != .dictionary {
      if let array = Existential.value(value, as: [Any].self) { return try all(array) }
      if let array = Existential.value(value, as: [[String: Any]].self) { return try all(array) }
    }
    guard let inner = DynamicValue.present(value) else { return isUpdate ? .cleared : nil }
    switch objects.value(of: inner) {
    case .collection(let collection): return try elements(of: collection, for: property, in: index, isUpdate: isUpdate)
    case .stored(.null): return isUpdate ? .cleared : nil
    case .stored: throw wrongCollection(value, for: property, in: index)
    // An any-value that holds an object. An object itself may be a sequence.
    case .object where !DynamicValue.isObject(inner): throw wrongCollection(value, for: property, in: index)
    case .object, nil: break
    }
    if property.type.shape == .dictionary {
      guard let container = DynamicContainer.of(inner), let entries = container.entries else {
        throw wrongCollection(value, for: property, in: index)
      }
      if isLarge(entries.count) { try note(container.identity, for: property, in: index) }
      for (key, value) in entries { try append(value, to: property, of: index, at: .key(key)) }
    } else {
      guard let elements = DynamicContainer.elements(inner) else {
        throw wrongCollection(value, for: property, in: index)
      }
      if isLarge(elements.count), case .array(_, let identity)? = DynamicContainer.of(inner) {
        try note(identity, for: property, in: index)
      }
      for (position, element) in elements.enumerated() {
        try append(element, to: property, of: index, at: .index(position))
      }
    }
    return finish(first, isUpdate)
  }

  /// Whether the plan or the given value is so large that repeated containers must be detected.
  private func isLarge(_ count: Int) -> Bool { state.items.count >= ContainerPaths.unwatched || count >= 1 << 12 }

  private func note(_ identity: ContainerIdentity?, for property: RowProperty, in index: Int) throws {
    _ = try node(of: identity, PlanStep(index, property.number))
  }

  private func wrongCollection(_ value: Any, for property: RowProperty, in index: Int) -> CopyError {
    wrongValue(value, at: .step(PlanStep(index, property.number)), for: property, isElement: false)
  }

  private func finish(_ first: Int, _ isUpdate: Bool) -> PlannedContent? {
    assert(first <= plan.elements.count, "Elements are only added.")
    let range = first..<plan.elements.count
    return range.isEmpty && !isUpdate ? nil : .elements(range)
  }

  private func append(_ value: Any, to property: RowProperty, of index: Int, at place: PlanStep.Place) throws {
    if case .key(let key) = place { try checkMapKey(key, PlanStep(index, property.number)) }
    let content = try element(value, of: property, at: PlanStep(index, property.number, at: place))
    plan.elements.append(PlannedElement(content, key: place.key))
  }

  private func element(_ value: Any, of property: RowProperty, at step: PlanStep) throws -> PlannedContent {
    switch property.type.kind {
    case .link:
      return try link(value, for: property, at: step, isElement: true, current: { self.current(property, step) })
    case .any:
      let content = try any(value, at: step, for: property)
      if property.type.shape == .set, case .row(let row) = content, plan.rows[row].table.isNested {
        throw wrongValue(value, at: .step(step), for: property, isElement: true)
      }
      return content
    default: return .value(try scalar(value, for: property, at: .step(step), isElement: true))
    }
  }

  // MARK: Collections of realms

  /// Plans the elements of a managed or unmanaged list, set or map.
  func elements(
    of collection: AnyObject, for property: RowProperty, in index: Int, isUpdate: Bool
  ) throws -> PlannedContent? {
    assert(property.type.isCollection, "Elements are those of a collection.")
    let first = plan.elements.count
    let location: SourceCell
    switch objects.contents(of: collection) {
    case .cell(let cell): location = cell
    case .gone: throw invalidated(at: PlanStep(index, property.number))
    case .elements(let elements, _):
      for (position, element) in elements.enumerated() {
        if (element.key != nil) != (property.type.shape == .dictionary) {
          throw wrongCollection(collection, for: property, in: index)
        }
        if let key = element.key { try checkMapKey(key, PlanStep(index, property.number)) }
        let step = PlanStep(index, property.number, at: .init(key: element.key, index: position))
        let content = try accept(content: element.value, for: property, at: step, isElement: true)
        add(content, key: element.key)
      }
      return finish(first, isUpdate)
    }
    let row = plan.rows[index]
    if location.reader === store && location.cell == Cell(row.table, row.key, property.column) { return nil }
    if (location.type.shape == .dictionary) != (property.type.shape == .dictionary) {
      throw wrongCollection(collection, for: property, in: index)
    }
    try location.reader.withGraph { graph in
      guard let contents = graph.collection(location.cell) else { return }
      try append(contents, of: location.type, in: location.reader, to: property, at: index)
    }
    return finish(first, isUpdate)
  }

  /// Plans the elements of a stored collection.
  ///
  /// - Parameter property: the property that holds them; nil for a collection inside an any-value.
  func append(
    _ contents: StoredCollection, of type: ColumnType, in other: any RowReader, to property: RowProperty?, at index: Int
  ) throws {
    assert(type.isCollection && property?.type.isCollection ?? true, "Elements go from collection to collection.")
    func append(_ value: Value, at place: PlanStep.Place) throws {
      let step = PlanStep(index, property?.number ?? -1, at: place)
      let content =
        try property.map { try accept(stored: value, in: other, for: $0, at: step) }
        ?? acceptAny(stored: value, other, step)
      add(content, key: place.key)
    }
    if let dictionary = contents as? StoredDictionary {
      for entry in dictionary.entries { try append(entry.value, at: .key(entry.key)) }
      return
    }
    var failure: (any Error)?
    var position = 0
    contents.forEach(as: type) { value in
      do {
        try append(value, at: .index(position))
        position += 1
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }
}
