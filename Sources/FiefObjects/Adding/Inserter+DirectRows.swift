import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions

// Rows of scalars, made without a plan: of an unmanaged object that reaches no other object, and of a new instance and
// a dictionary. Most objects are of these kinds.
//
//     instance ──fillers──▶ new row ◀── GivenScalars ◀── dictionary

extension Inserter {
  /// Adds an unmanaged object that reaches no other object.
  ///
  /// - Returns: false when the object needs a plan; nothing was changed then.
  /// - Throws: the kernel's errors; nothing was changed then either.
  func addDirectly(_ object: ObjectBase, _ transaction: Transaction) throws -> Bool {
    guard !object.isManaged, object.flags.isEmpty, let binding = session.knownBinding(of: type(of: object)) else {
      return false
    }
    return try binding.with { binding in
      guard ShortCut.directRows.isOn, binding.isDirect, !reachesMore(object, binding) else { return false }
      var given = GivenScalars()
      if let key = binding.keyProperty?.model {
        given.key = binding.keyFiller?.value(in: object) ?? Self.value(of: key, object)
        // The conversion of a key may change the object, or add it to another realm, without a trace in this session.
        if key.isForeign, !isStillDirect(object, of: binding, in: transaction) { return false }
        // An existing key needs a plan: it leads to an update, or to an error message.
        if isTaken(given, of: binding, in: transaction) { return false }
      }
      guard let key = try make(object, &given, of: binding, in: transaction) else { return false }
      // Only scalars are set; those stay in the unmanaged storage.
      object.bindNew(session, binding, at: key)
      return true
    }
  }

  /// Creates an object from a dictionary of scalars, or updates the object with its primary key.
  ///
  /// - Parameter instance: receives the instance that was made for a new object, for use by the planner if this call
  ///   returns nil.
  /// - Returns: nil when the dictionary needs a plan; nothing was changed then.
  func createDirectly(
    _ dictionary: [String: Any], of binding: ClassBinding, _ policy: PlanPolicy, in transaction: Transaction,
    instance: inout ObjectBase?
  ) throws -> ObjectBase? {
    guard ShortCut.directRows.isOn, binding.isDirect else { return nil }
    // Taken out during use: an initialiser of the application may call this function again.
    let insertion = takeInsertion(transaction)
    // A local variable, because what an object holds is retained for each use.
    var given = GivenScalars()
    swap(&given, &insertion.given)
    defer {
      given.removeAll()
      swap(&given, &insertion.given)
      keep(insertion)
    }
    guard given.read(dictionary, binding) else { return nil }
    if binding.primaryKey == nil {
      guard case .error = policy else { return nil }
    } else {
      guard let key = given.key, !key.isNull else { return nil }
      if let row = transaction.find(primaryKey: key, in: binding.table) {
        return try update(row, by: given, of: binding, policy, in: transaction)
      }
    }
    let before = session.validity.stamp
    ShortCut.applicationRuns()
    let object = binding.type.init()
    instance = object
    // The initialiser is application code, and may have made an object with this key.
    if session.validity.stamp != before {
      checkIsWriting(transaction, binding.model.name)
      if isTaken(given, of: binding, in: transaction) { return nil }
    }
    guard !reachesMore(object, binding), let key = try make(object, &given, of: binding, in: transaction)
    else {
      checkIsWriting(transaction, binding.model.name)
      return nil
    }
    // Only wrappers release values of the application here.
    if !binding.wrappers.isEmpty { session.noteChanges() }
    object.becomeManaged(session, binding, at: key)
    return object
  }

  // MARK: New rows

