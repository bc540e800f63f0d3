import FiefGraph

/// The writes of a session that can be undone, and those that were undone.
///
///     write ──▶ undoable ──undo──▶ redoable
///                   ▲───── redo ──────┘        a new write empties `redoable`
///
/// A group records the versions around each of its writes. Undoing it is a write of its own, so what redoes it is the
/// inverse of that write. Undoing a group whose writes cancel each other out, or that has only sent documents, changes
/// nothing: then there is nothing to redo.
package final class UndoLog {
  struct Step {
    let before: Graph
    let after: Graph
  }

  struct Group {
    var name: String?
    var steps: [Step]
  }

  package enum Direction {
    case undo
    case redo
  }

  /// Groups, of which the last is taken next and the first are dropped.
  private struct Groups {
    private var all: ContiguousArray<Group> = []
    /// The number of entries at the front of `all` that were dropped. They have no steps.
    private var gone = 0

    var last: Group? { gone < all.count ? all.last : nil }

    mutating func append(_ group: Group) { all.append(group) }
    mutating func popLast() -> Group? { gone < all.count ? all.popLast() : nil }
    mutating func nameLast(_ name: String) { if gone < all.count { all[all.count - 1].name = name } }

    /// Drops the first groups, as long as they satisfy a condition. Amortized linear in their number.
    mutating func drop(while isGone: (Group) -> Bool) {
      while gone < all.count, isGone(all[gone]) {
        all[gone] = Group(steps: [])
        gone += 1
      }
      if gone > 16 && gone * 2 > all.count {
        all.removeFirst(gone)
        gone = 0
      }
    }
  }

  private var undoable = Groups()
  private var redoable = Groups()
  private var open: Group?
  private var depth = 0
  private var pauses = 0
  private var direction: Direction?
  private weak var namedWrite: Transaction?
  private var nextName: String?

  init() {}

  /// Whether a group is open.
  var isGrouping: Bool { depth > 0 }

  /// The group that is undone or redone next.
  func next(_ direction: Direction) -> Group? { direction == .undo ? undoable.last : redoable.last }

  /// Drops the groups that begin before a version.
  func drop(before oldest: UInt64?) {
    func isGone(_ group: Group) -> Bool {
      assert(!group.steps.isEmpty, "Each group has changed something.")
      guard let oldest, let first = group.steps.first else { return true }
      return first.before.version < oldest
    }
    // A later group begins later.
    undoable.drop(while: isGone)
    // A group that is redone later was undone earlier.
    redoable.drop(while: isGone)
  }

  func begin(_ direction: Direction) {
    assert(self.direction == nil && next(direction) != nil, "One group is undone or redone at a time.")
    self.direction = direction
  }
  func abandon() { direction = nil }

  /// Records a commit.
  func record(_ write: Transaction, _ next: Graph) {
    assert(next.version >= write.base.version, "A commit leads to a later version, or changes nothing.")
    assert((depth > 0) == (open != nil), "A group is open while it has not ended.")
    let name = namedWrite === write ? nextName : nil
    namedWrite = nil
    let steps = next.version == write.base.version ? [] : [Step(before: write.base, after: next)]
    switch direction {
    case .undo?:
      direction = nil
      if let group = undoable.popLast(), !steps.isEmpty { redoable.append(Group(name: group.name, steps: steps)) }
    case .redo?:
      direction = nil
      if let group = redoable.popLast(), !steps.isEmpty { undoable.append(Group(name: group.name, steps: steps)) }
    case nil:
      if steps.isEmpty || pauses > 0 { return }
      redoable = Groups()
      if depth > 0 {
        open?.steps += steps
        if let name { open?.name = name }
      } else {
        undoable.append(Group(name: name, steps: steps))
      }
    }
  }

  /// Begins a group, which is part of the open one if there is one.
  package func openGroup(_ name: String?) {
    if depth == 0 { open = Group(name: name, steps: []) }
    depth += 1
  }

  /// Ends a group. Traps when none was begun.
  package func closeGroup() {
    if depth == 0 { fatalError("An undo group was ended that was not begun: begin one for each end.") }
    depth -= 1
    guard depth == 0, let group = open else { return }
    open = nil
    if !group.steps.isEmpty { undoable.append(group) }
  }

  /// Names the write in progress, the open group, or the last undoable group: the first that there is.
  package func name(_ name: String, _ write: Transaction?) {
    if let write {
      (namedWrite, nextName) = (write, name)
    } else if depth > 0 {
      open?.name = name
    } else {
      undoable.nameLast(name)
    }
  }

  /// Runs a block whose writes are not recorded.
  package func paused<Result>(_ block: () throws -> Result) rethrows -> Result {
    pauses += 1
    defer { pauses -= 1 }
    return try block()
  }

  /// Forgets all groups, and the writes of the open one.
  package func removeAll() {
    undoable = Groups()
    redoable = Groups()
    open?.steps = []
    assert(next(.undo) == nil && next(.redo) == nil, "Nothing is left to undo or redo.")
  }
}
