import FiefGraph

extension Session {
  /// Records a commit of this session, if its store keeps versions. Called before observers are notified, because they
  /// may write.
  func noteForUndo(_ write: Transaction, _ next: Graph) {
    if store.history == nil { return }
    assert(transaction == nil, "A commit is recorded after its write.")
    undoLog.record(write, next)
    undoLog.drop(before: store.history?.oldest)
  }

  /// The name of the group that is undone or redone next, which may have none; nil when there is no such group.
  package func nextUndo(_ direction: UndoLog.Direction) -> String?? {
    checkConfinement()
    undoLog.drop(before: store.history?.oldest)
    return undoLog.next(direction).map(\.name)
  }

  /// Undoes the last group of writes, or redoes the group that was undone last.
  ///
  /// - Throws: `.nothingToUndo`; `.undoConflict` when a later write stands in the way; the errors of a write. Nothing
  ///   has changed then.
  package func turn(_ direction: UndoLog.Direction) throws {
    checkCanWrite()
    if undoLog.isGrouping {
      fatalError("The realm cannot undo or redo inside an undo group: end the group first.")
    }
    if nextUndo(direction) == nil { throw nothing(direction) }
    try beginWrite()
    // Observers that were notified at the beginning may have written.
    undoLog.drop(before: store.history?.oldest)
    guard let transaction, let group = undoLog.next(direction) else {
      cancelWrite()
      throw nothing(direction)
    }
    do {
      defer { noteChanges() }
      for step in group.steps.reversed() { try transaction.revert(from: step.after, to: step.before) }
    } catch {
      cancelWrite()
      let name = group.name.map { " '\($0)'" } ?? ""
      throw store.client.explain(
        SessionError(
          .undoConflict,
          "Cannot \(direction == .undo ? "undo" : "redo")\(name), because a later write stands in the way: \(error)"))
    }
    undoLog.begin(direction)
    defer { undoLog.abandon() }
    try commitWrite()
  }

  private func nothing(_ direction: UndoLog.Direction) -> any Error {
    let remedy = store.history == nil ? " Set Configuration.history, so that earlier versions are kept." : ""
    return store.client.explain(
      SessionError(
        .nothingToUndo, "There is no write of this realm to \(direction == .undo ? "undo" : "redo").\(remedy)"))
  }

  /// The writes that can be undone, and those that were. Traps outside the session's executor.
  package var undoing: UndoLog {
    checkConfinement()
    return undoLog
  }

  /// The version of a number, if it is kept or shown.
  package func version(_ number: UInt64) -> Graph? {
    let shown = graph
    assert(shown.version <= store.published.current.version, "What is shown was published.")
    if shown.version == number { return shown }
    return number < shown.version ? store.history?.graph(number, before: shown) : nil
  }
}
