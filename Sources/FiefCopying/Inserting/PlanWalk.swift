import FiefGraph

/// The progress of a planner: the entered items, and the sources that were reached.
struct PlanWalk {
  /// The entered items. Item and row of the plan have one index.
  var items: ContiguousArray<InsertionPlanner.Item> = []
  /// The rows of the plan for rows of views, and for unmanaged objects of other classes, which are read by the names of
  /// their properties.
  var sources: [InsertionPlanner.CopiedSource: Int] = [:]
  /// Unmanaged collections inside any-values that were entered.
  var collections: Set<ObjectIdentifier> = []
  /// The arrays and dictionaries that were entered.
  var containers = ContainerPaths()
  /// The primary keys of the first `keyedCount` rows of the plan.
  var keys: [InsertionPlanner.PlannedKey: Int] = [:]
  var keyedCount = 0
  /// The rows of the store that are changed in place, though they have no primary key, and the first rows of the plan
  /// that do so.
  var updates: [ObjectLink: Int] = [:]
  /// The rows for which several rows of the plan stand, by the first of them.
  var repeated: [Int: RepeatedRow] = [:]
  /// The last primary key that was handed out in each table.
  var handedOut: [TableKey: Int64] = [:]
  /// The number of links from the root to each item; empty unless the options limit it.
  var depths: ContiguousArray<Int> = []
  /// The items that are copies of embedded objects and collections beyond the first of each, and how many of them are
  /// owned by another such copy.
  var copies: Set<Int> = []
  var innerCopies = 0
  /// Whether an object was reached twice, so that there may be a cycle.
  var hasShared = false
  /// Whether unmanaged objects were marked as visited.
  var hasMarks = false
  /// Whether the item that is being expanded has links or collections.
  var hasDeferred = false
  /// An instance that was made for the root before the plan, for its defaults.
  var rootInstance: AnyObject?
  /// The cell that the root values are given to; nil for an object that stands for itself.
  var given: Cell?

  /// Forgets everything, and keeps the memory of the items if it is small. Only what was used is replaced, as most
  /// plans have a few rows.
  mutating func restart() {
    items.removeAll(keepingCapacity: items.count < 4096)
    if !sources.isEmpty { sources = [:] }
    if !collections.isEmpty { collections = [] }
    if !containers.isEmpty { containers = ContainerPaths() }
    if !keys.isEmpty { keys = [:] }
    keyedCount = 0
    if !updates.isEmpty { updates = [:] }
    if !repeated.isEmpty { repeated = [:] }
    if !depths.isEmpty { depths = [] }
    if !copies.isEmpty { copies = [] }
    innerCopies = 0
    hasShared = false
    hasMarks = false
    hasDeferred = false
    rootInstance = nil
    given = nil
  }
}
