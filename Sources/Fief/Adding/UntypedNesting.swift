import FiefGraph
import Foundation

/// Reads any-values out of `Any`: scalars, objects, and lists and dictionaries of such, however deep.
///
/// Nested collections are made empty and put on a work list, outermost first, so that depth costs memory and no stack.
enum UntypedNesting {
  private enum Task {
    case list(List<AnyRealmValue>, [Any])
    case map(Map<String, AnyRealmValue>, [String: Any])
  }

  /// The any-value that something stands for; nil when it, or something in it, is of a type that none can hold.
  static func value(_ value: Any) -> AnyRealmValue? {
    var tasks: [Task] = []
    guard let root = one(value, &tasks) else { return nil }
    var next = 0
    while next < tasks.count {
      switch tasks[next] {
      case .list(let list, let values):
        var elements: [AnyRealmValue] = []
        elements.reserveCapacity(values.count)
        for value in values {
          guard let element = one(value, &tasks) else { return nil }
          elements.append(element)
        }
        list.elements = elements
      case .map(let map, let values):
        for (key, value) in values {
          guard let element = one(value, &tasks) else { return nil }
          map.elements[key] = element
        }
      }
      next += 1
    }
    return root
  }

  private static func one(_ value: Any, _ tasks: inout [Task]) -> AnyRealmValue? {
    if let stored = Untyped.storedAny(value) { return scalar(stored) }
    if let value = value as? AnyRealmValue { return value }
    guard let inner = flattened(value), !(inner is NSNull) else { return AnyRealmValue.none }
    if let stored = Untyped.storedAny(inner) { return scalar(stored) }
    switch inner {
    case let value as AnyRealmValue: return value
    case let object as Object: return .object(object)
    case let list as List<AnyRealmValue>: return .list(list)
    case let map as Map<String, AnyRealmValue>: return .dictionary(map)
    case is ObjectBase, is CollectionBase: return nil
    case let values as [String: Any]:
      let map = Map<String, AnyRealmValue>()
      tasks.append(.map(map, values))
      return .dictionary(map)
    case let values as [Any]:
      let list = List<AnyRealmValue>()
      tasks.append(.list(list, values))
      return .list(list)
    default: return nil
    }
  }

  private static func scalar(_ value: StoredValue) -> AnyRealmValue? {
    switch value {
    case .null: AnyRealmValue.none
    case .bool(let value): .bool(value)
    case .int(let value): Int(exactly: value).map(AnyRealmValue.int)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data(value)
    case .date(let value): .date(value.date)
    case .objectId(let value): .objectId(value)
    case .uuid(let value): .uuid(value)
    case .decimal(let value): .decimal128(value)
    case .link: nil
    }
  }
}
