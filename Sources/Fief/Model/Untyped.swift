import FiefGraph
import FiefValues
import Foundation

/// Reads numbers out of `Any`, by the conversions that realms allow: nothing is rounded, and nothing overflows silently.
///
/// What comes from `JSONSerialization` off Apple's platforms is `NSNumber` for every number and for booleans; which of the two it was
/// says its type encoding.
enum Untyped {
  /// An integer: integers of any width and booleans; never a fractional type, even when its value is whole. (A number of
  /// `JSONSerialization` that was written without fraction is an integer.)
  static func integer(_ value: Any) -> Int64? {
    if isObject(value) {
      guard let number = value as? NSNumber else { return nil }
      switch encoding(number) {
      case "f", "d": return nil
      case "Q": return Int64(exactly: number.uint64Value)
      default: return number.int64Value
      }
    }
    switch value {
    case let value as Int: return Int64(value)
    case let value as Bool: return value ? 1 : 0
    case let value as any BinaryInteger: return Int64(exactly: value)
    default: return nil
    }
  }

  static func isObject(_ value: Any) -> Bool { type(of: value) is AnyClass }

  /// A boolean: booleans and the integers 0 and 1.
  static func bool(_ value: Any) -> Bool? {
    if let value = exactly(value, Bool.self) { return value }
    guard let number = integer(value), number == 0 || number == 1 else { return nil }
    return number == 1
  }

  /// A number of double precision: floating types and integers.
  static func double(_ value: Any) -> Double? {
    if let value = exactly(value, Double.self) { return value }
    if isObject(value) { return (value as? NSNumber)?.doubleValue }
    switch value {
    case let value as Double: return value
    case let value as Float: return Double(value)
    case let value as any BinaryInteger: return Double(value)
    default: return nil
    }
  }

  /// A number of single precision: as `double`, and in range or not a number.
  static func float(_ value: Any) -> Float? {
    guard let wide = double(value) else { return nil }
    if wide.isFinite && abs(wide) > Double(Float.greatestFiniteMagnitude) { return nil }
    return Float(wide)
  }

  /// A decimal: decimals, numbers of any kind, numeric texts.
  static func decimal(_ value: Any) -> Decimal128? {
    if isObject(value) {
      guard let number = value as? NSNumber else { return (value as? String).flatMap(text) }
      return integer(number).map { Decimal128($0) } ?? Decimal128(number: number)
    }
    switch value {
    case let value as Decimal128: return value
    case let value as String: return text(value)
    case let value as Double: return Decimal128(value: value)
    case let value as Float: return Decimal128(value: value)
    case let value as any BinaryInteger: return Decimal128(exactly: value)
    default: return nil
    }
  }

  private static func text(_ text: String) -> Decimal128? { try? Decimal128(validating: text) }

  private static func encoding(_ number: NSNumber) -> String { String(cString: number.objCType) }
}

extension Untyped {
  /// Whether it stands for null: an empty optional, or `NSNull` as in what was parsed from JSON.
  static func isNull(_ value: Any) -> Bool { present(value) == nil }

  /// What it is, without the optionals around it; nil when it stands for null. (Only objects are asked whether they are one: asking
  /// anything else makes an object of it first.)
  static func present(_ value: Any) -> Any? {
    guard let inner = flattened(value) else { return nil }
    return isObject(inner) && inner is NSNull ? nil : inner
  }

  /// The stored form of something as a value of a column's type (or an element's); nil when it is of a wrong type, out of range or null.
  /// Enums and custom types are their own types' to read.
  static func stored(_ value: Any, _ type: ColumnType) -> StoredValue? {
    switch type.kind {
    case .int:
      guard let number = exactly(value, Int.self).map({ Int64($0) }) ?? integer(value) else { return nil }
      return type.width == .bits64 || type.width.range.contains(number) ? .int(number) : nil
    case .string: return (exactly(value, String.self) ?? value as? String).map(StoredValue.string)
    case .bool: return bool(value).map(StoredValue.bool)
    case .double: return double(value).map(StoredValue.double)
    case .float: return float(value).map(StoredValue.float)
    case .data: return (exactly(value, Data.self) ?? value as? Data).map(StoredValue.data)
    case .date: return (exactly(value, Date.self) ?? value as? Date).flatMap { Timestamp($0) }.map(StoredValue.date)
    case .objectId: return (exactly(value, ObjectId.self) ?? value as? ObjectId).map(StoredValue.objectId)
    case .uuid: return (exactly(value, UUID.self) ?? UUID._fromAny(value)).map(StoredValue.uuid)
    case .decimal: return decimal(value).map(StoredValue.decimal)
    case .link, .any: return nil
    }
  }

