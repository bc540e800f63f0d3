internal import FiefGraph

// Initialisers, conversions and sequences are application code. They run while a plan is made, and may use the realm.

/// Thrown when application code changed something that the plan relies on.
package struct StalePlan: Error {
  /// The maximum number of times that a plan is made.
  package static let attempts = 4

  package static let error = CopyError(
    "An initialiser or a conversion of the application changes objects that are being created or added, each time that "
      + "it is called: change the realm before or after.")
}

extension InsertionPlanner {
  /// Checks everything that the plan has read from the store again: a key that was free, a row that existed, an object
  /// that was unmanaged.
  func checkStillTrue() throws {
    assert(state.items.count == plan.rows.count, "Each item has a row.")
    for index in plan.rows.indices where !isTrue(plan.rows[index]) || !isTrue(state.items[index].source, index) {
      throw StalePlan()
    }
    for cell in plan.cells where !isTrue(cell.content) { throw StalePlan() }
    for element in plan.elements where !isTrue(element.content) { throw StalePlan() }
  }

  /// Checks that no operation of another session has taken an object of the plan. Such an operation leaves no trace in
  /// this session.
  func checkMarks() throws {
    assert(state.hasMarks, "Marks are checked where there are some.")
    for index in state.items.indices {
      if case .object(let object) = state.items[index].source, !isMarked(object, index) { throw StalePlan() }
    }
  }

  /// Whether an object still has the mark that it got when its item was entered. A nested operation for the object, in
  /// any session, removes the mark. The object may then be entered again, with a higher index.
  private func isMarked(_ object: AnyObject, _ index: Int) -> Bool {
    if case .unmanaged(let mark?, _) = objects.state(of: object) { return mark <= index }
    return false
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
    case .dictionary, .array, .members, .elements: true
    case .object(let object): isMarked(object, index)
    case .namesake(let object): if case .unmanaged = objects.state(of: object) { true } else { false }
    case .row(let other, let rowClass, let key): other.hasRow(ObjectLink(rowClass.table, key))
    case .stored(let location): location.reader.hasRow(location.cell.object)
    }
  }

  private func isTrue(_ content: PlannedContent) -> Bool {
    if case .value(.link(let link)) = content { return transaction.contains(link) }
    return true
  }
}
