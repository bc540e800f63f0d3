import FiefGraph
import FiefObjects
import FiefSessions

/// An observation of a map.
final class MapObservation: SessionObservation {
  let progress: ObservationProgress
  /// Changed keys. Each array is ascending.
  struct Changes {
    var deletions: [String] = []
    var insertions: [String] = []
    var modifications: [String] = []
  }

  private let call: (Changes?) -> Void
  private let location: CollectionLocation
  private let properties: ObservedProperties
  @safe @exclusivity(unchecked) private var isFirst = true

  init(_ location: CollectionLocation, keyPaths: [String]?, _ call: @escaping (Changes?) -> Void) {
    self.location = location
    self.call = call
    properties = ObservedProperties(keyPaths, of: .collection(location))
    progress = ObservationProgress(delivered: location.session.graph)
  }

  func isBehind(_ session: Session) -> Bool { isFirst || delivered.version != session.graph.version }

  func deliver(_ session: Session, _ delivery: Delivery) {
    let old = delivered
    delivered = session.graph
    if isFirst {
      isFirst = false
      return call(nil)
    }
    let before = old.collection(location.cell) as? StoredDictionary
    if !delivered.contains(location.cell.object) {
      // The deletion is reported even when the map was empty.
      end()
      return call(Changes(deletions: before?.entries.map(\.key) ?? []))
    }
    let difference = delivery.difference(from: old, to: delivered)
    if difference.isEmpty { return }
    var changes = Changes()
    var modified: Set<IdenticalText> = []
    if case .dictionary(let removed, let set) = difference.change(of: location.cell) {
      changes.deletions = removed
      for entry in set {
        if before?.find(entry.key).isPresent ?? false {
          modified.insert(IdenticalText(entry.key))
        } else {
          changes.insertions.append(entry.key)
        }
      }
    }
    if location.type.canLink, let before {
      let rows = properties.modified(in: difference)
      if rows.mayBeAny {
        let after = delivered.collection(location.cell) as? StoredDictionary
        for entry in before.entries {
          guard let link = entry.value.linked, rows.contains(link),
            after?.find(entry.key).isPresent ?? false
          else { continue }
          modified.insert(IdenticalText(entry.key))
        }
      }
    }
    changes.deletions.sort { StoredOrder.compare($0, $1) < 0 }
    changes.insertions.sort { StoredOrder.compare($0, $1) < 0 }
    changes.modifications = modified.map(\.text).sorted { StoredOrder.compare($0, $1) < 0 }
    if !(changes.deletions.isEmpty && changes.insertions.isEmpty && changes.modifications.isEmpty) { call(changes) }
  }
}
