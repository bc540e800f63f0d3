import FiefGraph
import FiefObjects
import FiefSessions

/// The two realms of a migration: the stored graph, frozen, and a working copy of it that is being written to.
///
///     stored graph ──▶ oldSession (frozen; no classes of the program)
///          │
///          └─prepare─▶ session (in a write; the program's classes over the tables as they are between the steps)
///
/// Both stores are in memory and in no registry. They share the nodes of the stored graph that do not change.
final class MigrationStage {
  typealias Move = (table: TableKey, stored: ColumnKey, from: ColumnKey, to: ColumnKey)

  let stored: Graph
  let selection: ModelSelection
  /// The program's classes, or those of a schema that was made at run time.
  let models: [ModelClass]
  /// The first mistake of the block.
  let faults = MigrationFaults()
  let oldSession: Session
  /// The session of the new objects.
  private(set) var session: Session
  /// The stored names of the program's classes.
  let newSchemaNames: Set<String>
  /// The new names of renamed classes, by the old ones.
  var classNames: [String: String] = [:]
  /// The names that classes have just before or after the step that runs, but neither in the file nor in the program:
  /// the names of those classes in the program.
  var passingClassNames: [String: Set<String>] = [:]
  /// The columns whose cells were moved: the stored column, the key that it has now, and the column that has its cells.
  var renamed: [Move] = []
  var removed: Set<TableKey> = []
  /// Renamed properties whose new name only a later renaming knows: the names under which they were stored, by class
  /// and name.
  var passingNames: [String: [String: String]] = [:]
  /// The properties that begin with their declared default.
  private(set) var defaults: [MigrationReport.Default] = []
  /// Whether objects or properties were accessed, so that the preparation can no longer begin again.
  private(set) var hasBegun = false
  private var isOver = false
  private let options: any SessionOptions
  private let observer: MigrationObserver?
  private let trace: MigrationTrace?

  /// - Parameter options: those of the sessions of the realm that is being opened.
  init(
    _ stored: StoredState, _ selection: ModelSelection, options: any SessionOptions, observer: MigrationObserver?,
    trace: MigrationTrace?
  ) throws {
    self.stored = stored.graph
    self.selection = selection
    self.options = options
    self.observer = observer
    self.trace = trace
    models = selection.isDynamic ? try Self.dynamicModels(selection) : selection.models
    newSchemaNames = Set(models.map(\.name))
    let old = try Self.store(of: [], over: stored.graph, faults)
    oldSession = Session(old, .frozen, options: options, frozenAt: old.published.current)
    session = oldSession
    try begin()
  }

  /// Prepares a working copy of the stored graph, and begins a write on it. An earlier one is dropped.
  func begin() throws {
    if session !== oldSession { drop() }
    let transaction = Transaction(stored)
    for (old, new) in classNames {
      if let table = stored.table(named: old) { try transaction.renameTable(table.schema.key, to: new) }
    }
    try SchemaLayout.prepare(selection.declarations, transaction, defersKeys: true)
    if !selection.isDynamic {
      defaults = try DefaultsOfNewProperties(models, over: stored, transaction).defaults
    }
    let store =
      try selection.isDynamic
      ? Self.dynamicStore(of: models, over: transaction.graph, faults)
      : Self.store(of: models, over: transaction.graph, faults)
    session = store.session(.currentThread, options)
    try session.beginWrite()
  }

  private static func store(of models: [ModelClass], over graph: Graph, _ faults: MigrationFaults) throws -> Store {
    try Store(.memory("migration"), StoreOptions()) { _ in
      let bindings = try StoreBindings(models, StoreBindings.tables(of: models, in: graph), migrating: graph)
      return PreparedStore(
        StoreClasses(
          models, bindings: bindings, dynamicClasses: DynamicClasses(access: DynamicAccess.self),
          importer: Inserter.self, migration: faults),
        changed: graph)
    }
  }

  /// The store of the new objects for a schema that was made at run time.
  private static func dynamicStore(
    of models: [ModelClass], over graph: Graph, _ faults: MigrationFaults
  ) throws -> Store {
    try Store(.memory("migration"), StoreOptions()) { _ in
      let named = Dictionary(models.map { ($0.name, $0) }) { first, _ in first }
      let classes = DynamicClasses(of: graph, access: DynamicAccess.self, migrating: true) { table in
        graph[table].flatMap { named[$0.schema.name] }
      }
      let bindings = StoreBindings(
        dynamic: classes.known.filter { named[$0.value.model.name] != nil }, StoreBindings.tables(of: models, in: graph)
      )
      return PreparedStore(
        StoreClasses(
          bindings.ordered.map(\.model), bindings: bindings, dynamicClasses: classes, importer: Inserter.self,
          isDynamic: true, migration: faults),
        changed: graph)
    }
  }

