import FiefGraph
import FiefObjects
import FiefRuntime
import FiefSessions

/// A change to one property of an observed projection.
public typealias ProjectedPropertyChange = PropertyChange

extension ObjectBase {
  /// Returns the closure that finds the changes of projected members of the object.
  final func changes(
    of row: ObjectLink, _ binding: ClassBinding, in members: [ProjectedMember]
  ) -> ObjectObservation.Changes {
    let members = members.map { (member: $0, path: ObservedPath($0.path, from: binding)) }
    return { difference, session in
      let changed = members.filter { difference.rows(changedOn: $0.path).contains(row.key) }
      if changed.isEmpty { return [] }
      // Old values are read from the root object in the old version.
      let before = type(of: self).init()
      before.bind(Session(session.store, .frozen, session.options, frozenAt: difference.old), binding, row.key)
      return changed.map { member, _ in
        let new = member.value(self)
        let isCollection = new is CollectionBase || new is any RealmCollectionBase
        return PropertyChange(
          name: member.name, oldValue: isCollection || !before.hasRow ? nil : member.value(before), newValue: new)
      }
    }
  }
}

extension ProjectedCollection: _Observed {
  /// The changes of the collection.
  public typealias _Change = RealmCollectionChange<ProjectedCollection<Element>>
  /// The values of the collection.
  public typealias _ObservedElement = Element

  /// Returns a maker of observations. They report insertions, deletions, and changes of the projected property, or of
  /// the given key paths instead.
  public static func _observation(
    _ keyPaths: [String]?, _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) -> _ObservationMaker<ProjectedCollection> {
    _ObservationMaker { collection, _, _ in
      let names = keyPaths.flatMap { $0.isEmpty ? nil : $0 } ?? [collection.name]
      return CollectionObservation(collection.core, keyPaths: names) {
        block(RealmCollectionChange(collection, $0))
      }
    }
  }
}
