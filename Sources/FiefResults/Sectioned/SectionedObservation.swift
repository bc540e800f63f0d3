import FiefGraph
import FiefObjects
import FiefSessions

/// An observation of sections, or of one of them.
///
///     registered ──▶ called with the first state ──▶ called with changes, repeatedly ──▶ ended with the collection
///
/// Each version is laid out in sections once for all observations. The observation ends when the object that holds the
/// collection is deleted.
final class SectionedObservation<Key: Hashable, Element: RealmCollectionValue>: SessionObservation {
  private typealias State = SectionChanges.State<Key>

  let progress: ObservationProgress
  /// The observer's block; its argument is nil at the first call.
  private let call: (SectionChanges?) -> Void
  private let core: SectionsCore<Key, Element>
  /// The key of the observed section; nil for all sections.
  private let key: Key?
  private let properties: ObservedProperties
  /// The state at the last call; nil before the first one.
  @safe @exclusivity(unchecked) private var before: State?

  init(
    _ core: SectionsCore<Key, Element>, key: Key?, keyPaths: [String]?, _ call: @escaping (SectionChanges?) -> Void
  ) {
    self.core = core
    self.key = key
    self.call = call
    properties = ObservedProperties(keyPaths, of: core.results.base)
    progress = ObservationProgress(delivered: core.session.graph)
  }

  func isBehind(_ session: Session) -> Bool { before == nil || delivered.version != session.graph.version }

  func deliver(_ session: Session, _ delivery: Delivery) {
    let old = delivered
    delivered = session.graph
    guard let before else {
      before = state(session, delivery)
      return call(nil)
    }
    let difference = delivery.difference(from: old, to: delivered)
    if difference.isEmpty { return }
    let after = state(session, delivery)
    self.before = after
    let modified = properties.modified(in: difference)
    let changes =
      key.map { SectionChanges(of: $0, from: before, to: after) { modified.contains($0) } }
      ?? SectionChanges(from: before, to: after) { modified.contains($0) }
    if !core.results.base.isHeld(in: delivered) { end() }
    if !changes.isEmpty { call(changes) }
  }

  func skip(from old: Graph, to new: Graph) {
    guard delivered.version == old.version else { return }
    delivered = new
    if before != nil { before = state(core.session, Delivery()) }
  }

  /// The sections in the version that a session sees outside of writes.
  private func state(_ session: Session, _ delivery: Delivery) -> State {
    delivery.once(for: core) {
      let frozen = core.moved(to: session.frozen())
      let layout = frozen.results.isInvalidated ? SectionLayout(rows: []) : frozen.layout()
      return State(layout, core.results.rowClass?.table)
    }
  }
}

extension SectionedResults {
  /// Makes observations of the sections.
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
  /// Makes observations of the section.
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
