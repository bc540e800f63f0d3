import FiefCopying
import FiefGraph

/// Walks whatever is to be brought into a store, and writes down in a plan what has to be made of it.
///
///     sources   dictionaries, arrays, unmanaged objects, rows of this and other sessions, nested values
///        │  enter: a row is planned, its primary key resolved             `enter` (Planner+Entering)
///        ▼
///     items ── expand: its properties are read, one after another ──▶ cells of the plan
///        ▲                                                              │
///        └────────────── what they lead to is entered ◀─────────────────┘
///
/// Items are expanded in the order in which they were entered; there is no recursion. Nothing is written: whatever is
/// wrong is thrown while the store is as it was.
///
/// One is kept by a session for its next operation, so that small operations take no memory.
final class Planner {
  // Exclusivity is not checked at run time on these: one operation uses them.

  @exclusivity(unchecked) let plan = Plan()
  @exclusivity(unchecked) var items: ContiguousArray<Item> = []
  /// The session that it works for, which holds it or is held by whoever calls.
  @exclusivity(unchecked) unowned(unsafe) var session: Session
  @exclusivity(unchecked) unowned(unsafe) var transaction: Transaction
  @exclusivity(unchecked) var mode = Mode.add
  @exclusivity(unchecked) var policy = Realm.UpdatePolicy.error
  /// Rows of other sessions that were entered.
  @exclusivity(unchecked) var rows: [SourceRow: Int] = [:]
  /// Unmanaged collections inside any-values that were entered.
  @exclusivity(unchecked) var collections: Set<ObjectIdentifier> = []
  /// Primary keys that rows of the plan bring; the first so many rows are in it.
  @exclusivity(unchecked) var keys: [PlannedKey: Int] = [:]
  @exclusivity(unchecked) var keyedCount = 0
  /// Whether something was reached twice, so that there may be a cycle.
  @exclusivity(unchecked) var hasShared = false
  /// Whether what the caller gives may be embedded, as the caller has an owner for it.
  @exclusivity(unchecked) var isOwnedRoot = false
  /// Whether what the caller gives may be asymmetric, as nothing is stored.
  @exclusivity(unchecked) var isIngesting = false
  /// Whether cycles are copied as they are.
  @exclusivity(unchecked) var keepsCycles = false
  /// What a copy takes along; everything, for all that is not `Realm.copy`.
  @exclusivity(unchecked) var options = CopyOptions()
  /// Steps along links from the root, of each item; empty unless the options limit them.
  @exclusivity(unchecked) var depths: ContiguousArray<Int> = []
  /// How many copies of embedded objects and collections were planned beyond the first of each.
  @exclusivity(unchecked) var repetitions = 0
  /// Unmanaged objects of other classes that were entered, read by the names of their properties.
  @exclusivity(unchecked) var namesakes: [Namesake: Int] = [:]
  /// The values of what needs no plan.
  @exclusivity(unchecked) var flat = FlatValues()
  /// What copies rows that need no plan.
  let copier = RowCopier()
  /// Whether rows of the session itself are copied too, and not linked to.
  @exclusivity(unchecked) var copiesOwnRows = false
  /// Whether marks were left on unmanaged objects.
  @exclusivity(unchecked) var hasMarks = false
  /// Whether the item that is being expanded has links or collections.
  @exclusivity(unchecked) var joins = false
  /// The arrays and dictionaries that were entered.
  @exclusivity(unchecked) var containers = ContainerPaths()
  /// An instance that was made for the root already, for its defaults.
  @exclusivity(unchecked) var rootInstance: ObjectBase?
  /// The changes that the session had seen when the plan was begun.
  @exclusivity(unchecked) var changesBefore: UInt64 = 0

  /// What is to become of unmanaged objects.
  enum Mode {
    /// They become managed.
    case add
    /// They are copied.
    case copy
  }

  /// What a row is made of.
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
    /// The same, kept in a cell that a session sees.
    case stored(Session, Cell, ColumnType)
  }

  struct Item {
    let source: Source
    /// The class; nil for collections inside any-values.
    let binding: ClassBinding?
    /// An instance that defaults are taken from, or the collection that the row is a copy of.
    var instance: AnyObject?
    /// How many owners stand above it.
    var level: Int32 = 0
    /// The array or dictionary that it is made of or stands in: a node of `containers`; -1 for none.
    var container: Int32 = -1
  }

  /// A row of a session, and what it is read as: it may be read as several classes.
  struct SourceRow: Hashable {
    let session: ObjectIdentifier
    let link: ObjectLink
    let table: TableKey
  }

  /// An unmanaged object, and what it is read as.
  struct Namesake: Hashable {
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

  /// Expands everything that was entered.
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

  /// The same in the order of distance from the root: what is owned is as far as its owner and goes first, all that is
  /// linked waits.
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

  /// Whether links of an item lead too far.
  func isLast(_ index: Int) -> Bool {
    guard let depth = options.depth, index >= 0 else { return false }
    return depths[index] >= depth
  }

  /// Takes note of how far a row is that is being entered.
  func noteDepth(_ step: PlanStep, isOwned: Bool) {
    guard options.depth != nil else { return }
    depths.append(step.parent < 0 ? 0 : depths[step.parent] + (isOwned ? 0 : 1))
  }

  /// What becomes of a property of a copy.
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

  /// Writes one cell down.
  @inline(__always)
  func record(_ content: PlannedContent, _ property: BoundProperty) {
    // An any-value whose object is too far away.
    if case .cleared = content, property.facts.shape == .single { return }
    switch content {
    case .value(let value): if case .link = value { joins = true }
    default: joins = true
    }
    plan.cells.append(PlannedCell(property.column, number: property.number, content))
  }

  // MARK: Applying

  /// Does what was planned.
  ///
  /// - Throws: `StalePlan` when code of the application has changed what the plan relies on; nothing was done then.
  func apply(root: () throws -> Void = {}) throws {
    if session.changes != changesBefore { try checkStillTrue() }
    try plan.apply(to: transaction, policy.plan, root: root)
  }

  /// Makes the unmanaged objects that were brought in managed.
  func bindObjects() {
    for index in items.indices {
      guard case .object(let object) = items[index].source else { continue }
      object.flags.remove(.visited)
      if let binding = items[index].binding { object.becomeManaged(session, binding, plan.key(of: index)) }
    }
    hasMarks = false
  }

  /// Takes the marks off objects, and forgets everything.
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
    if !namesakes.isEmpty { namesakes = [:] }
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
  /// Calls `body` with a planner, which is good for the call; once more when code of the application has made what was
  /// planned untrue.
  @inline(__always)
  func planning<Result>(
    _ transaction: Transaction, _ mode: Planner.Mode, _ policy: Realm.UpdatePolicy, _ body: (Planner) throws -> Result
  ) throws -> Result {
    // Taken out while it is used: code of the application that runs meanwhile (defaults, conversions) may come here
    // again.
    let planner = sparePlanner ?? Planner(self, transaction)
    sparePlanner = nil
    planner.session = self
    planner.transaction = transaction
    defer { sparePlanner = planner }
    var attempts = 0
    while true {
      planner.mode = mode
      planner.policy = policy
      planner.changesBefore = changes
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
