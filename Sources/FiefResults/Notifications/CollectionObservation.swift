import FiefGraph
import FiefObjects
import FiefSessions

/// An observation of a collection.
///
///     registered ──▶ first state delivered ──▶ changes delivered, repeatedly ──▶ ended, its owner deleted
final class CollectionObservation: SessionObservation {
  let progress: ObservationProgress
  /// The observer's block. The first call passes nil instead of changes.
  private let call: (PositionChanges?) -> Void
  private let core: ResultsStorage
  private let properties: ObservedProperties
  @safe @exclusivity(unchecked) private var isFirst = true
  @safe @exclusivity(unchecked) private var elements: ObservedElements

  init(_ core: ResultsStorage, keyPaths: [String]?, _ call: @escaping (PositionChanges?) -> Void) {
    self.core = core
    self.call = call
    elements = ObservedElements(core)
    properties = ObservedProperties(keyPaths, of: core.base)
    progress = ObservationProgress(delivered: core.session.graph)
  }

  func isBehind(_ session: Session) -> Bool { isFirst || delivered.version != session.graph.version }

  func deliver(_ session: Session, _ delivery: Delivery) {
    let old = delivered
    delivered = session.graph
    if isFirst {
      isFirst = false
      elements.remember(session, for: core)
      return call(nil)
    }
    let difference = delivery.difference(from: old, to: delivered)
    if difference.isEmpty { return }
    // Exclusive access to the property must not span the call of a block.
    var elements = elements
    let changes = elements.positions(difference, in: session, properties.modified(in: difference))
    self.elements = elements
    if !core.base.isHeld(in: delivered) { end() }
    if !changes.isEmpty { call(changes) }
  }

  func skip(from old: Graph, to new: Graph) {
    guard delivered.version == old.version else { return }
    delivered = new
    if !isFirst { elements.remember(core.session, for: core) }
  }
}
