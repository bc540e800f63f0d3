import FiefCopying
import FiefGraph
import FiefObjects
import FiefQueries
import FiefSessions

/// The elements of a collection that is observed or was read in a tracking scope, and how two versions are compared.
///
///     table        all rows of a class: by the changes of its table
///     cell         a list or a set: by the change of its cell
///     selection    the objects of a class that satisfy a condition on their own properties: at the changed rows
///     view         any other collection, such as a sorted query or the values of a map: evaluated and compared as a
///                  whole, unless nothing has changed in the tables that decide about it
struct ObservedElements {
  private enum Kind {
    case table(ClassBinding)
    case cell(Cell, ColumnType)
    case selection(ClassBinding, CompiledQuery)
    case view(ResultsStorage)
  }

  private let kind: Kind
  /// The rows of a selection in the version that was remembered.
  private var selected = RowSelection()
  /// The elements of a view in the version that was remembered.
  private var elements: ContiguousArray<HashedValue> = []

  /// The elements of a collection, for `positions`.
  init(_ core: ResultsStorage) {
    if let query = core.query {
      if case .table(let binding) = core.base, let rows = query.rows, rows.testsRowsAlone {
        kind = .selection(binding.counted, rows)
      } else {
        kind = .view(core)
      }
      return
    }
    switch core.base {
    case .table(let binding): kind = .table(binding.counted)
    case .collection(let location) where location.type.shape != .dictionary: kind = .cell(location.cell, location.type)
    case .collection, .union, .backlinks, .view: kind = .view(core)
    }
  }

  /// The elements of a collection as its session shows them, for `haveChanged`. They do not retain the session.
  init(tracking core: ResultsStorage) {
    self.init(core)
    if case .view = kind {
      self.init(view: core.moved(to: .placeholder), Self.elements(of: core, core.session))
    }
  }

  private init(view core: ResultsStorage, _ elements: ContiguousArray<HashedValue>) {
    kind = .view(core)
    self.elements = elements
  }

  /// Records what a session shows, outside of a write, as the version from which `positions` leads.
  mutating func remember(_ session: Session, for core: ResultsStorage) {
    switch kind {
    case .table, .cell: break
    case .selection(_, let query):
      let start = LoggedTime.now
      selected = query.selection(in: session.graph)
      core.report(since: start, counting: selected.count, for: " for an observation")
    case .view: elements = Self.elements(of: core, session)
    }
  }

  /// Returns the positions at which the elements differ between the remembered version and the one that a session shows
  /// now, and keeps that one.
  mutating func positions(_ difference: VersionDifference, in session: Session, _ modified: ModifiedRows)
    -> PositionChanges
  {
    switch kind {
    case .table(let binding):
      return difference.positions(of: binding.table, modified: modified.rows[binding.table] ?? [])
    case .cell(let cell, let type):
      return difference.positions(of: cell, type, modified)
    case .selection(let binding, let query):
      return difference.positions(of: query, &selected, modified: modified.rows[binding.table] ?? [])
    case .view(let core):
      let before = elements
      if !difference.keepsElements(of: core) {
        elements = Self.elements(of: core, session)
      } else if !modified.mayBeAny {
        return PositionChanges()
      }
      return PositionChanges(from: before, to: elements) { modified.contains($0) }
    }
  }

  /// Whether other elements are there than in the old version, or the same ones in another order.
  ///
  /// - Parameter isDeep: whether changes of the elements count, too: of their parts, and of what few links lead to.
  mutating func haveChanged(_ difference: VersionDifference, in session: Session, isDeep: Bool) -> Bool {
    if difference.isEmpty { return false }
    switch kind {
    case .table(let binding):
      if let changes = difference.changes(of: binding.table), !changes.inserted.isEmpty || !changes.deleted.isEmpty {
        return true
      }
      return isDeep && !difference.rowsShowingChanges(in: binding.table).isEmpty
    case .cell(let cell, let type):
      if difference.change(of: cell) != nil || !difference.new.contains(cell.object) { return true }
      return isDeep && type.canLink && difference.reachesChange(elementsOf: cell, type)
    case .selection(let binding, let query):
      return difference.changes(resultOf: query)
        || isDeep
          && difference.rowsShowingChanges(in: binding.table).contains { query.matches($0, in: difference.new) }
    case .view(let core):
      let before = elements
      if !difference.keepsElements(of: core) { elements = Self.elements(of: core, session) }
      return before != elements || isDeep && elements.contains { difference.reachesChange($0) }
    }
  }

  /// Returns the elements of a view at a session's version, without the changes of a write in progress.
  private static func elements(of core: ResultsStorage, _ session: Session) -> ContiguousArray<HashedValue> {
    let frozen = session.frozen()
    let base = core.base.moved(to: frozen)
    if !base.isValid(frozen) { return [] }
    let start = LoggedTime.now
    let contents = core.query?.evaluate(base, frozen) ?? base.all(frozen)
    // The view of a tracking scope has no session of its own.
    core.report(since: start, counting: contents.count, for: " for an observation", in: session)
    return ContiguousArray(contents.values(of: base.target).lazy.map { HashedValue($0) })
  }
}

extension VersionDifference {
  /// Whether a view is known to have the elements of the old version, in their order. It is evaluated to find out
  /// otherwise.
  fileprivate func keepsElements(of core: ResultsStorage) -> Bool {
    if let query = core.query {
      guard let rows = query.rows, rows.readsRowsAlone else { return false }
    }
    // What any-values contain is compared in their cells.
    if [.nestedLists, .nestedDictionaries].contains(where: { changes(of: $0) != nil }) { return false }
    if let owner = core.base.owner, !new.contains(owner) { return false }
    switch core.base {
    case .table, .union, .backlinks: break
    case .collection(let location): if change(of: location.cell) != nil { return false }
    case .view: return false
    }
    return core.base.tables?.allSatisfy { changes(of: $0) == nil } ?? (core.query == nil)
  }

  /// Whether other rows of a table satisfy a query than before. Only rows that were changed are tested.
  fileprivate func changes(resultOf query: CompiledQuery) -> Bool {
    guard let delta = changes(of: query.table) else { return false }
    let before = query.selection(in: old, among: delta.rows(delta.deletedParts))
    let after = query.selection(in: new, among: delta.rows(delta.insertedParts))
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
    return rowsShowingChanges(in: link.table).contains(link.key)
  }
}

extension ResultsSource {
  /// Whether the row that owns the elements exists in a version.
  func isHeld(in graph: Graph) -> Bool { owner.map { graph.contains($0) } ?? true }
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
    session.noteRead(collection: subject, isDeep: isDeep) {
      var (elements, delivered) = (ObservedElements(tracking: self), session.graph)
      return { session, delivery in
        let difference = delivery.difference(from: delivered, to: session.graph)
        delivered = session.graph
        return elements.haveChanged(difference, in: session, isDeep: isDeep)
      }
    }
  }
}
