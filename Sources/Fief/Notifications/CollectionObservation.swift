import FiefCopying
import FiefGraph
import FiefQueries
import FiefSessions

/// An observation of a collection.
///
///     registered ──▶ first state delivered ──▶ changes delivered, repeatedly ──▶ ended, its owner deleted
final class CollectionObservation: SessionObservation {
  let progress: ObservationProgress
  /// The observer's block. The first call passes nil instead of changes.
  private let call: (PositionChanges?) -> Void
  private let watched: WatchedElements
  private let core: ResultsStorage
  private let properties: WatchedProperties
  @safe @exclusivity(unchecked) private var isFirst = true
  /// The rows of a selection as of `seen`; empty for other collections.
  @safe @exclusivity(unchecked) private var selected = RowSelection()
  /// The elements of a view as of `seen`; empty for other collections.
  @safe @exclusivity(unchecked) private var before: ContiguousArray<HashedValue> = []

  init(_ core: ResultsStorage, keyPaths: [String]?, _ call: @escaping (PositionChanges?) -> Void) {
    self.core = core
    self.call = call
    watched = WatchedElements(core)
    properties = WatchedProperties(keyPaths, of: core.base)
    progress = ObservationProgress(seen: core.session.graph)
  }

  func isBehind(_ session: Session) -> Bool { isFirst || seen.version != session.graph.version }

  func deliver(_ session: Session, _ differences: Differences) {
    let old = seen
    seen = session.graph
    if isFirst {
      isFirst = false
      remember(session)
      return call(nil)
    }
    let difference = differences.between(old, seen)
    if difference.isEmpty { return }
    let changes = changes(difference, session)
    if !isThere { end() }
    if !changes.isEmpty { call(changes) }
  }

  func skip(from old: Graph, to new: Graph) {
    guard seen.version == old.version else { return }
    seen = new
    if !isFirst { remember(core.session) }
  }

  /// Records what the session shows, outside of a write.
  private func remember(_ session: Session) {
    switch watched {
    case .table, .cell: break
    case .selection(_, let query):
      let start = LoggedTime.now
      selected = query.selection(in: session.graph)
      core.report(since: start, counting: selected.count, for: " for an observation")
    case .view: before = WatchedElements.elements(of: core, session)
    }
  }

  /// Whether the owner of the elements exists in the version `seen`.
  private var isThere: Bool { core.base.isHeld(in: seen) }

  private func changes(_ difference: Difference, _ session: Session) -> PositionChanges {
    let modified = properties.modified(in: difference)
    switch watched {
    case .table(let binding):
      return difference.positions(of: binding.table, { _ in true }, modified: modified.rows[binding.table] ?? [])
    case .cell(let location):
      return difference.positions(of: location, { modified.contains($0) }, anyModified: modified.mayBeAny)
    case .selection(let binding, let query):
      // Exclusive access to the property must not span the call of a block.
      var selected = selected
      defer { self.selected = selected }
      return difference.positions(of: query, &selected, modified: modified.rows[binding.table] ?? [])
    case .view(let core):
      let after = WatchedElements.elements(of: core, session)
      defer { before = after }
      return PositionChanges(from: before, to: after) { modified.contains($0) }
    }
  }
}
