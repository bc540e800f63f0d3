import FiefCopying
import FiefGraph
import FiefSessions

/// Adds unmanaged objects, and all unmanaged objects that they reach, to a store. The instances themselves become
/// managed.
///
/// Most errors are found while a plan is made. Errors that the kernel finds later (a unique index, a delete rule) roll
/// the call back. A failed call leaves nothing behind. There is no recursion: depth is bounded by memory alone.
struct Adder {
  let session: Session
  let transaction: Transaction
  let policy: Realm.UpdatePolicy

  init(_ session: Session, _ transaction: Transaction, _ policy: Realm.UpdatePolicy) {
    self.session = session
    self.transaction = transaction
    self.policy = policy
  }

  /// Adds an ordinary object, and all unmanaged objects that it reaches.
  func add(_ object: ObjectBase) throws {
    if try !session.addDirectly(object, transaction) { try plan(object) }
  }

  /// Adds an ordinary object, and all unmanaged objects that it reaches, by a plan.
  func plan(_ object: ObjectBase) throws {
    let object = (object as? DynamicObject)?.shown ?? object
    try session.planning(transaction, PlanRequest(.add, policy.plan)) { planner in
      // An object of the realm stays as it is, and one of another realm is refused.
      if object.isManaged {
        _ = try planner.accept(object, .root)
        return
      }
      let binding = try session.bindingInSchema(of: type(of: object))
      guard case .row = try planner.accept(object, binding.rows, .root, current: nil) else { return }
      try planner.walk()
      try planner.apply()
      planner.bindObjects()
    }
  }

  /// Adds all unmanaged objects that `contents` reach, and stores one content after another in a cell.
  ///
  /// - Parameters:
  ///   - contents: the contents to store.
  ///   - cell: the cell to store them in.
  ///   - spot: the position in the cell at which embedded objects and nested collections are made, by the content's
  ///     index in `contents`.
  ///   - store: stores a value; if it is a link, its row exists.
  func insert(
    _ contents: [_PropertyContent], into cell: Cell, spot: (Int) -> OwnedPosition?,
    _ store: (Transaction, StoredValue, Int) throws -> Void
  ) throws {
    // A migration copies objects that are not in the store, as an assignment by name does there.
    let isMigrating = session.store.classes.migration != nil
    let target = isMigrating ? target(of: cell) : nil
    let request = PlanRequest(isMigrating ? .copy : .add, policy.plan, root: .owned)
    try session.planning(transaction, request) { planner in
      var planned: [PlannedContent] = []
      planned.reserveCapacity(contents.count)
      for (index, content) in contents.enumerated() {
        planned.append(
          try planner.accept(given: SourceValue(content), contents.count > 1 ? .index(index) : .value, as: target))
      }
      try planner.walk()
      try planner.apply {
        for (index, content) in planned.enumerated() {
          try planner.plan.put(content, cell, spot(index), transaction) { try store(transaction, $0, index) }
        }
      }
      planner.bindObjects()
    }
  }

  /// The class that links in a cell point at.
  private func target(of cell: Cell) -> RowClass? {
    let type = session.read { $0[cell.table]?.schema.column(cell.column)?.type }
    return type?.target.flatMap { session.store.binding(of: $0)?.rows }
  }

  // MARK: Reading unmanaged objects

  static func value(of property: ModelProperty, _ object: ObjectBase) -> StoredValue {
    if property.isForeign { ShortCut.applicationRuns() }
    return property.content(in: object).stored ?? .null
  }
}

/// Adds objects by plans, for the types of properties and the collections.
struct PlanImporter: Importer {
  func insert(
    _ contents: [_PropertyContent], into cell: Cell, _ session: Session, _ transaction: Transaction,
    spot: (Int) -> OwnedPosition?, _ store: (Transaction, StoredValue, Int) throws -> Void
  ) throws {
    try Adder(session, transaction, .error).insert(contents, into: cell, spot: spot, store)
  }

  func setLink(_ target: ObjectBase?, _ cell: Cell, _ session: Session, path: () -> String) {
    session.setLink(target, cell, path: path)
  }
}
