import FiefCopying
import FiefGraph
import FiefQueries
import FiefSessions

/// The test whether a collection's elements have changed since a tracking scope read them.
///
/// It keeps no session alive, and no version but the one that the session shows. Where the changed rows alone decide,
/// nothing else is remembered; otherwise the elements are, and the collection is evaluated again after each change.
final class TrackedElements {
  private var kind: Kind
  private let isDeep: Bool
  private var seen: Graph

  private enum Kind {
    case table(ClassBinding)
    case cell(Cell, ColumnType)
    case selection(ClassBinding, CompiledQuery)
    /// The collection, of no session, and its elements as of `seen`.
    case view(ResultsStorage, elements: ContiguousArray<HashedValue>)
  }

  init(_ core: ResultsStorage, isDeep: Bool) {
    let session = core.session
    self.isDeep = isDeep
    seen = session.graph
    switch WatchedElements(core) {
    case .table(let binding): kind = .table(binding)
    case .cell(let location): kind = .cell(location.cell, location.type)
    case .selection(let binding, let query): kind = .selection(binding, query)
    case .view(let core):
      kind = .view(core.seen(by: .nowhere), elements: WatchedElements.elements(of: core, session))
    }
  }

  /// Whether the elements differ between the version of the last call and the one that the session shows now.
  func hasChanged(_ session: Session, _ differences: Differences) -> Bool {
    let difference = differences.between(seen, session.graph)
    seen = session.graph
    if difference.isEmpty { return false }
    switch kind {
    case .table(let binding):
      guard let changes = difference.changes(of: binding.table), !changes.inserted.isEmpty || !changes.deleted.isEmpty
      else { return isDeep && !difference.rowsReachingChanges(in: binding.table).isEmpty }
      return true
    case .cell(let cell, let type):
      if difference.change(of: cell) != nil || !difference.new.contains(cell.object) { return true }
      return isDeep && type.canLink && difference.reachesChange(elementsOf: cell, type)
    case .selection(let binding, let query):
      return difference.changes(resultOf: query)
        || isDeep
          && difference.rowsReachingChanges(in: binding.table).contains { query.matches($0, in: difference.new) }
    case .view(let core, let before):
      let after = WatchedElements.elements(of: core, session)
      kind = .view(core, elements: after)
      return before != after || isDeep && after.contains { difference.reachesChange($0) }
    }
  }
}

extension Difference {
  /// Whether other rows of a table satisfy a query than before. Only rows that were changed are tested.
  fileprivate func changes(resultOf query: CompiledQuery) -> Bool {
    guard let delta = changes(of: query.table) else { return false }
    let updated = delta.updated.flatMap { $0.cells.map(\.key) }
    let before = query.selection(in: old, among: RowSelection(updated + delta.deletedRows))
    let after = query.selection(in: new, among: RowSelection(updated + delta.insertedRows))
    return before.keys != after.keys
  }

  /// Whether an element of a collection is a row that changed, or that reaches a changed row.
  fileprivate func reachesChange(elementsOf cell: Cell, _ type: ColumnType) -> Bool {
    var isFound = false
    new.collection(cell)?.forEach(as: type) { value in
      isFound = reachesChange(HashedValue(value))
      return !isFound
    }
    return isFound
  }

  fileprivate func reachesChange(_ element: HashedValue) -> Bool {
    guard case .link(let link) = element.value else { return false }
    return rowsReachingChanges(in: link.table).contains(link.key)
  }
}

extension ResultsStorage {
  /// Notes for the running tracking scope that the application has read elements.
  ///
  /// - Parameter isDeep: whether values of the elements were read too, without objects.
  func noteRead(isDeep: Bool) {
    if let owner = base.owner { session.noteRead(row: owner) }
    // Views of a whole table are made for each call, so their class stands for them.
    var subject: AnyObject = self
    if showsAll, let rowClass = base.rowClass { subject = rowClass }
    session.noteTrackedRead(of: subject, isDeep: isDeep) {
      let elements = TrackedElements(self, isDeep: isDeep)
      return { elements.hasChanged($0, $1) }
    }
  }
}

extension ResultsSource {
  /// The row without which there are no elements; nil when there is no such row.
  fileprivate var owner: ObjectLink? {
    switch self {
    case .table, .union: nil
    case .collection(let location): location.cell.object
    case .backlinks(_, _, let target): target
    case .view(let core), .tested(let core, _): core.base.owner
    }
  }
}
