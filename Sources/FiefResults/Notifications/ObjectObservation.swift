import FiefGraph
import FiefObjects
import FiefRuntime
import FiefSessions

/// An observation of an object or a projection.
final class ObjectObservation: SessionObservation {
  /// Returns the properties that changed between two versions, in both of which the object exists.
  typealias Changes = (_ difference: VersionDifference, _ session: Session) -> [PropertyChange]

  let progress: ObservationProgress
  private let row: ObjectLink
  private let changes: Changes
  /// The observer's block. Nil instead of changes means that the object was deleted.
  private let call: ([PropertyChange]?) -> Void

  /// - Parameter start: the version from which changes are reported.
  init(
    _ row: ObjectLink, from start: Graph, finding changes: @escaping Changes,
    _ call: @escaping ([PropertyChange]?) -> Void
  ) {
    self.row = row
    self.changes = changes
    self.call = call
    progress = ObservationProgress(delivered: start)
  }

  func deliver(_ session: Session, _ delivery: Delivery) {
    let old = delivered
    delivered = session.graph
    guard delivered.contains(row) else {
      end()
      return call(nil)
    }
    let difference = delivery.difference(from: old, to: delivered)
    if difference.isEmpty { return }
    let changes = changes(difference, session)
    if !changes.isEmpty { call(changes) }
  }

  func skip(from old: Graph, to new: Graph) {
    guard delivered.version == old.version else { return }
    delivered = new
    if !new.contains(row) { end() }
  }
}

extension ObjectBase {
  /// Returns the closure that finds the changes of the object's properties: of all, or of those on key paths. Traps for
  /// a name that is not a property.
  final func changes(
    of row: ObjectLink, _ binding: ClassBinding, on keyPaths: [String]?
  ) -> ObjectObservation.Changes {
    let paths = keyPaths?.map { text in
      let path = ObservedPath(text, from: binding)
      return (number: binding.model.number(of: String(text.prefix { $0 != "." })) ?? 0, path: path)
    }
    return { difference, session in
      let numbers: any Sequence<Int>
      if let paths {
        numbers = Set(paths.filter { difference.rows(changedOn: $0.path).contains(row.key) }.map(\.number)).sorted()
      } else {
        // Thousands of objects may be observed, of which one has changed.
        if !difference.mayBeChanged(row) { return [] }
        numbers = binding.model.properties.lazy.filter {
          $0.isStored && difference.isChanged(binding.cell(row.key, $0.number))
        }.map(\.number)
      }
      return numbers.map { number in
        let property = binding.model.properties[number]
        guard property.isStored, !binding.type(of: number).isCollection else {
          return PropertyChange(name: property.name, oldValue: nil, newValue: property.value(in: self))
        }
        /// Converts a stored value for observers. Integers get their declared type; links become objects, or nil when
        /// the object no longer exists. A collection in an any-value has no earlier state here: what could be read of
        /// it is the present one, or nothing if it was replaced.
        func value(in graph: Graph, isOld: Bool) -> Any? {
          switch graph.value(binding.cell(row.key, number)) {
          case .link(let link)? where link.table.isNested && isOld: nil
          case .link(let link)? where !link.table.isNested:
            difference.new.contains(link) ? session.accessor(link) : nil
          case .int(let number)? where property.facts.kind == .int:
            property.facts.integer.init(truncatingIfNeeded: number)
          case let stored?: DynamicAccess.plain(stored, session)
          case nil: nil
          }
        }
        return PropertyChange(
          name: property.name, oldValue: value(in: difference.old, isOld: true),
          newValue: value(in: difference.new, isOld: false))
      }
    }
  }

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
      before.bind(
        Session(session.store, .frozen, options: session.options, frozenAt: difference.old), binding, at: row.key)
      return changed.map { member, _ in
        PropertyChange(
          name: member.name, oldValue: before.hasRow ? Self.present(member.value(before), in: session) : nil,
          newValue: member.value(self))
      }
    }
  }

  /// Returns an old value as observers get it: an object in its present state, or nil when it no longer exists, and nil
  /// for a collection.
  private static func present(_ old: Any?, in session: Session) -> Any? {
    switch old {
    case let object as any ThreadConfined & _ObjectRepresentable: object._resolved(in: Realm(session))
    case is any ThreadConfined: nil
    case let value as AnyRealmValue:
      value.holding { $0 is CollectionBase ? nil : $0._resolved(in: Realm(session)) }
    default: old
    }
  }
}
