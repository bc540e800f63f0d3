import FiefValues
import Foundation

extension AnyRealmValue {
  /// The integer, when it is one. Nothing is converted.
  public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
  /// The boolean, when it is one. Nothing is converted.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The number of single precision, when it is one. Nothing is converted.
  public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
  /// The number of double precision, when it is one. Nothing is converted.
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
  /// The text, when it is one. Nothing is converted.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The bytes, when they are that. Nothing is converted.
  public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
  /// The point in time, when it is one. Nothing is converted.
  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
  /// The identifier, when it is one. Nothing is converted.
  public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }
  /// The decimal number, when it is one. Nothing is converted.
  public var decimal128Value: Decimal128? { if case .decimal128(let value) = self { value } else { nil } }
  /// The unique identifier, when it is one. Nothing is converted.
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }

  /// The list, when it is one: live, and mutable in place, when it was read from a managed object.
  public var listValue: List<AnyRealmValue>? { if case .list(let value) = self { value } else { nil } }

  /// The dictionary, when it is one: live, and mutable in place, when it was read from a managed object.
  public var dictionaryValue: Map<String, AnyRealmValue>? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  /// The object, when it is one of that class.
  public func object<T: Object>(_ type: T.Type) -> T? { if case .object(let value) = self { value as? T } else { nil } }

  /// The object by names alone, when it is one, of whatever class.
  public var dynamicObject: DynamicObject? {
    if case .object(let value) = self { DynamicObject.of(value) } else { nil }
  }

  /// An unmanaged list of values.
  public static func fromArray(_ values: [AnyRealmValue]) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    list.unmanaged = values
    return .list(list)
  }

  /// An unmanaged dictionary of values.
  public static func fromDictionary(_ values: [String: AnyRealmValue]) -> AnyRealmValue {
    let map = Map<String, AnyRealmValue>()
    map.unmanaged = values
    return .dictionary(map)
  }
}

extension AnyRealmValue: CustomStringConvertible {
  /// Case and value as text, as in `int(1)`; objects and collections one property or element a line, to five levels.
  public var description: String {
    let name =
      switch self {
      case .none: "none"
      case .int: "int"
      case .bool: "bool"
      case .float: "float"
      case .double: "double"
      case .string: "string"
      case .data: "data"
      case .date: "date"
      case .object: "object"
      case .objectId: "objectId"
      case .decimal128: "decimal128"
      case .uuid: "uuid"
      case .dictionary: "dictionary"
      case .list: "list"
      }
    switch self {
    case .none: return name
    case .bool(let value): return "bool(\(value))"
    case .float(let value): return "float(\(value))"
    case .double(let value): return "double(\(value))"
    default: return "\(name)(\(ObjectDescription.text(self)))"
    }
  }
}
