import FiefGraph
import FiefObjects
import FiefSessions

extension CollectionObservation<SectionChanges> {
  /// An observation of sections, or of one of them. Each version is laid out once for all observations.
  ///
  /// - Parameter key: the key of the observed section; nil for all sections.
  convenience init<Key: Hashable, Element: RealmCollectionValue>(
    _ core: SectionsCore<Key, Element>, key: Key?, keyPaths: [String]?, _ call: @escaping (SectionChanges?) -> Void
  ) {
    /// The sections in the version that a session sees outside of writes.
    func state(_ session: Session, _ delivery: Delivery) -> SectionChanges.State<Key> {
      delivery.once(for: core, at: session.graph) {
        let frozen = core.moved(to: session.frozen())
        let layout = frozen.results.isInvalidated ? SectionLayout() : frozen.layout()
        return SectionChanges.State(layout, of: core.results.rowClass)
      }
    }
    var known: SectionChanges.State<Key>?
    self.init(of: core.results.base, in: core.session, keyPaths: keyPaths, calling: call) { session, delivery in
      known = state(session, delivery)
    } finding: { _, modified, session, delivery in
      guard let before = known else { return nil }
      let after = state(session, delivery)
      known = after
      let changes =
        key.map { SectionChanges(of: $0, from: before, to: after) { modified.contains($0) } }
        ?? SectionChanges(from: before, to: after) { modified.contains($0) }
      return changes.isEmpty ? nil : changes
    }
  }
}

extension SectionedResults {
  /// Returns an observation of the sections.
  public func _observation(
    _ keyPaths: [String]?, _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
  ) -> _Observation? {
    _Observation(
      made: CollectionObservation(core, key: nil, keyPaths: keyPaths) { block(SectionedResultsChange(self, $0)) })
  }
}

extension ResultsSection {
  /// Returns an observation of the section.
  public func _observation(
    _ keyPaths: [String]?, _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
  ) -> _Observation? {
    _Observation(
      made: CollectionObservation(core, key: key, keyPaths: keyPaths) { block(SectionedResultsChange(self, $0)) })
  }
}
