import FiefCopying
import FiefGraph
import FiefSessions

// Initialisers, conversions and sequences are application code. They run while a plan is made, and may use the realm.

/// Thrown when application code changed something that the plan relies on.
struct StalePlan: Error {
  /// The maximum number of times that a plan is made.
  static let attempts = 4

  static let error = Realm.Error(
    .invalidValue,
    "An initialiser or a conversion of the application changes objects that are being created or added, each time that it "
      + "is called: change the realm before or after.")
}

extension InsertionPlanner {
  /// Checks everything that the plan has read from the store again: a key that was free, a row that existed, an object
  /// that was unmanaged.
  func checkStillTrue() throws {
    session.checkIsWriting(transaction, className(ofRow: 0))
    for index in plan.rows.indices where !isTrue(plan.rows[index]) || !isTrue(state.items[index].source, index) {
      throw StalePlan()
    }
    for cell in plan.cells where !isTrue(cell.content) { throw StalePlan() }
    for element in plan.elements where !isTrue(element.content) { throw StalePlan() }
  }

  /// Checks that no operation of another session has taken an object of the plan. Such an operation leaves no trace in
  /// this session.
  func checkMarks() throws {
    for index in state.items.indices {
      if case .object(let object) = state.items[index].source, !isMarked(object, index) { throw StalePlan() }
    }
  }

  /// Whether an object still has the mark that it got when its item was entered. A nested operation for the object, in
  /// any session, removes the mark. The object may then be entered again, with a higher index.
  private func isMarked(_ object: ObjectBase, _ index: Int) -> Bool {
    object.flags.contains(.visited) && object.key.rawValue <= Int64(index)
  }

  private func isTrue(_ row: PlannedRow) -> Bool {
    if row.same >= 0 { return true }
    if let primaryKey = row.primaryKey {
      return transaction.find(primaryKey: primaryKey, in: row.table) == (row.isUpdate ? row.key : nil)
    }
    return !row.isUpdate || transaction.contains(ObjectLink(row.table, row.key))
  }

  private func isTrue(_ source: Source, _ index: Int) -> Bool {
    switch source {
    case .dictionary, .array, .values, .entries, .anyValues, .anyEntries: true
    case .object(let object): !object.isManaged && isMarked(object, index)
    case .namesake(let object): !object.isManaged
    case .row(let session, let binding, let key): session.hasRow(ObjectLink(binding.table, key))
    case .stored(let session, let cell, _): session.hasRow(cell.object)
    }
  }

  private func isTrue(_ content: PlannedContent) -> Bool {
    if case .value(.link(let link)) = content { return transaction.contains(link) }
    return true
  }
}

extension Session {
  /// Makes an instance of a class, for the defaults of a new row.
  ///
  /// - Throws: when its initialiser has given it an invalid value, or added it to a realm.
  func freshInstance(of binding: ClassBinding, _ transaction: Transaction) throws -> ObjectBase {
    ShortCut.applicationRuns()
    let object = binding.type.init()
    try checkIsFresh(object, binding, transaction)
    return object
  }

  /// Checks that application code has not given the instance of a new row an invalid value, or added it to a realm.
  @inline(__always)
  func checkIsFresh(_ object: ObjectBase, _ binding: ClassBinding, _ transaction: Transaction) throws {
    if object.isManaged || object.flags.contains(.faulty) { try refuseInstance(object, binding, transaction) }
  }

  private func refuseInstance(_ object: ObjectBase, _ binding: ClassBinding, _ transaction: Transaction) throws {
    checkIsWriting(transaction, binding.model.name)
    if let error = FaultyObjects.error(of: object) { throw error }
    throw Realm.Error(
      .invalidValue,
      "An initialiser or a conversion of class '\(binding.model.name)' adds the new object to a realm, so that nothing can "
        + "be created by it: add objects where they are made.")
  }

  /// Creates the accessor of a row that an operation of the write has made or changed. The initialiser of the accessor
  /// is application code.
  func accessor(_ binding: ClassBinding, _ key: ObjectKey, within transaction: Transaction) -> ObjectBase {
    let object = accessor(binding, key)
    checkIsWriting(transaction, binding.model.name)
    return object
  }

  /// Traps when application code that ran within an operation has ended the write.
  func checkIsWriting(_ transaction: Transaction, _ name: String) {
    if self.transaction === transaction { return }
    fatalError(
      "The write transaction ended while an object of class '\(name)' was brought into it, by an initialiser or a "
        + "conversion of the application: end it afterwards.")
  }
}