  /// Makes a row of the scalars of an unmanaged object and the given values, whose primary key is free.
  ///
  /// - Returns: nil when the planner must make the row, or must name a value that the store refuses.
  /// - Throws: the kernel's error for a unique value that exists already. The planner's error would be equal.
  @inline(__always)
  private func make(
    _ object: ObjectBase, _ given: inout GivenScalars, of binding: ClassBinding, in transaction: Transaction
  ) throws -> ObjectKey? {
    if !binding.foreignFillers.isEmpty {
      // Conversions are application code. They run first, so that the code after them sees their effects.
      given.addConverted(object, binding)
      guard isStillDirect(object, of: binding, in: transaction), !isTaken(given, of: binding, in: transaction) else {
        return nil
      }
    }
    guard object.flags.isEmpty, !object.isManaged else { return nil }
    // After this check, no embedded object can be refused: its values have been validated.
    for index in given.owned.indices {
      let table = given.owned[index].binding.with { $0.table }
      guard transaction.hasKeys(for: given.owned.count, in: table) else { return nil }
    }
    let base = unsafe object.address
    // The caller retains it. A closure would retain what it captures once more.
    let binding = unsafe Borrowed(binding)
    return try transaction.attempt(.directRows) {
      try given.withValues { values in
        let key: ObjectKey
        do {
          key = try transaction.create(in: binding.with { $0.table }, primaryKey: given.key) { row in
            try binding.with { binding in
              // By index, because an iterator would retain the array.
              for index in binding.fillers.indices {
                let filler = binding.fillers[index]
                if try !values.fill(row, filler.column, from: filler.number) {
                  unsafe try filler.fill(base + filler.offset, into: row, filler.column)
                }
              }
              for index in binding.foreignFillers.indices {
                let (number, column) = (binding.foreignFillers[index].number, binding.foreignFillers[index].column)
                _ = try values.fill(row, column, from: number)
              }
            }
          }
        } catch let error as GraphError where error.code == .invalidValue {
          // The row was appended and withdrawn. The planner names the value and the expected type.
          session.noteChanges()
          return nil
        }
        for index in given.owned.indices {
          let owned = given.owned[index]
          let target = owned.binding.counted
          let part = try transaction.insertRow(in: target.table, primaryKey: nil) { row in
            for property in target.stored {
              _ = try values.fill(row, property.column, from: owned.first + property.number)
            }
          }
          transaction.setOwner(ObjectLink(target.table, part), by: Cell(binding.with { $0.table }, key, owned.column))
        }
        return key
      }
    }
  }

  /// Updates the row with the primary key. Nil when the update could fail, or would change embedded objects; the
  /// planner handles these.
  private func update(
    _ key: ObjectKey, by given: GivenScalars, of binding: ClassBinding, _ policy: PlanPolicy,
    in transaction: Transaction
  ) throws -> ObjectBase? {
    if case .error = policy { return nil }
    guard given.owned.isEmpty, !binding.hasUniqueIndex else { return nil }
    try transaction.attempt(.directRows) {
      try given.withValues { values in
        for index in binding.fillers.indices {
          let filler = binding.fillers[index]
          try values.set(filler.number, in: Cell(binding.table, key, filler.column), transaction)
        }
        for filler in binding.foreignFillers {
          try values.set(filler.number, in: Cell(binding.table, key, filler.column), transaction)
        }
      }
    }
    // The accessor's initialiser is application code.
    session.noteChanges()
    return accessor(binding, key, within: transaction)
  }

  private static func value(of property: ModelProperty, _ object: ObjectBase) -> StoredValue {
    if property.isForeign { ShortCut.applicationRuns() }
    return property.content(in: object).stored ?? .null
  }

  // MARK: Checks

  private func isTaken(_ given: GivenScalars, of binding: ClassBinding, in transaction: Transaction) -> Bool {
    given.key.map { transaction.find(primaryKey: $0, in: binding.table) != nil } ?? false
  }

  /// Whether an instance has a link or collection that was set.
  @inline(__always)
  private func reachesMore(_ object: ObjectBase, _ binding: ClassBinding) -> Bool {
    let base = unsafe object.address
    // By index, because an iterator would retain the array.
    for index in binding.bareTags.indices where unsafe _WrapperTag.at(base + binding.bareTags[index]).pointee.isSet {
      return true
    }
    return false
  }

  /// Whether an object is still unmanaged and reaches no other object, after application code has run.
  private func isStillDirect(_ object: ObjectBase, of binding: ClassBinding, in transaction: Transaction) -> Bool {
    checkIsWriting(transaction, binding.model.name)
    return !object.isManaged && object.flags.isEmpty && !reachesMore(object, binding)
  }
}
