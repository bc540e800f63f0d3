import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions
import Foundation

// The one way in: each operation that brings objects into a store plans them first, and applies the plan when all of it
// has been checked.
//
//     create, seed, copy ──▶ create ─┐
//     add ─────────────────▶ add ────┼──▶ inserting ──▶ ObjectInsertion ──▶ InsertionPlanner ──▶ InsertionPlan
//     assignments ─────────▶ insert ─┘
//
// Most errors are found while a plan is made. Errors that the kernel finds later (a unique index, a delete rule) roll
// the call back. A failed call leaves nothing behind. There is no recursion: depth is bounded by memory alone.

/// Adds objects to a store, for the session of a write.
package struct Inserter: Importer {
  let session: Session

  package init(_ session: Session) { self.session = session }

  /// Takes out the means of an insertion: application code that runs meanwhile (defaults, conversions, initialisers)
  /// may begin another one.
  @inline(__always)
  func takeInsertion(_ transaction: Transaction) -> ObjectInsertion {
    guard let spare = session.spare.take() else { return ObjectInsertion(session, transaction) }
    return unsafe unsafeDowncast(spare, to: ObjectInsertion.self)
  }

  /// Keeps the means of an insertion for the next one.
  @inline(__always)
  func keep(_ insertion: consuming ObjectInsertion) { session.spare = insertion }

  /// Calls `body` with a planner that is valid during the call. When application code makes the plan stale, the call is
  /// repeated, up to `StalePlan.attempts` times in all.
  @inline(__always)
  func inserting<Result>(
    _ transaction: Transaction, _ request: PlanRequest, body: (ObjectInsertion) throws -> Result
  ) throws -> Result {
    let insertion = takeInsertion(transaction)
    defer { keep(insertion) }
    var attempts = 0
    while true {
      insertion.begin(transaction, request)
      defer { insertion.planner.finish() }
      do { return try body(insertion) } catch {
        checkIsWriting(transaction, insertion.planner.className(ofRow: 0))
        attempts += 1
        guard error is StalePlan else { throw error }
        if attempts == StalePlan.attempts { throw StalePlan.error }
      }
    }
  }

  /// Traps when application code that ran within an operation has ended the write.
  @inline(__always)
  func checkIsWriting(_ transaction: Transaction, _ name: @autoclosure () -> String) {
    if session.transaction === transaction { return }
    fatalError(
      "The write transaction ended while an object of class '\(name())' was brought into it, by an initialiser or a "
        + "conversion of the application: end it afterwards.")
  }

  /// Creates the accessor of a row that an operation of the write has made or changed. The initialiser of the accessor
  /// is application code.
  func accessor(_ binding: ClassBinding, _ key: ObjectKey, within transaction: Transaction) -> ObjectBase {
    let object = session.accessor(binding, key)
    checkIsWriting(transaction, binding.model.name)
    return object
  }

  /// The binding of a class, which the store retains.
  ///
  /// - Throws: when the class is not in the schema.
  func bindingInSchema(of type: ObjectBase.Type) throws -> Borrowed<ClassBinding> {
    if let binding = session.knownBinding(of: type) { return binding }
    throw Realm.Error(.invalidValue, session.store.missing(type))
  }

  // MARK: Creating

  /// Makes a row from a value, or updates the row with its primary key.
  ///
  /// - Returns: the row's accessor.
  package func create(
    _ value: Any, of binding: ClassBinding, _ request: PlanRequest, in transaction: Transaction
  ) throws -> ObjectBase {
    // Initialisers are application code, and run once for each object; so the planner takes over an instance that was
    // made here.
    var instance: ObjectBase?
    if request.root == .stored, let dictionary = Existential.value(value, as: [String: Any].self),
      let made = try createDirectly(dictionary, of: binding, request.policy, in: transaction, instance: &instance)
    {
      return made
    }
    return try inserting(transaction, request) { insertion in
      let planner = insertion.planner
      planner.rootInstance = instance
      if request.policy != .error && binding.primaryKey == nil && !request.copiesOwnRows && request.root != .seeded {
        throw Realm.Error(
          .invalidValue,
          "Object of class '\(binding.model.name)' cannot be created with an update policy: the class has no primary "
            + "key.")
      }
      switch try planner.enterRoot(value, binding) {
      case .planned: break
      case .present(let object): return unsafe unsafeDowncast(object, to: ObjectBase.self)
      case .copied(let key):
        // The accessor's initialiser is application code.
        session.noteChanges()
        return accessor(binding, key, within: transaction)
      }
      try planner.walk()
      if planner.plan.rows[0].isUpdate {
        try insertion.apply()
        return accessor(binding, planner.plan.key(of: 0), within: transaction)
      }
      // The instance that provided the defaults becomes the accessor. It is made before anything is written, whether or
      // not a default is needed, since its initialiser is application code.
      let object = unsafe unsafeDowncast(try planner.instanceOfRoot(binding), to: ObjectBase.self)
      try insertion.apply()
      object.becomeManaged(session, binding, at: planner.plan.key(of: 0))
      return object
    }
  }

  /// Changes a row by an array or a dictionary. The caller undoes the writes of a failed change.
  func change(
    _ key: ObjectKey, of binding: ClassBinding, by value: Any, _ request: PlanRequest, in transaction: Transaction
  ) throws {
    try inserting(transaction, request) { insertion in
      insertion.planner.enter(value, of: key, as: binding)
      try insertion.planner.walk()
      try insertion.apply()
    }
  }

  // MARK: Adding

  /// Adds an ordinary object and all unmanaged objects that it reaches. The instances themselves become managed. An
  /// error fails the write.
  func add(_ object: ObjectBase, _ policy: Realm.UpdatePolicy) {
    if policy == .error, let writing = session.writing {
      let isDone = writing.with { transaction in
        do {
          return try addDirectly(object, transaction)
        } catch {
          session.fail(error)
          return true
        }
      }
      if isDone { return session.noteChanges() }
    }
    session.perform { transaction in
      if policy != .error {
        if let binding = session.binding(of: type(of: object)), binding.primaryKey == nil {
          throw Realm.Error(
            .invalidValue,
            "Object of class '\(binding.model.name)' cannot be added with an update policy: the class has no primary "
              + "key.")
        }
        if try addDirectly(object, transaction) { return }
      }
      let object = object.represented
      try inserting(transaction, PlanRequest(.add, policy.plan)) { insertion in
        let planner = insertion.planner
        // An object of the realm stays as it is, and one of another realm is refused.
        if object.isManaged {
          _ = try planner.accept(object, at: .root)
          return
        }
        let binding = try bindingInSchema(of: type(of: object)).counted
        guard case .row = try planner.accept(object, as: binding, at: .root, current: nil) else { return }
        try planner.walk()
        try insertion.apply()
        insertion.bindObjects()
      }
    }
  }

  /// Adds all unmanaged objects that `contents` reach, and stores one content after another in a cell.
  ///
  /// - Parameters:
  ///   - contents: the contents to store.
  ///   - cell: the cell to store them in.
  ///   - emptying: removes what the contents replace, once they are known to fit; nil if they stand beside the others,
  ///     or each takes the place of one. What is refused later brings it back.
  ///   - position: the position in the cell at which embedded objects and nested collections are made, by the content's
  ///     index in `contents`.
  ///   - store: stores a value; if it is a link, its row exists.
  package func insert(
    _ contents: [_PropertyContent], into cell: Cell, _ transaction: Transaction,
    emptying: ((Transaction) throws -> Void)? = nil, position: (Int) -> OwnedPosition?,
    store: (Transaction, StoredValue, Int) throws -> Void
  ) throws {
    // A migration copies objects that are not in the store, as an assignment by name does there.
    let isMigrating = session.store.classes.migration != nil
    let target = isMigrating ? target(of: cell) : nil
    try inserting(transaction, PlanRequest(isMigrating ? .copy : .add, .error, root: .owned)) { insertion in
      let planner = insertion.planner
      var planned: [PlannedContent] = []
      planned.reserveCapacity(contents.count)
      for (index, content) in contents.enumerated() {
        let place = position(index)?.place ?? (contents.count > 1 ? .index(index) : .value)
        planned.append(try planner.accept(given: SourceValue(content), to: cell, at: place, as: target))
      }
      try planner.walk()
      // The kernel may find out that what goes must stay, or takes along what is linked to, when other rows are made.
      if emptying != nil
        || hasRules(cell) && contents.indices.contains(where: { replaces(position($0), cell, transaction) })
      {
        planner.plan.canBeRefused = true
      }
      try insertion.apply {
        try emptying?(transaction)
        for (index, content) in planned.enumerated() {
          try planner.plan.put(content, into: cell, at: position(index), in: transaction) {
            try store(transaction, $0, index)
          }
        }
      }
      insertion.bindObjects()
    }
  }

  /// Whether delete rules may apply to the embedded objects of a cell.
  private func hasRules(_ cell: Cell) -> Bool {
    let binding = session.store.binding(of: cell.table) ?? session.store.dynamicBinding(of: cell.table)
    guard let binding, binding.deletionsHaveRules else { return false }
    return binding.all.contains { $0.column == cell.column && $0.embedsTarget }
  }

  /// Whether what is made at a position may take the place of something.
  private func replaces(_ position: OwnedPosition?, _ cell: Cell, _ transaction: Transaction) -> Bool {
    switch position {
    case nil, .inserted: false
    case .value: transaction.value(cell) != .null
    case .element, .entry: true
    }
  }

  /// The class that links in a cell point at.
  private func target(of cell: Cell) -> RowClass? {
    let type = session.read { $0[cell.table]?.schema.column(cell.column)?.type }
    return type?.target.flatMap { session.store.binding(of: $0) }
  }

  /// Stores a link in a single cell. An unmanaged ordinary target is added first; an embedded target is made in the
  /// cell.
  package func setLink(_ target: ObjectBase?, _ cell: Cell, path: () -> String) {
    session.perform { transaction in
      guard let target else { return try transaction.set(.null, cell) }
      if let link = target.rowLink, target.retainedSession === session {
        if target.isOwned {
          // Assigning the embedded object that is already there is permitted. Any other one has an owner, or is gone,
          // which the plan says.
          if transaction.value(cell) == .link(link) { return }
          if target.hasRow {
            throw Realm.Error(
              .invalidValue,
              "The embedded object assigned to '\(path())' is managed already, by its owner: copy it with "
                + "'\(type(of: target).className())(value:)'.")
          }
        } else if session.validity.isCurrent(target.rowStamp.stamp) {
          // The transaction checks whether the row exists, so a check through the accessor would look it up twice.
          do { return try transaction.set(.link(link), cell) } catch  where target.hasRow { throw error } catch {}
        }
      }
      try insert([.object(target)], into: cell, transaction, position: { _ in .value }) { transaction, value, _ in
        try transaction.set(value, cell)
      }
    }
  }

  /// Assigns an untyped value to one property of a row, with the conversions of `create`: dictionaries and arrays
  /// become objects. An invalid value fails the write.
  ///
  /// - Parameters:
  ///   - name: the name of the property, which is not the primary key.
  ///   - key: the row, which exists.
  ///   - binding: the class whose declarations apply.
  ///   - policy: the treatment of an existing collection: `.modified` keeps the entries of a map whose keys are not
  ///     given.
  ///   - copies: whether objects of other stores are copied rather than refused.
  package func assign(
    _ value: Any?, to name: String, of key: ObjectKey, as binding: ClassBinding, _ policy: PlanPolicy,
    copies: Bool = false
  ) {
    let value = value.flatMap(flattened) ?? NSNull()
    session.perform { transaction in
      try inserting(transaction, PlanRequest(copies ? .copy : .add, .error)) { insertion in
        insertion.planner.enter(name, value: value, of: key, as: binding)
        try insertion.planner.walk()
        try insertion.apply(policy)
        insertion.bindObjects()
      }
    }
  }
}

extension OwnedPosition {
  /// The position in a path.
  fileprivate var place: PlanStep.Place {
    switch self {
    case .value: .value
    case .inserted(let index), .element(let index): .index(index)
    case .entry(let key): .key(key)
    }
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
