import FiefGraph
import FiefSessions

/// An observation of an object.
final class ObjectObservation: SessionObservation {
  let progress: ObservationProgress
  /// The observer's block. Nil instead of changes means that the object was deleted.
  private let call: ([PropertyChange]?) -> Void
  private let binding: ClassBinding
  private let key: ObjectKey
  private let paths: [ObservedPath]?
  private let object: ObjectBase

  /// - Parameter seen: the version from which changes are reported.
  init(
    _ object: ObjectBase, _ binding: ClassBinding, seen: Graph, keyPaths: [String]?,
    _ call: @escaping ([PropertyChange]?) -> Void
  ) {
    self.object = object
    self.binding = binding
    self.call = call
    key = object.key
    paths = ObservedPath.parse(keyPaths, binding)
    progress = ObservationProgress(seen: seen)
  }

  func deliver(_ session: Session, _ differences: Differences) {
    let old = seen
    seen = session.graph
    guard seen.contains(ObjectLink(binding.table, key)) else {
      end()
      return call(nil)
    }
    let difference = differences.between(old, seen)
    if difference.isEmpty { return }
    var numbers: [Int] = []
    if let paths {
      let hit = Set(paths.filter { difference.rows(changedOn: $0.path).contains(key) }.map(\.first))
      numbers = hit.sorted()
    } else {
      numbers = difference.properties(of: key, binding)
    }
    if numbers.isEmpty { return }
    call(numbers.map { change(of: $0, from: old, session) })
  }

  private func change(of number: Int, from old: Graph, _ session: Session) -> PropertyChange {
    let property = binding.model.properties[number]
    guard property.isStored, !binding.columnTypes[number].isCollection else {
      return PropertyChange(name: property.name, oldValue: nil, newValue: property.access.get(object, number))
    }
    let cell = binding.cell(key, number)
    return PropertyChange(
      name: property.name, oldValue: value(old.value(cell), property, session),
      newValue: value(seen.value(cell), property, session))
  }

  /// Converts a stored value for observers. Integers get their declared type; links become objects, or nil when the
  /// object no longer exists.
  private func value(_ value: StoredValue?, _ property: ModelProperty, _ session: Session) -> Any? {
    guard let value else { return nil }
    switch value {
    case .link(let link) where link.table.isNested: return DynamicValues.plain(value, session)
    case .link(let link): return seen.contains(link) ? session.accessor(link) : nil
    case .int(let number) where property.facts.kind == .int:
      return property.facts.integer.init(truncatingIfNeeded: number)
    default: return DynamicValues.plain(value, session)
    }
  }
}

extension Difference {
  /// Returns the indexes of a row's own stored properties that changed, ascending.
  func properties(of key: ObjectKey, _ binding: ClassBinding) -> [Int] {
    binding.model.properties.compactMap { property in
      guard property.isStored else { return nil }
      return isChanged(binding.cell(key, property.number)) ? property.number : nil
    }
  }
}
