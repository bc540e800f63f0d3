import FiefValues
import Foundation

/// Makes any-values of what knows no types: numbers, texts, arrays and dictionaries, as they come from JSON or stand in a program.
///
/// Containers are worked off by a list: each is entered in its parent empty, and filled later.
struct UntypedNest {
  private enum Task {
    case array([Any], List<AnyRealmValue>, Int32)
    case dictionary([String: Any], Map<String, AnyRealmValue>, Int32)
  }

  private var waiting: [Task] = []
  private var paths = ContainerPaths()

  /// The value; nil when something in it cannot be held, or contains itself.
  static func read(_ value: Any) -> AnyRealmValue? {
    if let text = exactly(value, String.self) { return .string(text) }
    var nest = UntypedNest()
    return nest.read(value)
  }

  private mutating func read(_ value: Any) -> AnyRealmValue? {
    guard let root = one(value, -1) else { return nil }
    while let task = waiting.popLast() {
      switch task {
      case .array(let values, let list, let node):
        var elements: [AnyRealmValue] = []
        elements.reserveCapacity(values.count)
        for value in values {
          guard let element = one(value, node) else { return nil }
          elements.append(element)
        }
        list.unmanaged = elements
      case .dictionary(let values, let map, let node):
        for (key, value) in values {
          guard let element = one(value, node) else { return nil }
          map.unmanaged[key] = element
        }
      }
    }
    return root
  }

  private mutating func one(_ value: Any, _ parent: Int32) -> AnyRealmValue? {
    guard let value = Untyped.present(value) else { return AnyRealmValue.none }
    if let scalar = Self.scalar(value) { return scalar }
    if Untyped.isObject(value) {
      switch value as AnyObject {
      case let value as Object: return .object(value)
      case let value as List<AnyRealmValue>: return .list(value)
      case let value as Map<String, AnyRealmValue>: return .dictionary(value)
      default: break
      }
    }
    switch UntypedContainer.of(value) {
    case .array(let values, let object):
      guard let node = paths.enter(object, below: parent) else { return nil }
      let list = List<AnyRealmValue>()
      waiting.append(.array(values, list, node))
      return .list(list)
    case .dictionary(let values, let object):
      guard let node = paths.enter(object, below: parent) else { return nil }
      let map = Map<String, AnyRealmValue>()
      waiting.append(.dictionary(values, map, node))
      return .dictionary(map)
    case nil: break
    }
    switch value {
    case let value as any PersistableEnum: return Self.raw(value)
    case let value as any _CustomPersistable: return Self.scalar(value.persistableValue)
    default: return nil
    }
  }

  private static func raw<Case: PersistableEnum>(_ value: Case) -> AnyRealmValue? { scalar(value.rawValue) }

  private static func scalar(_ value: Any) -> AnyRealmValue? {
    if !Untyped.isObject(value), let value = value as? AnyRealmValue { return value }
    // A date may be finer than what is stored.
    if let date = Untyped.date(value) { return .date(date) }
    return Untyped.storedAny(value).map { AnyRealmValue(scalar: $0) }
  }
}
