import FiefObjects
import FiefSessions

/// A view of a collection that is not queried itself, as a `Frozen` value compares it: projected values, sections, or
/// one section.
protocol DerivedView: ThreadConfined {
  /// The elements behind it.
  var source: ResultsStorage { get }
  /// The elements that it shows, by section. Projected values are one section without a key.
  var parts: [(key: AnyHashable?, elements: [AnyHashable])] { get }
}

/// A section, which vanishes with its last element and returns with its key.
protocol VanishingSection: DerivedView {
  /// The section as a session shows it, without elements or not; nil when what was sectioned is gone there.
  func shown(in session: Session) -> Self?
}

extension VanishingSection {
  /// The section in its present version, without elements or not; nil when what was sectioned is gone.
  var frozen: Self? { source.isInvalidated ? nil : shown(in: source.session.frozen()) }
}

extension ProjectedCollection: DerivedView {
  var source: ResultsStorage { core }
  var parts: [(key: AnyHashable?, elements: [AnyHashable])] { [(nil, map { AnyHashable($0) })] }
}

extension SectionedResults: DerivedView {
  var source: ResultsStorage { core.results }
  var parts: [(key: AnyHashable?, elements: [AnyHashable])] { flatMap { $0.parts } }
}

extension ResultsSection: DerivedView {
  var source: ResultsStorage { core.results }
  var parts: [(key: AnyHashable?, elements: [AnyHashable])] { [(SectionKey(key), map { AnyHashable($0) })] }
}

extension ResultsSection: VanishingSection {
  func shown(in session: Session) -> ResultsSection? {
    let shown = ResultsSection(core.moved(to: session), key)
    return shown.source.isInvalidated ? nil : shown
  }
}
