import FiefGraph

/// Somebody who wants to hear what changes in sections, or in one of them.
///
///     registered ──▶ told the first state ──▶ told changes, again and again ──▶ ended, when what holds the elements is gone
///
/// Each version is put into sections once, however many observe them.
final class SectionedObservation<Key: Hashable, Element: RealmCollectionValue>: Observation {
  private typealias State = SectionChanges.State<Key>

  /// What to call: without changes for the first time.
  private let call: (SectionChanges?) -> Void
  private let core: SectionsCore<Key, Element>
  /// The key of the section that is observed; nil for all.
  private let key: Key?
  private let properties: WatchedProperties
  /// What was told last; nil before the first time.
  @exclusivity(unchecked) private var before: State?

  init(
    _ core: SectionsCore<Key, Element>, key: Key?, keyPaths: [String]?, _ call: @escaping (SectionChanges?) -> Void
  ) {
    self.core = core
    self.key = key
    self.call = call
    properties = WatchedProperties(keyPaths, of: core.results.base)
    super.init(seen: core.session.graph)
  }

  override func isBehind(_ session: Session) -> Bool { before == nil || super.isBehind(session) }

  override func tell(_ session: Session, _ differences: Differences) {
    let old = seen
    seen = session.graph
    guard let before else {
      before = state(session, differences)
      return call(nil)
    }
    let difference = differences.between(old, seen)
    if difference.isEmpty { return }
    let after = state(session, differences)
    self.before = after
    let modified = properties.modified(in: difference)
    let changes =
      key.map { SectionChanges(of: $0, from: before, to: after) { modified.contains($0) } }
      ?? SectionChanges(from: before, to: after) { modified.contains($0) }
    if !core.results.base.isHeld(in: seen) { end() }
    if !changes.isEmpty { call(changes) }
  }

  override func skip(from old: Graph, to new: Graph) {
    guard seen.version == old.version else { return }
    seen = new
    if before != nil { before = state(core.session, Differences()) }
  }

  /// The sections as a session sees them when no write is under way.
  private func state(_ session: Session, _ differences: Differences) -> State {
    differences.once(for: core) {
      let frozen = core.seen(by: session.frozen())
      let layout = frozen.results.isInvalidated ? SectionLayout(rows: []) : frozen.layout()
      return State(layout, core.results.rowClass?.table)
    }
  }
}

extension SectionedResults {
  /// How an observation of the sections is made.
  public static func _observation(
    _ keyPaths: [String]?, _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
  ) -> _ObservationMaker<SectionedResults> {
    _ObservationMaker { sections, _, _ in
      SectionedObservation(sections.core, key: nil, keyPaths: keyPaths) {
        block(SectionedResultsChange(sections, $0))
      }
    }
  }
}

extension ResultsSection {
  /// How an observation of the section is made.
  public static func _observation(
    _ keyPaths: [String]?, _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
  ) -> _ObservationMaker<ResultsSection> {
    _ObservationMaker { section, _, _ in
      SectionedObservation(section.core, key: section.key, keyPaths: keyPaths) {
        block(SectionedResultsChange(section, $0))
      }
    }
  }
}
