import FiefCopying
import FiefGraph
import FiefObjects
import FiefSessions

/// An observation that may end without a change: the deletion of its owner changes nothing in an empty collection.
protocol EndingObservation: SessionObservation {
  /// Called at such an end.
  var gone: (() -> Void)? { get set }
}

/// An observation of a collection, a map, or sections.
///
///     registered ──▶ first state delivered ──▶ changes delivered, repeatedly ──▶ ended, its owner deleted
final class CollectionObservation<Changes>: EndingObservation {
  /// Returns the changes between the version that was remembered and the one that a session shows, which is remembered
  /// from then on; nil for no changes.
  typealias Finding = (VersionDifference, ModifiedRows, Session, Delivery) -> Changes?

  let progress: ObservationProgress
  private let session: Session
  private let base: ResultsSource
  private let properties: ObservedProperties
  /// Records what a session shows, outside of a write, as the version from which changes are found.
  private let remember: (Session, Delivery) -> Void
  private let find: Finding
  /// The observer's block. The first call passes nil instead of changes.
  private let call: (Changes?) -> Void
  @safe @exclusivity(unchecked) private var isFirst = true
  var gone: (() -> Void)?

  init(
    of base: ResultsSource, in session: Session, keyPaths: [String]?, calling call: @escaping (Changes?) -> Void,
    remembering remember: @escaping (Session, Delivery) -> Void, finding find: @escaping Finding
  ) {
    self.session = session
    self.base = base
    self.remember = remember
    self.find = find
    self.call = call
    properties = ObservedProperties(keyPaths, of: base)
    progress = ObservationProgress(delivered: session.graph)
  }

  func isBehind(_ session: Session) -> Bool { isFirst || delivered.version != session.graph.version }

  func deliver(_ session: Session, _ delivery: Delivery) {
    let old = delivered
    delivered = session.graph
    if isFirst {
      isFirst = false
      remember(session, delivery)
      if !base.isHeld(in: delivered) { end() }
      return call(nil)
    }
    let difference = delivery.difference(from: old, to: delivered)
    if difference.isEmpty { return }
    let changes = find(difference, properties.modified(in: difference), session, delivery)
    let isGone = !base.isHeld(in: delivered)
    if isGone { end() }
    if let changes { call(changes) } else if isGone { gone?() }
  }

  func skip(from old: Graph, to new: Graph) {
    guard delivered.version == old.version else { return }
    delivered = new
    if isFirst { return }
    remember(session, Delivery())
    if !base.isHeld(in: new) { end() }
  }
}

extension CollectionObservation<PositionChanges> {
  /// An observation of the elements of a collection.
  convenience init(_ core: ResultsStorage, keyPaths: [String]?, _ call: @escaping (PositionChanges?) -> Void) {
    var elements = ObservedElements(core)
    self.init(of: core.base, in: core.session, keyPaths: keyPaths, calling: call) { session, _ in
      elements.remember(session, for: core)
    } finding: { difference, modified, session, _ in
      // Finding the elements may run code of the application, which exclusive access to the variable must not span.
      var present = elements
      let changes = present.positions(difference, in: session, modified)
      elements = present
      return changes.isEmpty ? nil : changes
    }
  }
}

extension CollectionObservation<ElementChanges<String>> {
  /// An observation of the entries of a map.
  convenience init(
    _ location: CollectionLocation, keyPaths: [String]?, _ call: @escaping (ElementChanges<String>?) -> Void
  ) {
    self.init(of: .collection(location), in: location.session, keyPaths: keyPaths, calling: call) { _, _ in
    } finding: { difference, modified, _, _ in
      let changes = difference.keys(of: location, modified)
      // The deletion of the map's object is reported even when the map was empty.
      return changes.isEmpty && difference.new.contains(location.cell.object) ? nil : changes
    }
  }
}
