package import FiefGraph
internal import FiefRuntime
import Foundation

// Entering sources: each source becomes a planned row, and its primary key is resolved.

extension InsertionPlanner {
  /// Plans a row of a class.
  ///
  /// - Parameters:
  ///   - source: the source of the row's values.
  ///   - rowClass: the class.
  ///   - step: the step that leads to the row.
  ///   - current: the present row at that step, if it may be updated in place.
  ///   - container: the node of the array or dictionary that is the source; nil unless the source is one.
  /// - Returns: the index of the planned row.
  package func enter(
    _ source: Source, as rowClass: RowClass, at step: PlanStep, current: CurrentRow? = nil, container: Int32? = nil
  ) throws -> Int {
    assert(
      step.parent < plan.rows.count && state.items.count == plan.rows.count, "A row is reached from an earlier one.")
    var row = PlannedRow(rowClass.table, step)
    var instance: AnyObject?
    switch rowClass.kind {
    case .ordinary: break
    case .embedded:
      if step.parent < 0 && request.root != .owned {
        throw CopyError(
          "Embedded object of class '\(rowClass.name)' cannot be added or created by itself: assign it to a property "
            + "of its owner.")
      }
      row.traits.insert(.owned)
    case .asymmetric:
      guard request.root == .ingested else {
        throw CopyError("Asymmetric object of class '\(rowClass.name)' cannot be added: hand it over with create.")
      }
    }
    if let primaryKey = rowClass.keyProperty, request.options.keys == .regenerate {
      guard let value = FreshKey.stored(primaryKey.type.kind) else {
        throw CopyOptions.cannotRegenerate(rowClass.name, property: primaryKey.name, type: primaryKey.typeName)
      }
      row.primaryKey = value
    } else if let primaryKey = rowClass.keyProperty {
      var value = try keyValue(of: source, as: rowClass, property: primaryKey, instance: &instance, at: step)
      if primaryKey.isIncreasing && value == .int(0) { value = try nextKey(of: rowClass) }
      try acceptKey(value, of: rowClass, for: &row)
    } else if let current {
      accept(current, for: &row)
    }
    if rowClass.hasUniqueIndex || row.isUpdate && rowClass.deletionsHaveRules { plan.canBeRefused = true }
    state.items.append(
      Item(
        source: source, rowClass: rowClass, instance: instance, level: row.isOwned ? level(below: step) : 0,
        container: container ?? self.container(above: step)))
    noteDepth(step, isOwned: row.isOwned)
    let first = row.same
    let index = plan.add(row)
    if first >= 0 {
      plan.canBeRefused = true
      state.repeated[first, default: RepeatedRow(first: first)].add(index)
    }
    return index
  }

  /// A row that a step leads to, and that may be changed in place.
  package enum CurrentRow {
    case stored(ObjectLink)
    /// A row of the plan.
    case planned(Int)
  }

  /// Has a planned row without a primary key change another one in place, if that is of its class.
  private func accept(_ current: CurrentRow, for row: inout PlannedRow) {
    switch current {
    case .stored(let link):
      guard link.table == row.table else { return }
      row.key = link.key
      if let first = state.updates[link] {
        row.same = first
      } else if !row.isOwned {
        // Only a repeated owner leads to an owned row again, and it leads to the planned one.
        state.updates[link] = plan.rows.count
      }
    case .planned(let index):
      guard plan.rows[index].table == row.table else { return }
      row.key = plan.rows[index].key
      row.same = plan.rows[index].same >= 0 ? plan.rows[index].same : index
    }
    row.traits.insert(.update)
  }

  /// Plans a list or dictionary inside an any-value.
  func enterNested(
    _ source: Source, isList: Bool, at step: PlanStep, instance: AnyObject? = nil, container: Int32? = nil
  ) -> PlannedContent {
    assert(
      step.parent < plan.rows.count && state.items.count == plan.rows.count, "A row is reached from an earlier one.")
    state.items.append(
      Item(
        source: source, rowClass: nil, instance: instance, level: level(below: step),
        container: container ?? self.container(above: step)))
    noteDepth(step, isOwned: true)
    return .row(plan.add(PlannedRow(isList ? .nestedLists : .nestedDictionaries, traits: [.owned], step)))
  }

