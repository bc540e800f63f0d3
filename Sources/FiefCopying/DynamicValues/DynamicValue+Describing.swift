internal import FiefGraph
import FiefValues
import Foundation

extension DynamicValue {
  /// A short description of an untyped value, for messages. Its length is bounded. Collections, which may be deep, are
  /// not asked for their own description.
  package static func description(of value: Any) -> String {
    guard let inner = present(value) else { return "null" }
    if isObject(inner) { return description(object: inner as AnyObject) }
    switch inner {
    case let text as String: return quoted(text)
    case let value as any MessageDescribing: return value.messageDescription
    case let value as Data: return "\(value.count) bytes of data"
    case let value as Bool: return "\(value)"
    case let value as any BinaryInteger: return cut("\(value)")
    case let value as any BinaryFloatingPoint: return "\(value)"
    case let value as Decimal: return cut("\(value)")
    case let value as Date: return description(of: value)
    case let value as UUID: return "the UUID \(value)"
    case let value as ObjectId: return "the ObjectId \(value)"
    case let value as Decimal128: return "the decimal \(value)"
    case is any DynamicDictionary: return "a dictionary"
    case let value as any DynamicArray: return "\(name(of: type(of: inner))) of \(value.count) elements"
    default: return "a value of type '\(name(of: type(of: inner)))'"
    }
  }

  private static func description(object: AnyObject) -> String {
    switch object {
    case let object as any MessageDescribing: object.messageDescription
    case let text as NSString: quoted(text as String)
    case let number as NSNumber: cut("\(number)")
    case let data as NSData: "\(data.length) bytes of data"
    case let date as NSDate: description(of: date as Date)
    case let array as NSArray: "an array of \(array.count) elements"
    case is NSDictionary: "a dictionary"
    default: "a value of type '\(name(of: type(of: object)))'"
    }
  }

  /// Foundation cannot describe a date that is not a number.
  private static func description(of date: Date) -> String {
    Timestamp(date).map { "the date \($0)" } ?? "\(Timestamp.notAMoment)"
  }

  private static func quoted(_ text: String) -> String {
    let start = text.prefix(64)
    return start.endIndex == text.endIndex ? "'\(text)'" : "'\(start)…'"
  }

  private static func cut(_ text: String) -> String { text.utf8.count > 80 ? "\(text.prefix(80))…" : text }

  private static func name(of type: Any.Type) -> String { cut(String(describing: type)) }
}
