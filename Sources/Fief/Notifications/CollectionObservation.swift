import FiefGraph

/// Somebody who wants to hear what changes in a collection.
///
///     registered ──▶ told the first state ──▶ told changes, again and again ──▶ ended, when its object is gone
final class CollectionObservation: Observation {
  /// What to call: without changes for the first time.
  private let call: (PositionChanges?) -> Void
  private let watched: WatchedElements
  private let core: ResultsCore
  private let target: ClassBinding?
  private let paths: [ObservedPath]?
  @exclusivity(unchecked) private var isFirst = true
  /// The elements of a view as they were told last.
  @exclusivity(unchecked) private var before: ContiguousArray<HashedValue> = []

  init(_ core: ResultsCore, keyPaths: [String]?, _ call: @escaping (PositionChanges?) -> Void) {
    self.core = core
    self.call = call
    watched = WatchedElements(core)
    target = core.base.target
    paths = ObservedPath.parse(keyPaths, core.base.target)
    super.init(seen: core.session.graph)
  }

  override func isBehind(_ session: Session) -> Bool { isFirst || super.isBehind(session) }

  override func tell(_ session: Session, _ differences: Differences) {
    let old = seen
    seen = session.graph
    if isFirst {
      isFirst = false
      if case .view = watched { before = WatchedElements.elements(of: core, session) }
      return call(nil)
    }
    let difference = differences.between(old, seen)
    if difference.isEmpty { return }
    let changes = changes(difference, session)
    if !isThere { end() }
    if !changes.isEmpty { call(changes) }
  }

  override func skip(from old: Graph, to new: Graph) {
    guard seen.version == old.version else { return }
    seen = new
    if !isFirst, case .view = watched { before = WatchedElements.elements(of: core, core.session) }
  }

  /// Whether what holds the elements is there in the version that was told last.
  private var isThere: Bool { core.base.isHeld(in: seen) }

  private func changes(_ difference: Difference, _ session: Session) -> PositionChanges {
    let modified = difference.modified(target, paths)
    switch watched {
    case .table(let binding):
      return difference.positions(of: binding.table, { _ in true }, modified: modified ?? [])
    case .cell(let place):
      return difference.positions(
        of: place, { difference.isModified($0, self.target, modified) },
        anyModified: modified.map { !$0.isEmpty } ?? true)
    case .view(let core):
      let after = WatchedElements.elements(of: core, session)
      defer { before = after }
      return PositionChanges(from: before, to: after) { element in
        guard case .link(let link) = element.value else { return false }
        return difference.isModified(link, self.target, modified)
      }
    }
  }
}

extension Difference {
  /// The rows of a class that count as modified; nil when the elements are of no one class.
  func modified(_ target: ClassBinding?, _ paths: [ObservedPath]?) -> Set<ObjectKey>? {
    guard let target else { return nil }
    guard let paths else { return rowsReachingChanges(in: target.table) }
    return paths.reduce(into: []) { $0.formUnion(rows(changedOn: $1)) }
  }

  /// Whether what a link points at counts as modified.
  func isModified(_ link: ObjectLink, _ target: ClassBinding?, _ modified: Set<ObjectKey>?) -> Bool {
    if let modified, target?.table == link.table { return modified.contains(link.key) }
    return rowsReachingChanges(in: link.table).contains(link.key)
  }
}