  // MARK: Arrays and dictionaries

  /// Plans a row of a class from an array or a dictionary.
  func enter(
    _ container: DynamicContainer, as rowClass: RowClass, at step: PlanStep, current: CurrentRow?
  ) throws -> Int {
    let node = try node(of: container.identity, step, cost: ContainerPaths.costOfObject)
    return try enter(Source(container), as: rowClass, at: step, current: current, container: node)
  }

  /// Plans a list or dictionary inside an any-value, from an array or a dictionary.
  func enterNested(_ container: DynamicContainer, at step: PlanStep) throws -> PlannedContent {
    let node = try node(of: container.identity, step)
    if case .array = container { return enterNested(Source(container), isList: true, at: step, container: node) }
    return enterNested(Source(container), isList: false, at: step, container: node)
  }

  private func container(above step: PlanStep) -> Int32 {
    assert(step.parent < state.items.count, "A row is reached from an earlier one.")
    return step.parent < 0 ? -1 : state.items[step.parent].container
  }

  /// Enters the container at a step into `containers`, below the node of the enclosing row.
  func node(of identity: ContainerIdentity?, _ step: PlanStep, cost: Int = 1) throws -> Int32 {
    do throws(ContainerPaths.Refusal) {
      return try state.containers.enter(identity, cost: cost, below: container(above: step))
    } catch {
      throw error.error(at(step))
    }
  }

  /// Plans a row of a class from a dictionary. In a large walk the dictionary's identity is entered into `containers`;
  /// a small walk skips that.
  @inline(__always)
  func enter(dictionary: [String: Any], as rowClass: RowClass, at step: PlanStep, current: CurrentRow?) throws -> Int {
    if state.items.count < ContainerPaths.unwatched {
      return try enter(.dictionary(dictionary), as: rowClass, at: step, current: current)
    }
    return try enter(
      DynamicContainer.dictionary(dictionary, ContainerIdentity(dictionary)), as: rowClass, at: step, current: current)
  }

  // MARK: Objects

  /// Plans a link to an object of any class: to its row in the store, or to a row that is planned for it.
  package func accept(_ object: AnyObject, at step: PlanStep) throws -> PlannedContent {
    var (declared, reader) = (objects.declaredClass(of: object), (any RowReader)?.none)
    switch state(of: object) {
    case .unmanaged(_, let fault): if let fault { throw located(fault, step) }
    case .row(let other, let source, _):
      if other !== store && request.mode == .add { throw managedElsewhere(step) }
      // A row of the store is only linked to, so the program need not have a class for it.
      if other === store && !request.copiesOwnRows { return try accept(object, as: source, at: step, current: nil) }
      (declared, reader) = (source, other)
    }
    return try accept(object, as: rowClass(like: declared, of: reader, step), at: step, current: nil)
  }

  /// Plans a link to an object: to its row in the store, or to a row that is planned for it.
  package func accept(_ object: AnyObject, as rowClass: RowClass, at step: PlanStep, current: CurrentRow?) throws
    -> PlannedContent
  {
    switch state(of: object) {
    case .unmanaged(let mark, let fault):
      if let fault { throw fault }
      return .row(try enter(unmanaged: object, mark: mark, as: rowClass, at: step, current: current))
    case .row(let other, let source, let key):
      if other !== store && request.mode == .add { throw managedElsewhere(step) }
      guard objects.hasRow(object) else { throw invalidated(object, step) }
      if other === store && !request.copiesOwnRows && source.table == rowClass.table {
        if rowClass.kind != .embedded { return .value(.link(ObjectLink(source.table, key))) }
        if request.mode == .add { throw ownedAlready(object, step) }
      }
      return .row(
        try enter(row: ObjectLink(source.table, key), of: source, in: other, as: rowClass, at: step, current: current))
    }
  }

