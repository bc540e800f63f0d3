import FiefValues
import Foundation

extension Value {
  /// This value as a value of another kind, if the conversion loses nothing; nil otherwise. Null stays null.
  ///
  /// - Numbers become other numbers of equal value. A double becomes the decimal of its shortest digits, a float that
  ///   of the equal double. Booleans become 0 and 1, and back.
  /// - A boolean, a number, an object id, a UUID or a date becomes the string that parses back to it, and such a string
  ///   becomes the value.
  /// - Strings become data in UTF-8, and data that is valid UTF-8 becomes a string.
  /// - Everything becomes an any-value, and an any-value becomes its content.
  public func converted(to kind: ValueKind) -> Value? {
    if isNull || kind == .any || kind == self.kind { return self }
    switch kind {
    case .bool: return asInteger.flatMap { $0 & ~1 == 0 ? .bool($0 == 1) : nil }
    case .int: return asInteger.map(Value.int)
    case .float:
      // The string is parsed as a float. Parsing it as a double first would make "0.1" a number that no float equals.
      if case .string(let text) = self { return number(text, Float.init, \.isInfinite).map(Value.float) }
      return asDouble.flatMap { Float(exactly: $0) ?? ($0.isNaN ? .nan : nil) }.map(Value.float)
    case .double: return asDouble.map(Value.double)
    case .decimal: return asDecimal.map(Value.decimal)
    case .string: return text.map(Value.string)
    case .data:
      guard case .string(let text) = self else { return nil }
      return .data(Data(text.utf8))
    case .objectId:
      guard case .string(let text) = self else { return nil }
      return (try? ObjectId(string: text)).map(Value.objectId)
    case .uuid:
      guard case .string(let text) = self else { return nil }
      return UUID(uuidString: text).map(Value.uuid)
    case .date:
      guard case .string(let text) = self else { return nil }
      return Timestamp(text).map(Value.date)
    case .link, .any: return nil
    }
  }

  private var asInteger: Int64? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .int(let value): value
    case .float(let value): Int64(exactly: value)
    case .double(let value): Int64(exactly: value)
    case .decimal(let value): Int64(exactly: value)
    case .string(let text): Int64(text)
    default: nil
    }
  }

  private var asDouble: Double? {
    switch self {
    case .bool(let value): return value ? 1 : 0
    case .int(let value): return Double(exactly: value)
    case .float(let value): return Double(value)
    case .double(let value): return value
    case .decimal(let value):
      let double = value.doubleValue
      return value.isNaN || Decimal128(double) == value ? double : nil
    case .string(let text): return number(text, Double.init, \.isInfinite)
    default: return nil
    }
  }

  /// Parses a number; nil if the string is not a number, or its number exceeds the greatest finite one (it is not
  /// infinity).
  private func number<Number>(_ text: String, _ parse: (String) -> Number?, _ isInfinite: (Number) -> Bool) -> Number? {
    guard let number = parse(text) else { return nil }
    return isInfinite(number) && text.utf8.contains(where: { 48...57 ~= $0 }) ? nil : number
  }

  private var asDecimal: Decimal128? {
    switch self {
    case .bool(let value): return Decimal128(value ? 1 : 0)
    case .int(let value): return Decimal128(value)
    case .float(let value): return Decimal128(Double(value))
    case .double(let value): return Decimal128(value)
    case .string(let text): return number(text, { try? Decimal128(validating: $0) }, \.isInfinite)
    default: return nil
    }
  }

  private var text: String? {
    switch self {
    case .bool(let value): "\(value ? 1 : 0)"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .decimal(let value): value.stringValue
    case .data(let data): String(validating: data, as: UTF8.self)
    case .date(let value): value.description
    case .objectId(let value): value.stringValue
    case .uuid(let value): value.uuidString
    default: nil
    }
  }
}