  /// The stored form of a single value of whatever type it has; nil when it has none.
  static func storedAny(_ value: Any) -> StoredValue? {
    if let value = exactly(value, Int.self) { return .int(Int64(value)) }
    if let value = exactly(value, String.self) { return .string(value) }
    if isObject(value) {
      switch value {
      case let value as NSNumber:
        switch encoding(value) {
        case "c", "B": return .bool(value.boolValue)
        case "f": return .float(value.floatValue)
        case "d": return .double(value.doubleValue)
        default: return integer(value).map(StoredValue.int)
        }
      case let value as NSString: return .string(value as String)
      case let value as Data: return .data(value)
      case let value as Date: return Timestamp(value).map(StoredValue.date)
      case let value as UUID: return .uuid(value)
      default: return nil
      }
    }
    switch value {
    case let value as String: return .string(value)
    case let value as Bool: return .bool(value)
    case let value as any BinaryInteger: return Int64(exactly: value).map(StoredValue.int)
    case let value as Double: return .double(value)
    case let value as Float: return .float(value)
    case let value as Data: return .data(value)
    case let value as Date: return Timestamp(value).map(StoredValue.date)
    case let value as ObjectId: return .objectId(value)
    case let value as UUID: return .uuid(value)
    case let value as Decimal128: return .decimal(value)
    case let value as Decimal: return (try? Decimal128(validating: value.description)).map(StoredValue.decimal)
    default: return nil
    }
  }

  /// A stored value as one of another column's type, by the same conversions; nil when it has no such form. Links and null stay.
  static func adapted(_ value: StoredValue, _ type: ColumnType) -> StoredValue? {
    switch value {
    case .null: return type.allowsNull ? .null : nil
    case .link: return value
    default: if type.element.holds(value) { return value }
    }
    switch value {
    case .bool(let value): return stored(value, type)
    case .int(let value): return stored(value, type)
    case .float(let value): return stored(value, type)
    case .double(let value): return stored(value, type)
    case .string(let value): return stored(value, type)
    default: return nil
    }
  }

  /// Something untyped in a few words, for messages. Never as long as it is, and never by its own description when it is a
  /// collection, which may be deep.
  static func words(_ value: Any) -> String {
    guard let inner = Untyped.present(value) else { return "null" }
    switch inner {
    case let text as String: return "'\(text.count > 64 ? text.prefix(64) + "…" : text[...])'"
    case let object as ObjectBase: return "an object of class '\(type(of: object).className())'"
    case let value as AnyRealmValue: return words(value)
    case let value as Data: return "\(value.count) bytes of data"
    case let value as any BinaryInteger: return "\(value)"
    case let value as any BinaryFloatingPoint: return "\(value)"
    case let value as Bool: return "\(value)"
    case let value as NSNumber: return "\(value)"
    case let value as Date: return "the date \(value)"
    case let value as UUID: return "the UUID \(value)"
    case let value as ObjectId: return "the ObjectId \(value)"
    case let value as Decimal128: return "the decimal \(value)"
    case is [String: Any]: return "a dictionary"
    case let value as any Collection: return "\(name(of: type(of: inner))) of \(value.count) elements"
    default: return "a value of type '\(name(of: type(of: inner)))'"
    }
  }

  private static func words(_ value: AnyRealmValue) -> String {
    switch value {
    case .none: "null"
    case .list: "a list"
    case .dictionary: "a dictionary"
    case .object(let object): "an object of class '\(type(of: object).className())'"
    default: if case .value(let stored) = AnyRealmValue._content(value) { "\(stored)" } else { "a value" }
    }
  }

  private static func name(of type: Any.Type) -> String {
    let name = String(describing: type)
    return name.count > 80 ? name.prefix(80) + "…" : name
  }
}