  /// The home of an object. An old object of a migration lives in the row of the new object for which it stands.
  private func state(of object: AnyObject) -> SourceState {
    let state = objects.state(of: object)
    guard case .row(let other, let source, let key) = state, other !== store,
      let own = store.counterpart(of: ObjectLink(source.table, key), in: other),
      let rowClass = store.rowClass(of: own.table)
    else { return state }
    return .row(store, rowClass, own.key)
  }

  /// Enters an unmanaged object, once. The properties of an object of another class are read by name.
  private func enter(
    unmanaged object: AnyObject, mark: Int?, as rowClass: RowClass, at step: PlanStep, current: CurrentRow?
  ) throws -> Int {
    let isNamesake = objects.declaredClass(of: object).declaration !== rowClass.declaration
    let namesake = CopiedSource(identity: SourceIdentity(object), table: rowClass.table)
    let known = isNamesake ? state.sources[namesake] : mark.flatMap { number(of: object, $0) }
    if let known {
      if rowClass.kind != .embedded { return share(known) }
      // A copy gives each owner its own copy. An object that owns itself cannot be copied.
      if request.mode == .add && !isNamesake { throw ownedTwice(step, plan.rows[known].step) }
      try noteRepetition(object, step)
    }
    let index = try enter(isNamesake ? .namesake(object) : .object(object), as: rowClass, at: step, current: current)
    try checkAfterConversion(object)
    if isNamesake {
      state.sources[namesake] = index
    } else if known == nil {
      objects.mark(object, index)
      state.hasMarks = true
    }
    return index
  }

  /// The row of a source that is reached again.
  private func share(_ known: Int) -> Int {
    plan.rows[known].traits.insert(.shared)
    state.hasShared = true
    return known
  }

  /// Checks an unmanaged object again after its key was converted. The conversion is application code, and may have
  /// given the object a bad value or added it to another realm, which leaves no trace in this session.
  private func checkAfterConversion(_ object: AnyObject) throws {
    guard case .unmanaged(_, let fault) = objects.state(of: object) else { throw StalePlan() }
    if let fault { throw fault }
  }

  /// The index of the planned row for a marked object; nil when the mark is not from this walk.
  private func number(of object: AnyObject, _ index: Int) -> Int? {
    guard index >= 0, index < state.items.count, case .object(let known) = state.items[index].source, known === object
    else {
      return nil
    }
    return index
  }

  /// Enters a row of a session, once.
  package func enter(
    row link: ObjectLink, of source: RowClass, in other: any RowReader, as rowClass: RowClass, at step: PlanStep,
    current: CurrentRow?
  ) throws -> Int {
    let isOwned = rowClass.kind == .embedded
    let copied = CopiedSource(identity: SourceIdentity(link, in: other), table: rowClass.table)
    if !isOwned, let known = state.sources[copied] { return share(known) }
    let index = try enter(.row(other, source, link.key), as: rowClass, at: step, current: current)
    if !isOwned { state.sources[copied] = index }
    return index
  }

  /// Records that an owned object or collection occurs again, so that another owner needs a copy. Its item is the next.
  ///
  /// The original was entered before, so everything that the copy owns was entered, too, and comes here. The number of
  /// repetitions in the given value is proportional to it; only copies inside copies may be many more.
  ///
  /// - Throws: when it owns itself, or when the number of copies inside copies is excessive. A ladder of shared
  ///   embedded objects or lists stands for two to the power of its length.
  func noteRepetition(_ instance: AnyObject, _ step: PlanStep) throws {
    assert(state.innerCopies <= state.copies.count, "A copy inside a copy is a copy.")
    state.copies.insert(state.items.count)
    if state.copies.contains(step.parent) { state.innerCopies += 1 }
    let level = step.parent < 0 ? 0 : state.items[step.parent].level
    let given = state.items.count - state.innerCopies
    let isTooMany = state.innerCopies > Self.innerCopiesAllowed && state.innerCopies / Self.innerCopiesPerItem > given
    // Checking all owners takes time linear in their number. Beyond level 64 it is done only at levels that are powers
    // of two.
    if isTooMany || level < 64 || level & (level - 1) == 0 { try refuseAncestor(instance, step) }
    guard isTooMany else { return }
    throw CopyError(
      "The value has embedded objects or lists inside each other that stand in several places\(at(step)): more than "
        + "\(Self.innerCopiesAllowed) copies of them would have to be made, one for each owner. Give each owner an "
        + "object of its own."
    )
  }

