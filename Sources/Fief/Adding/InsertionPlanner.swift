import FiefCopying
import FiefGraph
import FiefSessions

/// Walks the sources of new objects, and builds a plan of the rows to make.
///
///     sources   dictionaries, arrays, unmanaged objects, rows of this and other sessions, nested values
///        │  enter: a row is planned, its primary key resolved             `enter` (Planner+Entering)
///        ▼
///     items ── expand: its properties are read, one after another ──▶ cells of the plan
///        ▲                                                              │
///        └────────────── what they lead to is entered ◀─────────────────┘
///
/// Items are expanded in the order in which they were entered, without recursion. The walk writes nothing, so an error
/// leaves the store unchanged.
///
/// A session keeps one planner for its next operation, so that small operations allocate no memory.
final class InsertionPlanner {
  // Exclusivity is not checked at run time for these properties: one operation at a time uses them.

  @safe @exclusivity(unchecked) let plan = InsertionPlan()
  @safe @exclusivity(unchecked) var items: ContiguousArray<Item> = []
  /// The session of the operation. Either it retains the planner, or the caller retains both.
  @safe @exclusivity(unchecked) unowned(unsafe) var session: Session
  @safe @exclusivity(unchecked) unowned(unsafe) var transaction: Transaction
  @safe @exclusivity(unchecked) var mode = Mode.add
  @safe @exclusivity(unchecked) var policy = Realm.UpdatePolicy.error
  /// The indices of rows of sessions that were entered.
  @safe @exclusivity(unchecked) var rows: [SourceRow: Int] = [:]
  /// Unmanaged collections inside any-values that were entered.
  @safe @exclusivity(unchecked) var collections: Set<ObjectIdentifier> = []
  /// The primary keys of the first `keyedCount` rows of the plan.
  @safe @exclusivity(unchecked) var keys: [PlannedKey: Int] = [:]
  @safe @exclusivity(unchecked) var keyedCount = 0
  /// Whether an object was reached twice, so that there may be a cycle.
  @safe @exclusivity(unchecked) var hasShared = false
  /// Whether the root may be embedded, since the caller has an owner for it.
  @safe @exclusivity(unchecked) var isOwnedRoot = false
  /// Whether the root may be asymmetric, since nothing is stored.
  @safe @exclusivity(unchecked) var isIngesting = false
  /// Whether cycles are copied; otherwise they are errors.
  @safe @exclusivity(unchecked) var keepsCycles = false
  /// The options of `Realm.copy`; all other operations copy everything.
  @safe @exclusivity(unchecked) var options = CopyOptions()
  /// The number of links from the root to each item; empty unless the options limit it.
  @safe @exclusivity(unchecked) var depths: ContiguousArray<Int> = []
  /// The number of copies of embedded objects and collections that were planned beyond the first of each.
  @safe @exclusivity(unchecked) var repetitions = 0
  /// Unmanaged objects of other classes that were entered and are read by the names of their properties.
  @safe @exclusivity(unchecked) var foreignObjects: [ForeignObject: Int] = [:]
  /// The values of a dictionary that needs no plan.
  @safe @exclusivity(unchecked) var scalarValues = ScalarValues()
  /// Copies rows that need no plan.
  let copier = RowCopier()
  /// Whether rows of the session itself are also copied, instead of being linked to.
  @safe @exclusivity(unchecked) var copiesOwnRows = false
  /// Whether unmanaged objects were marked as visited.
  @safe @exclusivity(unchecked) var hasMarks = false
  /// Whether the item that is being expanded has links or collections.
  @safe @exclusivity(unchecked) var joins = false
  /// The arrays and dictionaries that were entered.
  @safe @exclusivity(unchecked) var containers = ContainerPaths()
  /// An instance that was made for the root before the plan, for its defaults.
  @safe @exclusivity(unchecked) var rootInstance: ObjectBase?
  /// The moment at which the plan was begun.
  @safe @exclusivity(unchecked) var begun = Moment.never

  /// The treatment of unmanaged objects.
  enum Mode {
    /// They become managed.
    case add
    /// They are copied.
    case copy
  }

