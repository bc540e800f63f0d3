import FiefValues
import Foundation

// The types that any-values hold as such. All others encode themselves.

/// The depth to which values may be nested: coders use the stack.
let greatestCodingDepth = 100

/// A step into an any-value: the key of a member, or the position of an element.
struct CodingStep: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ position: Int) { (stringValue, intValue) = ("\(position)", position) }
  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { self.init(intValue) }

  /// The step to the value of which a class's superclass is made.
  static var superclass: CodingStep { CodingStep(stringValue: "super") }
}

extension AnyRealmValue {
  /// The any-value of a value that any-values hold as such; nil for others.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - path: the path of the value, for errors.
  /// - Throws: `EncodingError` for an integer that a decimal would round.
  init?(holding value: Any, at path: [any CodingKey]) throws {
    switch value {
    case let value as Bool: self = .bool(value)
    case let value as Int: self = .int(value)
    case let value as Double: self = .double(value)
    case let value as String: self = .string(value)
    case let value as Float: self = .float(value)
    case let value as any FixedWidthInteger:
      if let small = Int(exactly: value) {
        self = .int(small)
      } else if let decimal = Decimal128(exactly: value) {
        self = .decimal128(decimal)
      } else {
        throw EncodingError.invalidValue(
          value,
          EncodingError.Context(
            codingPath: path, debugDescription: "A decimal holds 34 digits, and so would round the number."))
      }
    case let value as Date: self = .date(value)
    case let value as Data: self = .data(value)
    case let value as UUID: self = .uuid(value)
    case let value as ObjectId: self = .objectId(value)
    case let value as Decimal128: self = .decimal128(value)
    case let value as URL: self = .string(value.absoluteString)
    default: return nil
    }
  }

  /// The value as a type that any-values hold as such.
  ///
  /// - Returns: nil for another type; nil inside when the value is of a wrong type, or out of range.
  func held<Value>(as type: Value.Type) -> Value?? {
    switch type {
    case is Bool.Type: return boolValue as? Value
    case is String.Type: return stringValue as? Value
    case is Double.Type: return real as? Value
    case is Float.Type: return (floatValue ?? real.map { Float($0) }) as? Value
    case let type as any FixedWidthInteger.Type: return integer(as: type) as? Value
    case is Date.Type: return dateValue as? Value
    case is Data.Type: return dataValue as? Value
    case is UUID.Type: return uuidValue as? Value
    case is ObjectId.Type: return objectIdValue as? Value
    case is Decimal128.Type:
      return (decimal128Value ?? intValue.map { Decimal128(integerLiteral: Int64($0)) }) as? Value
    case is URL.Type: return stringValue.flatMap(URL.init(string:)) as? Value
    default: return nil
    }
  }

  private var real: Double? {
    switch self {
    case .double(let value): value
    case .float(let value): Double(value)
    case .int(let value): Double(value)
    default: nil
    }
  }

  private func integer<Value: FixedWidthInteger>(as type: Value.Type) -> Value? {
    switch self {
    case .int(let value): Value(exactly: value)
    case .decimal128(let value): Value(value.stringValue) ?? Value(digits(of: value))
    default: nil
    }
  }

  /// The digits of a decimal that is printed with an exponent; no number for one that is not whole.
  private func digits(of decimal: Decimal128) -> String {
    let parts = decimal.stringValue.split(separator: "E")
    let digits = parts[0].split(separator: ".")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return "" }
    let zeros = exponent - (digits.count == 2 ? digits[1].count : 0)
    return zeros < 0 ? "" : digits.joined() + String(repeating: "0", count: zeros)
  }
}