  /// The maximum number of copies inside copies. More are permitted while there is one other item for so many of them.
  private static let innerCopiesAllowed = 1 << 16
  private static let innerCopiesPerItem = 64

  private func level(below step: PlanStep) -> Int32 {
    assert(step.parent < state.items.count, "A row is reached from an earlier one.")
    return step.parent < 0 ? 0 : state.items[step.parent].level + 1
  }

  /// Throws when the collection or embedded object owns itself.
  private func refuseAncestor(_ instance: AnyObject, _ step: PlanStep) throws {
    assert(step.parent < plan.rows.count, "A row is reached from an earlier one.")
    var parent = step.parent
    // A row that is not owned is only linked to, so the search ends there.
    while parent >= 0, plan.rows[parent].isOwned {
      var other: AnyObject? = state.items[parent].instance
      switch state.items[parent].source {
      case .object(let object), .namesake(let object): other = object
      default: break
      }
      if other === instance {
        let start = plan.rows[parent].step
        throw CopyError(
          .cycle,
          "The value contains a cycle: \(path(step)) -> \(path(start)). What is owned cannot be part of itself.")
      }
      parent = plan.rows[parent].step.parent
    }
  }

  // MARK: Primary keys

  private func keyValue(
    of source: Source, as rowClass: RowClass, property: RowProperty, instance: inout AnyObject?,
    at step: PlanStep
  ) throws -> Value {
    assert(property.isPrimaryKey, "A key is a primary key.")
    // The row is not planned yet, so errors name the key by its class and property.
    switch source {
    case .dictionary(let dictionary):
      if let value = dictionary[property.name] {
        return try scalar(value, for: property, at: keyStep(step, of: rowClass, property: property))
      }
    case .array(let array):
      if let number = rowClass.stored.firstIndex(where: { $0 === property }), number < array.count {
        return try scalar(array[number], for: property, at: keyStep(step, of: rowClass, property: property))
      }
    case .members(let tree, let span):
      for member in 0..<span.count where rowClass.number(of: tree.name(member, of: span)) == property.number {
        let value = tree.untyped(tree.value(member, of: span))
        return try scalar(value, for: property, at: keyStep(step, of: rowClass, property: property))
      }
    case .object(let object): return value(of: property, object)
    case .namesake(let object):
      guard case .stored(let value) = try content(of: property, namesake: object, rowClass),
        let adapted = DynamicValue.adapted(value, property.type), adapted.linked == nil
      else {
        throw wrongValue(NSNull(), at: keyStep(step, of: rowClass, property: property), for: property, isElement: false)
      }
      return adapted
    case .row(let other, let source, let key):
      return try stored(property, in: other, of: source, key: key, as: rowClass, at: step)
    default: break
    }
    let made = try self.instance(of: rowClass, step)
    instance = made
    return value(of: property, made)
  }

  /// The stored value of a primary key of an instance.
  private func value(of property: RowProperty, _ object: AnyObject) -> Value {
    if case .stored(let value)? = objects.content(of: property, in: object, skippingUnset: false) { return value }
    return .null
  }

  /// The value of the property with the same name in an object of another class.
  func content(of property: RowProperty, namesake object: AnyObject, _ rowClass: RowClass) throws -> SourceValue {
    let declared = objects.declaredClass(of: object)
    guard let number = declared.number(of: property.name), declared.leaf(number) >= 0 else {
      throw noName(property, in: declared, for: rowClass)
    }
    return objects.content(of: declared.all[number], in: object, skippingUnset: false) ?? .stored(.null)
  }

