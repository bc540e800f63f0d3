import FiefValues
import Foundation

/// Makes any-values of what knows no types: numbers, texts, arrays and dictionaries, as they come from JSON or stand in a program.
///
/// Containers are worked off by a list: each is entered in its parent empty, and filled later.
enum UntypedNest {
  private enum Task {
    case array([Any], List<AnyRealmValue>)
    case dictionary([String: Any], Map<String, AnyRealmValue>)
  }

  /// The value; nil when something in it cannot be held.
  static func read(_ value: Any) -> AnyRealmValue? {
    var waiting: [Task] = []
    guard let root = one(value, &waiting) else { return nil }
    while let task = waiting.popLast() {
      switch task {
      case .array(let values, let list):
        var elements: [AnyRealmValue] = []
        elements.reserveCapacity(values.count)
        for value in values {
          guard let element = one(value, &waiting) else { return nil }
          elements.append(element)
        }
        list.unmanaged = elements
      case .dictionary(let values, let map):
        for (key, value) in values {
          guard let element = one(value, &waiting) else { return nil }
          map.unmanaged[key] = element
        }
      }
    }
    return root
  }

  private static func one(_ value: Any, _ waiting: inout [Task]) -> AnyRealmValue? {
    if let scalar = scalar(value) { return scalar }
    guard let value = flattened(value) else { return AnyRealmValue.none }
    if let scalar = scalar(value) { return scalar }
    switch value {
    case let value as List<AnyRealmValue>: return .list(value)
    case let value as Map<String, AnyRealmValue>: return .dictionary(value)
    case let value as [Any]: return array(value, &waiting)
    case let value as [String: Any]:
      let map = Map<String, AnyRealmValue>()
      waiting.append(.dictionary(value, map))
      return .dictionary(map)
    case let value as any PersistableEnum: return raw(value)
    case let value as any _CustomPersistable: return scalar(value.persistableValue)
    default: return nil
    }
  }

  private static func array(_ values: [Any], _ waiting: inout [Task]) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    waiting.append(.array(values, list))
    return .list(list)
  }

  private static func raw<Case: PersistableEnum>(_ value: Case) -> AnyRealmValue? { scalar(value.rawValue) }

  private static func scalar(_ value: Any) -> AnyRealmValue? {
    switch value {
    case let value as AnyRealmValue: return value
    case let value as String: return .string(value)
    case let value as Object: return .object(value)
    case is NSNull: return AnyRealmValue.none
    case let value as Data: return .data(value)
    case let value as Date: return .date(value)
    case let value as UUID: return .uuid(value)
    case let value as ObjectId: return .objectId(value)
    case let value as Decimal128: return .decimal128(value)
    default: return number(value)
    }
  }

  private static func number(_ value: Any) -> AnyRealmValue? {
    if type(of: value) is AnyClass {
      guard let number = value as? NSNumber else { return nil }
      // A boolean's encoding is that of a C character; no number is kept as one.
      switch String(cString: number.objCType) {
      case "c", "B": return .bool(number.boolValue)
      case "f": return .float(number.floatValue)
      case "d": return .double(number.doubleValue)
      case "Q": return Int(exactly: number.uint64Value).map { .int($0) } ?? .double(number.doubleValue)
      default: return .int(number.intValue)
      }
    }
    switch value {
    case let value as Bool: return .bool(value)
    case let value as Int: return .int(value)
    case let value as Double: return .double(value)
    case let value as Float: return .float(value)
    case let value as any BinaryInteger: return Int(exactly: value).map { .int($0) }
    default: return nil
    }
  }
}