  /// The classes of a schema that was made at run time, in their order.
  private static func dynamicModels(_ selection: ModelSelection) throws -> [ModelClass] {
    let classes = DynamicClasses(of: try selection.freshGraph(), access: DynamicAccess.self)
    return classes.known.sorted { $0.key < $1.key }.map(\.value.model)
  }

  /// The classes of the file.
  var oldSchema: FiefObjects.Schema {
    let bindings = oldSession.store.classes.dynamicClasses.all(of: oldSession.store)
    return FiefObjects.Schema(bindings.sorted { $0.key < $1.key }.map(\.value.model))
  }

  /// Traps when the migration's block has ended, and notes that it has accessed something.
  func checkUse(begins: Bool = true) {
    if isOver { fatalError("A migration was used after its block had ended: use it inside the block alone.") }
    session.checkConfinement()
    if begins { hasBegun = true }
  }

  /// The name of a class in the new graph, by its old, new or passing name. A name that means several classes is noted
  /// as a mistake.
  func programName(of name: String) -> String {
    let known = classNames[name] ?? name
    guard let passing = passingClassNames[name] else { return known }
    if passing.count == 1, let only = passing.first, !newSchemaNames.contains(name), stored.table(named: name) == nil {
      return only
    }
    let names = passing.sorted().map { "'\($0)'" }.joined(separator: ", ")
    faults.note(
      Realm.Error(
        .fail,
        "Class '\(name)' means several classes in this step of the migration: it was renamed to \(names), and another "
          + "class had or has the name. Call each class by its name in the file or in the program."))
    return known
  }

  /// The tables of a class in the stored and in the new graph, by its old, new or passing name. A table that stays in
  /// the file, but has no class, counts as old only.
  func tables(named name: String) -> (old: TableKey?, new: TableKey?) {
    let newName = programName(of: name)
    let oldName = classNames.first { $0.value == newName }?.key ?? newName
    func key(_ table: TableSchema?) -> TableKey? {
      table.flatMap { $0.isInternal || $0.key.isNested ? nil : $0.key }
    }
    let old = key(stored.table(named: oldName)?.schema)
    let new = newSchemaNames.contains(newName) ? session.read { key($0.table(named: newName)?.schema) } : nil
    return (old, new)
  }

  /// The rows to visit: those that the old table has, or else the new one.
  func keys(_ old: TableKey?, _ new: TableKey?) -> ContiguousArray<ObjectKey> {
    if let old { return Self.keys(of: stored[old]) }
    return new.map { new in session.read { Self.keys(of: $0[new]) } } ?? []
  }

  private static func keys(of table: Table?) -> ContiguousArray<ObjectKey> {
    var keys: ContiguousArray<ObjectKey> = []
    keys.reserveCapacity(table?.count ?? 0)
    table?.forEachRow(from: ObjectKey(0)) { key, _, _ in
      keys.append(key)
      return true
    }
    return keys
  }

  /// The columns whose cells are in another one now. A later move to one column has overwritten those of an earlier
  /// one.
  var moves: [Move] {
    renamed.enumerated().filter { number, move in
      !renamed[(number + 1)...].contains { $0.table == move.table && $0.to == move.to }
    }.map(\.element)
  }

  /// Counts a visited object of an old class.
  func noteRead(_ old: TableKey?) {
    if let old, let trace { trace.reads[old, default: 0] += 1 }
  }

  func report(_ className: String, _ completed: Int, of total: Int) {
    observer?(MigrationProgress(phase: .running, className: className, completedCount: completed, totalCount: total))
  }

  /// The objects that the block has made by now.
  var reached: Graph { session.read { $0 } }

  /// Ends the block's access, and returns the graph that it has made.
  ///
  /// - Throws: the first mistake of the block.
  func finish() throws -> Graph {
    isOver = true
    if let fault = faults.first { throw fault }
    if let (className, names) = passingNames.first(where: { !$0.value.isEmpty }), let (new, old) = names.first {
      throw Self.renaming(className, from: old, to: new, reason: "the class has no property of the new name")
    }
    try session.commitWrite()
    return session.graph
  }

  /// Makes all objects of the migration invalid.
  func close() {
    isOver = true
    if session !== oldSession { drop() }
    oldSession.invalidate()
  }

  private func drop() {
    if session.transaction != nil { session.cancelWrite() }
    session.invalidate()
  }
}