  /// The source of a row's values.
  enum Source {
    case dictionary([String: Any])
    case array([Any])
    /// An unmanaged object.
    case object(ObjectBase)
    /// An unmanaged object of another class, read by the names of its properties.
    case namesake(ObjectBase)
    /// A row as a session sees it.
    case row(Session, ClassBinding, ObjectKey)
    /// A list or dictionary inside an any-value.
    case values([Any])
    case entries([String: Any])
    case anyValues([AnyRealmValue])
    case anyEntries([(String, AnyRealmValue)])
    /// A stored list or dictionary inside an any-value, as a session sees it.
    case stored(Session, Cell, ColumnType)
  }

  struct Item {
    let source: Source
    /// The class; nil for collections inside any-values.
    let binding: ClassBinding?
    /// The instance that provides defaults, or the collection of which the row is a copy.
    var instance: AnyObject?
    /// The number of owners above the item.
    var level: Int32 = 0
    /// The array or dictionary that is the item's source or contains the source: a node of `containers`; -1 for none.
    var container: Int32 = -1
  }

  /// A row of a session and the table that it is copied to. One row may be read as several classes.
  struct SourceRow: Hashable {
    let session: ObjectIdentifier
    let link: ObjectLink
    let table: TableKey
  }

  /// An unmanaged object and the table that it is copied to.
  struct ForeignObject: Hashable {
    let object: ObjectIdentifier
    let table: TableKey
  }

  struct PlannedKey: Hashable {
    let table: TableKey
    let value: HashedValue
  }

  init(_ session: Session, _ transaction: Transaction) {
    self.session = session
    self.transaction = transaction
  }

  // MARK: Walking

  /// Expands all entered items.
  func walk() throws {
    if options.depth == nil {
      var next = 0
      while next < items.count {
        try expand(next)
        next += 1
      }
    } else {
      try walkByDistance()
    }
    if mode == .add || keepsCycles || !hasShared { return }
    if let cycle = plan.findCycle(self) {
      throw Realm.Error(
        .cycle,
        "The value contains a cycle, which create cannot copy: \(cycle.text)"
          + (cycle.start.parent < 0 ? "" : ", met at \(path(cycle.start))")
          + ". Add the objects themselves with add, or copy them with copy(_:), which keeps cycles.")
    }
  }

  /// Expands all entered items in the order of their distance from the root. Owned items are as far as their owner and
  /// go first; linked items wait.
  private func walkByDistance() throws {
    var nextOwned = 0
    var next = 0
    while true {
      while nextOwned < items.count, !plan.rows[nextOwned].isOwned { nextOwned += 1 }
      if nextOwned < items.count {
        try expand(nextOwned)
        nextOwned += 1
        continue
      }
      while next < items.count, plan.rows[next].isOwned { next += 1 }
      guard next < items.count else { return }
      try expand(next)
      next += 1
    }
  }

  /// Whether the targets of an item's links are beyond the depth limit.
  func isLast(_ index: Int) -> Bool {
    guard let depth = options.depth, index >= 0 else { return false }
    return depths[index] >= depth
  }

  /// Records the distance of a row that is being entered.
  func noteDepth(_ step: PlanStep, isOwned: Bool) {
    guard options.depth != nil else { return }
    depths.append(step.parent < 0 ? 0 : depths[step.parent] + (isOwned ? 0 : 1))
  }

  /// The treatment of a property in a copy.
  enum Treatment {
    case copied, defaulted, leftOut
  }

  func treatment(_ property: BoundProperty, _ index: Int, _ binding: ClassBinding) -> Treatment {
    if !options.properties.isAll && !options.properties.allows(binding.model.name, property.name) { return .defaulted }
    if property.facts.kind == .link, isLast(index), !(property.facts.target is EmbeddedObject.Type) { return .leftOut }
    return .copied
  }

  private func expand(_ index: Int) throws {
    let first = plan.cells.count
    joins = false
    if let binding = items[index].binding {
      switch items[index].source {
      case .dictionary(let dictionary): try expand(index, dictionary, binding)
      case .array(let array): try expand(index, array, binding)
      case .object(let object): try expand(index, object, binding)
      case .namesake(let object): try expand(index, namesake: object, binding)
      case .row(let session, let source, let key): try expand(index, session, source, key, binding)
      default: break
      }
    } else {
      try expandNested(index, items[index].source)
    }
    plan.rows[index].cells = first..<plan.cells.count
    if joins { plan.rows[index].traits.insert(.joins) }
  }

