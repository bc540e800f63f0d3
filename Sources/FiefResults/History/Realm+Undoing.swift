import FiefObjects
import FiefSessions

extension Realm {
  /// Undoes the last write of this realm that is not undone yet, or the last group of its writes.
  ///
  ///     try realm.write { dog.name = "Rex" }
  ///     try realm.undo()
  ///     try realm.redo()
  ///
  /// This is a write like any other: it makes a new version, and observers are notified. Own writes are those of this
  /// thread's, queue's or actor's realm since it was opened. They can be undone for as long as `Configuration.history`
  /// keeps the versions around them, and until the realm is released.
  ///
  /// Writes of other realms stay. Such a later write stands in the way if it changed the same property of the same
  /// object, or deleted or changed an object that undoing would change or delete, or if links, owners, primary keys or
  /// unique values would not fit any more.
  ///
  /// Deleted objects come back with their values, links and positions in lists. Those that were given out before the
  /// deletion may show them again; whoever keeps objects over a deletion should find them anew.
  ///
  /// - Throws: `.nothingToUndo`; `.undoConflict` when a later write stands in the way; the errors of `write`. Nothing
  ///   has changed then, and the write can still be undone later.
  /// - Complexity: linear in the changes that are undone, and in the changes since then.
  ///
  /// Traps in a write transaction and in an undo group, on a frozen or read-only realm, and outside the realm's thread,
  /// queue or actor.
  public func undo() throws { try session.turn(.undo) }

  /// Redoes what was undone last. A new write of this realm ends that possibility.
  ///
  ///     try realm.undo()
  ///     try realm.redo()          // undoes the undoing
  ///
  /// - Throws: `.nothingToUndo`; `.undoConflict` when a later write stands in the way; the errors of `write`. Nothing
  ///   has changed then.
  /// - Complexity: linear in the changes that are redone, and in the changes since then.
  ///
  /// Traps as `undo()` does.
  public func redo() throws { try session.turn(.redo) }

  /// Whether this realm has a write to undo. `undo()` may still find that a later write stands in the way.
  ///
  ///     if realm.canUndo { try realm.undo() }
  ///
  /// Traps outside the realm's thread, queue or actor.
  public var canUndo: Bool { session.nextUndo(.undo) != nil }

  /// Whether this realm has an undone write to redo. `redo()` may still find that a later write stands in the way.
  ///
  ///     if realm.canRedo { try realm.redo() }
  ///
  /// Traps outside the realm's thread, queue or actor.
  public var canRedo: Bool { session.nextUndo(.redo) != nil }

  /// The name of what `undo()` would undo; nil when it has none, or there is nothing to undo.
  ///
  ///     let title = realm.undoName.map { "Undo \($0)" } ?? "Undo"
  ///
  /// Traps outside the realm's thread, queue or actor.
  public var undoName: String? { session.nextUndo(.undo) ?? nil }

  /// The name of what `redo()` would redo; nil when it has none, or there is nothing to redo.
  ///
  ///     let title = realm.redoName.map { "Redo \($0)" } ?? "Redo"
  ///
  /// Traps outside the realm's thread, queue or actor.
  public var redoName: String? { session.nextUndo(.redo) ?? nil }

  /// Names the write in progress for undoing. Outside a write it names the undo group that was begun, or else the write
  /// that is undone next.
  ///
  ///     try realm.write {
  ///       dog.name = "Rex"
  ///       realm.nameUndo("Rename")
  ///     }
  ///
  /// Traps outside the realm's thread, queue or actor.
  ///
  /// - Parameter name: a name for a menu, such as "Rename".
  public func nameUndo(_ name: String) { session.undoing.name(name, session.transaction) }

  /// Runs a block whose writes are undone together.
  ///
  ///     try realm.undoGroup("Move") {
  ///       try realm.write { a.dogs.remove(at: 0) }
  ///       try realm.write { b.dogs.append(dog) }
  ///     }
  ///
  /// A group inside another one is part of it. When the block throws, the writes that it has committed remain, as one
  /// group.
  ///
  /// Traps outside the realm's thread, queue or actor.
  ///
  /// - Parameters:
  ///   - name: a name for a menu.
  ///   - block: contains the writes.
  /// - Returns: the result of the block.
  /// - Throws: the error of the block.
  @discardableResult
  public func undoGroup<Result>(_ name: String? = nil, _ block: () throws -> Result) rethrows -> Result {
    session.undoing.openGroup(name)
    defer { session.undoing.closeGroup() }
    return try block()
  }

  /// Runs a block whose writes cannot be undone. Undoing earlier writes treats them like those of other realms.
  ///
  ///     try realm.withoutUndo {
  ///       try realm.write { dog.isFed = true }
  ///     }
  ///
  /// Traps outside the realm's thread, queue or actor.
  ///
  /// - Parameter block: contains the writes.
  /// - Returns: the result of the block.
  /// - Throws: the error of the block.
  @discardableResult
  public func withoutUndo<Result>(_ block: () throws -> Result) rethrows -> Result {
    try session.undoing.paused(block)
  }

  /// Forgets what could be undone and redone.
  ///
  ///     realm.removeAllUndo()
  ///     print(realm.canUndo)          // false
  ///
  /// Traps outside the realm's thread, queue or actor.
  public func removeAllUndo() { session.undoing.removeAll() }
}
