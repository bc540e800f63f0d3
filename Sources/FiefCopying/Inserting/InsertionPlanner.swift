package import FiefGraph

/// Walks the sources of new objects, and builds a plan of the rows to make.
///
///     sources   dictionaries, arrays, unmanaged objects, rows of this and other stores, nested values
///        │  enter: a row is planned, its primary key resolved             `enter` (+Entering)
///        ▼
///     items ── expand: its properties are read, one after another ──▶ cells of the plan
///        ▲                                                              │
///        └────────────── what they lead to is entered ◀─────────────────┘
///
/// Items are expanded in the order in which they were entered, without recursion. The walk writes nothing, so an error
/// leaves the store unchanged.
///
/// A planner is used again for the next operation, so that small operations allocate no memory.
package final class InsertionPlanner {
  // Exclusivity is not checked at run time for these properties: one operation at a time uses them.

  @safe @exclusivity(unchecked) package let plan = InsertionPlan()
  /// Classes, instances and collections. It retains the planner, or the caller retains both.
  @safe @exclusivity(unchecked) unowned(unsafe) let objects: any ObjectSource
  /// The rows of the store that is written to. The caller retains the view.
  @safe @exclusivity(unchecked) unowned(unsafe) package var store: any RowReader
  @safe @exclusivity(unchecked) unowned(unsafe) package var transaction: Transaction
  /// The task of the operation.
  @safe @exclusivity(unchecked) package private(set) var request = PlanRequest(.add, .error)
  /// Copies rows that need no plan.
  let copier = RowCopier()
  /// The progress of the operation.
  @safe @exclusivity(unchecked) var state = PlanWalk()

  /// The treatment of unmanaged objects.
  package enum Mode {
    /// They become managed.
    case add
    /// They are copied.
    case copy
  }

  /// The source of a row's values.
  package enum Source {
    /// The properties of a row, or a dictionary or list inside an any-value; `members` are an object of a document.
    case dictionary([String: Any])
    case array([Any])
    case members(DocumentTree, DocumentTree.Span)
    case object(AnyObject)
    /// An unmanaged object of another class, read by the names of its properties.
    case namesake(AnyObject)
    /// A row as a view shows it.
    case row(any RowReader, RowClass, ObjectKey)
    /// The elements of an unmanaged list or map inside an any-value.
    case elements([SourceElement])
    /// A stored list or dictionary inside an any-value, as a view shows it.
    case stored(SourceCell)

    init(_ container: DynamicContainer) {
      switch container {
      case .array(let values, _): self = .array(values)
      case .dictionary(let entries, _): self = .dictionary(entries)
      case .members(let tree, let span): self = .members(tree, span)
      }
    }
  }

  struct Item {
    let source: Source
    /// The class; nil for collections inside any-values.
    let rowClass: RowClass?
    /// The instance that provides defaults, or the collection of which the row is a copy.
    var instance: AnyObject?
    /// The number of owners above the item.
    var level: Int32 = 0
    /// The array or dictionary that is the item's source or contains the source: a node of `containers`; -1 for none.
    var container: Int32 = -1
  }

  /// A row of a view, or an unmanaged object of another class, and the table that it is copied to. One source may be
  /// read as several classes.
  struct CopiedSource: Hashable {
    let identity: SourceIdentity
    let table: TableKey
  }

  struct PlannedKey: Hashable {
    let table: TableKey
    let value: HashedValue
  }

  /// - Parameter objects: classes and instances. They live as long as the planner.
  package init(_ objects: any ObjectSource, store: any RowReader, transaction: Transaction) {
    self.objects = objects
    self.store = store
    self.transaction = transaction
  }

  /// Begins an operation, or begins it again.
  package func begin(_ request: PlanRequest) {
    assert(state.items.isEmpty && plan.rows.isEmpty, "A planner begins with an empty plan.")
    self.request = request
  }

  // MARK: Walking

  /// Expands all entered items.
  package func walk() throws {
    assert(plan.cells.isEmpty, "A plan is walked once.")
    defer { assert(state.items.count == plan.rows.count, "Each item has a row.") }
    if request.options.depth == nil {
      var next = 0
      while next < state.items.count {
        try expand(next)
        next += 1
      }
    } else {
      try plan.forEachRowByDistance(expand)
    }
    if request.mode == .add || request.keepsCycles || !state.hasShared { return }
    if let cycle = plan.findCycle(self) {
      throw CopyError(
        .cycle,
        "The value contains a cycle, which create cannot copy: \(cycle.text)"
          + (cycle.start.parent < 0 ? "" : ", met at \(path(cycle.start))")
          + ". Add the objects themselves with add, or copy them with copy(_:), which keeps cycles.")
    }
  }

  /// Whether the targets of an item's links are beyond the depth limit.
  func isLast(_ index: Int) -> Bool {
    guard let depth = request.options.depth, index >= 0 else { return false }
    assert(state.depths.indices.contains(index), "An item has a distance.")
    return state.depths[index] >= depth
  }

  /// Records the distance of a row that is being entered.
  func noteDepth(_ step: PlanStep, isOwned: Bool) {
    guard request.options.depth != nil else { return }
    assert(state.depths.count == plan.rows.count, "The distance of a row is noted before the row is added.")
    state.depths.append(step.parent < 0 ? 0 : state.depths[step.parent] + (isOwned ? 0 : 1))
  }

  /// The treatment of a property in a copy.
  enum Treatment {
    case copied, defaulted, leftOut
  }

  func treatment(of property: RowProperty, in index: Int, as rowClass: RowClass) -> Treatment {
    assert(!property.isPrimaryKey, "A primary key is always copied.")
    if !request.options.allows(rowClass, property.name) { return .defaulted }
    if property.type.kind == .link, isLast(index), !property.embedsTarget { return .leftOut }
    return .copied
  }

  private func expand(_ index: Int) throws {
    assert(plan.rows[index].cells.isEmpty, "An item is expanded once.")
    let first = plan.cells.count
    state.hasDeferred = false
    if let rowClass = state.items[index].rowClass {
      switch state.items[index].source {
      case .dictionary(let dictionary): try expand(index, from: dictionary, as: rowClass)
      case .array(let array): try expand(index, from: array, as: rowClass)
      case .members(let tree, let span): try expand(index, from: tree, span: span, as: rowClass)
      case .object(let object): try expand(index, from: object, as: rowClass)
      case .namesake(let object): try expand(index, namesake: object, as: rowClass)
      case .row(let other, let source, let key): try expand(index, in: other, of: source, key: key, as: rowClass)
      default: break
      }
    } else {
      try expandNested(index, state.items[index].source)
    }
    plan.rows[index].cells = first..<plan.cells.count
    if state.hasDeferred { plan.rows[index].traits.insert(.deferred) }
  }

  /// Adds one cell to the plan.
  @inline(__always)
  func record(_ content: PlannedContent, _ property: RowProperty) {
    // An any-value whose object is beyond the depth limit.
    if case .cleared = content, property.type.shape == .single { return }
    if case .elements = content { assert(property.type.isCollection, "Only a collection has elements.") }
    switch content {
    case .value(let value): if case .link = value { state.hasDeferred = true }
    default: state.hasDeferred = true
    }
    plan.cells.append(PlannedCell(property.column, number: property.number, content))
  }

  // MARK: Applying

  /// Checks that the plan may be applied.
  ///
  /// - Parameter hasChanged: whether code of the application has changed the store since the plan was begun.
  /// - Throws: `StalePlan` when application code has changed something that the plan relies on.
  package func checkBeforeApplying(hasChanged: Bool) throws {
    assert(plan.rows.count == state.items.count, "Each item has a row.")
    if hasChanged { try checkStillTrue() } else if state.hasMarks { try checkMarks() }
  }

  /// Whether several rows of the plan stand for one row of the store. What they make in its cells may be gone then.
  package var hasRepeatedRows: Bool { !state.repeated.isEmpty }

  /// Calls `body` with each unmanaged object that was added, its class and the key of its row. It removes their marks.
  package func forEachAdded(_ body: (AnyObject, RowClass, ObjectKey) -> Void) {
    assert(request.mode == .add || !state.hasMarks || state.items.count == plan.rows.count, "Each item has a row.")
    for index in state.items.indices {
      guard case .object(let object) = state.items[index].source else { continue }
      if let rowClass = state.items[index].rowClass { body(object, rowClass, plan.key(of: index)) }
    }
    state.hasMarks = false
  }

  /// Removes the marks from objects, and clears the planner.
  package func finish() {
    if state.hasMarks {
      for item in state.items {
        if case .object(let object) = item.source { objects.mark(object, nil) }
      }
      state.hasMarks = false
    }
    plan.removeAll()
    state.restart()
    assert(plan.rows.isEmpty && state.items.isEmpty && !state.hasMarks, "A finished planner is empty.")
    // A filter may hold a closure of the application.
    // A document's references hold the session.
    if !request.options.isWhole || request.document != nil { request = PlanRequest(.add, .error) }
  }
}