  /// Adds one cell to the plan.
  @inline(__always)
  func record(_ content: PlannedContent, _ property: BoundProperty) {
    // An any-value whose object is beyond the depth limit.
    if case .cleared = content, property.facts.shape == .single { return }
    switch content {
    case .value(let value): if case .link = value { joins = true }
    default: joins = true
    }
    plan.cells.append(PlannedCell(property.column, number: property.number, content))
  }

  // MARK: Applying

  /// Applies the plan.
  ///
  /// - Parameters:
  ///   - policy: the treatment of existing rows and collections, if it differs from that of `self.policy`.
  ///   - root: called when the new rows exist that are not owned.
  /// - Throws: `StalePlan` when application code has changed something that the plan relies on; nothing was written
  ///   then. Also throws the kernel's errors.
  func apply(_ policy: PlanPolicy? = nil, root: () throws -> Void) throws {
    try checkBeforeApplying()
    // Application code may run next: the release of instances and values that were only needed for the plan.
    defer { session.noteChanges() }
    try plan.apply(to: transaction, policy ?? self.policy.plan, root: root)
  }

  /// Applies a plan whose root the caller does not store; see `apply(_:root:)`.
  func apply(_ policy: PlanPolicy? = nil) throws {
    try checkBeforeApplying()
    defer { session.noteChanges() }
    try plan.apply(to: transaction, policy ?? self.policy.plan)
  }

  private func checkBeforeApplying() throws {
    if session.validity.moment != begun {
      try checkStillTrue()
    } else if hasMarks {
      try checkMarks()
    }
  }

  /// Makes the unmanaged objects that were added managed.
  func bindObjects() {
    for index in items.indices {
      guard case .object(let object) = items[index].source else { continue }
      object.flags.remove(.visited)
      if let binding = items[index].binding { object.becomeManaged(session, binding, plan.key(of: index)) }
    }
    hasMarks = false
  }

  /// Removes the marks from objects, and clears the planner.
  func finish() {
    if hasMarks {
      for item in items {
        guard case .object(let object) = item.source, object.flags.contains(.visited) else { continue }
        object.flags.remove(.visited)
        object.key = ObjectKey(-1)
      }
      hasMarks = false
    }
    plan.removeAll()
    items.removeAll(keepingCapacity: items.count < 4096)
    if !rows.isEmpty { rows = [:] }
    if !collections.isEmpty { collections = [] }
    if !foreignObjects.isEmpty { foreignObjects = [:] }
    if !containers.isEmpty { containers = ContainerPaths() }
    if !depths.isEmpty { depths = [] }
    if !options.isWhole || options.keys != .keep { options = CopyOptions() }
    repetitions = 0
    if !keys.isEmpty { keys = [:] }
    keyedCount = 0
    hasShared = false
    isOwnedRoot = false
    isIngesting = false
    keepsCycles = false
    copiesOwnRows = false
    rootInstance = nil
  }
}

extension Realm.UpdatePolicy {
  var plan: PlanPolicy {
    switch self {
    case .error: .error
    case .modified: .modified
    case .all: .all
    }
  }
}

extension Session {
  /// A planner for the next insertion; nil before the first one, and during one.
  var sparePlanner: InsertionPlanner? {
    @inline(__always) get { spare.map { unsafe unsafeDowncast($0, to: InsertionPlanner.self) } }
    @inline(__always) set { spare = newValue }
  }

  /// Calls `body` with a planner that is valid during the call. When application code makes the plan stale, the call is
  /// repeated, up to `StalePlan.attempts` times in all.
  @inline(__always)
  func planning<Result>(
    _ transaction: Transaction, _ mode: InsertionPlanner.Mode, _ policy: Realm.UpdatePolicy,
    _ body: (InsertionPlanner) throws -> Result
  ) throws -> Result {
    // Taken out during use: application code that runs meanwhile (defaults, conversions) may call this function again.
    let planner = sparePlanner ?? InsertionPlanner(self, transaction)
    sparePlanner = nil
    planner.session = self
    planner.transaction = transaction
    defer { sparePlanner = planner }
    var attempts = 0
    while true {
      planner.mode = mode
      planner.policy = policy
      planner.begun = validity.moment
      defer { planner.finish() }
      do {
        return try body(planner)
      } catch is StalePlan {
        attempts += 1
        if attempts == StalePlan.attempts { throw StalePlan.error }
      }
    }
  }
}