  /// The instance from which a new row takes its defaults.
  func instance(of rowClass: RowClass, _ step: PlanStep) throws -> AnyObject {
    assert(step.parent < plan.rows.count, "An instance is for a row of the plan, or for its root.")
    let made = (step.parent < 0 ? state.rootInstance : nil) ?? objects.makeInstance(of: rowClass)
    if step.parent < 0 { state.rootInstance = nil }
    try checkInstance(made, rowClass)
    return made
  }

  /// Throws when code of the application has given the instance of a new row an invalid value, or added it to a store.
  func checkInstance(_ instance: AnyObject, _ rowClass: RowClass) throws {
    switch objects.state(of: instance) {
    case .unmanaged(_, let fault): if let fault { throw fault }
    case .row:
      throw CopyError(
        "An initialiser or a conversion of class '\(rowClass.name)' adds the new object to a realm, so that nothing "
          + "can be created by it: add objects where they are made.")
    }
  }

  private func keyStep(_ step: PlanStep, of rowClass: RowClass, property: RowProperty) -> Where {
    .key(step, "\(rowClass.name).\(property.name)")
  }

  /// A primary key that no row has, and no row of the plan. The keys of rows are never used again, so that of the next
  /// row is greater than all keys that were handed out before.
  private func nextKey(of rowClass: RowClass) throws -> Value {
    let table = rowClass.table
    // No row of an asymmetric class is kept. The numbers of the documents go on.
    let isKept = rowClass.kind != .asymmetric
    let present = transaction.read { isKept ? $0[table]?.nextKey : $0.table(named: TableSchema.outboxName)?.nextKey }
    var key = max(present ?? 0, state.handedOut[table] ?? 0)
    // Keys of the application's own may lie in a row here, so each step is twice as long as the one before.
    var step = Int64(1)
    while true {
      let (next, overflows) = key.addingReportingOverflow(step)
      guard !overflows, step > 0 else {
        throw CopyError("Object type '\(rowClass.name)' has no more primary keys to hand out.")
      }
      key = next
      step &<<= 1
      let value = Value.int(key)
      if transaction.read({ $0[table]?.find(primaryKey: value) }) == nil, earlierRow(value, table) == nil { break }
    }
    state.handedOut[table] = key
    return .int(key)
  }

  /// Resolves a primary key: to an existing row, to an earlier row of the plan, or to a new row.
  private func acceptKey(_ value: Value, of rowClass: RowClass, for row: inout PlannedRow) throws {
    assert(row.same < 0 && row.primaryKey == nil, "A key is resolved once.")
    let existing = transaction.read { $0[rowClass.table]?.find(primaryKey: value) }
    let earlier = plan.rows.isEmpty ? nil : earlierRow(value, rowClass.table)
    row.primaryKey = value
    guard existing != nil || earlier != nil else { return }
    guard request.policy != .error else {
      // A string describes itself in quotes.
      let key = value.kind == .string ? "\(value)" : "'\(value)'"
      throw CopyError(
        .duplicatePrimaryKey,
        "Attempting to create an object of type '\(rowClass.name)' with an existing primary key value "
          + "\(key)\(at(row.step)): use an update policy to change the object that is there.")
    }
    row.traits.insert(.update)
    if let existing { row.key = existing }
    if let earlier { row.same = earlier }
  }

  /// The first row of the plan with a given primary key.
  private func earlierRow(_ value: Value, _ table: TableKey) -> Int? {
    while state.keyedCount < plan.rows.count {
      let row = plan.rows[state.keyedCount]
      if let value = row.primaryKey, row.same < 0 {
        let key = PlannedKey(table: row.table, value: HashedValue(value))
        if state.keys[key] == nil { state.keys[key] = state.keyedCount }
      }
      state.keyedCount += 1
    }
    assert(state.keyedCount == plan.rows.count, "The keys of all rows are known.")
    return state.keys.isEmpty ? nil : state.keys[PlannedKey(table: table, value: HashedValue(value))]
  }
}
