package import FiefGraph
internal import FiefRuntime
import FiefValues
import Foundation

/// Reads values out of `Any`, with the conversions that realms permit.
///
/// Integers keep their value or are rejected. `Double`, `Float` and `Decimal128` take the number nearest to the given
/// one, as JSON parsers do; nothing overflows silently.
///
/// **The type is checked before any cast to a class.** Off Apple's platforms, `as?` from a value to a class first makes
/// an object of the value. Foundation converts all contents of an array or dictionary that way, by recursion. Objects
/// may be cast to anything but arrays and dictionaries, which are also converted by recursion. `DynamicContainer` reads
/// those one level at a time.
@usableFromInline
package enum DynamicValue {
  @inlinable
  package static func isObject(_ value: Any) -> Bool { type(of: value) is AnyClass }

  /// `value as? Wanted`, which returns nil for non-objects when `Wanted` is a class.
  @inlinable
  package static func cast<Wanted>(_ value: Any, to wanted: Wanted.Type) -> Wanted? {
    guard let inner = isObject(value) ? value : flattened(value) else { return nil }
    if wanted is AnyClass && !isObject(inner) { return nil }
    return inner as? Wanted
  }

  /// Reads a number or boolean, also out of an optional.
  package static func number(_ value: Any) -> DynamicNumber? {
    isObject(value) ? DynamicNumber(value) : flattened(value).flatMap { DynamicNumber($0) }
  }

  /// Reads an integer: integers that fit in 64 bits, booleans and whole Foundation decimals. Binary floating-point
  /// numbers and `Decimal128` are rejected, even when their value is whole. (A number of `JSONSerialization` that was
  /// written without a fraction is an integer.)
  package static func integer(_ value: Any) -> Int64? { number(value)?.integer }

  /// Reads a boolean: booleans and the integers 0 and 1.
  package static func bool(_ value: Any) -> Bool? {
    if let value = Existential.value(value, as: Bool.self) { return value }
    guard let number = integer(value), number == 0 || number == 1 else { return nil }
    return number == 1
  }

  /// A number of double precision: floating types, integers and decimals of Foundation.
  package static func double(_ value: Any) -> Double? {
    Existential.value(value, as: Double.self) ?? number(value)?.double
  }

  /// A number of single precision: as `double`, and in range or not a number.
  package static func float(_ value: Any) -> Float? { Existential.value(value, as: Float.self) ?? number(value)?.float }

  /// Reads a decimal: decimals, numbers of any kind except booleans, numeric strings.
  package static func decimal(_ value: Any) -> Decimal128? {
    if let number = number(value) { return number.decimal }
    return text(value).flatMap { try? Decimal128(validating: $0) }
  }

  package static func text(_ value: Any) -> String? {
    Existential.value(value, as: String.self) ?? cast(value, to: String.self)
  }

  /// Reads a date; nil for a date that is not a number.
  package static func date(_ value: Any) -> Date? {
    guard let date = Existential.value(value, as: Date.self) ?? cast(value, to: Date.self) else { return nil }
    return date.timeIntervalSinceReferenceDate.isNaN ? nil : date
  }

  /// Reads a UUID, also from its string.
  package static func uuid(_ value: Any) -> UUID? {
    cast(value, to: UUID.self) ?? text(value).flatMap { UUID(uuidString: $0) }
  }
}

extension DynamicValue {
  /// Whether the value stands for null: an empty optional, or `NSNull`, which JSON parsers return.
  package static func isNull(_ value: Any) -> Bool { present(value) == nil }

  /// The value without the optionals around it; nil when it stands for null.
  package static func present(_ value: Any) -> Any? {
    guard let inner = isObject(value) ? value : flattened(value) else { return nil }
    return isObject(inner) && inner is NSNull ? nil : inner
  }

  /// The stored form of a value for a column's type (or an element's); nil when the value is null, out of range or of a
  /// wrong type. Enums and custom types convert themselves.
  package static func stored(_ value: Any, _ type: ColumnType) -> Value? {
    switch type.kind {
    case .int:
      guard let number = Existential.value(value, as: Int.self).map({ Int64($0) }) ?? integer(value) else { return nil }
      return type.width == .bits64 || type.width.range.contains(number) ? .int(number) : nil
    case .string: return text(value).map(Value.string)
    case .bool: return bool(value).map(Value.bool)
    case .double: return double(value).map(Value.double)
    case .float: return float(value).map(Value.float)
    // A part of other data has the positions of these, and keeps all of their memory: its bytes are copied.
    case .data: return (Existential.value(value, as: Data.self) ?? cast(value, to: Data.self)).map { .data(Data($0)) }
    case .date: return date(value).flatMap { Timestamp($0) }.map(Value.date)
    case .objectId:
      return (Existential.value(value, as: ObjectId.self) ?? cast(value, to: ObjectId.self)).map(Value.objectId)
    case .uuid: return (Existential.value(value, as: UUID.self) ?? uuid(value)).map(Value.uuid)
    case .decimal: return decimal(value).map(Value.decimal)
    case .link, .any: return nil
    }
  }

  /// The stored form of a single value of any type; nil when it has none.
  package static func storedAny(_ value: Any) -> Value? {
    if let value = Existential.value(value, as: Int.self) { return .int(Int64(value)) }
    if let value = Existential.value(value, as: String.self) { return .string(value) }
    guard let inner = isObject(value) ? value : flattened(value) else { return nil }
    if let number = DynamicNumber(inner) { return number.any }
    switch inner {
    case let value as String: return .string(value)
    case let value as Data: return .data(Data(value))
    case is Date: return date(inner).flatMap { Timestamp($0) }.map(Value.date)
    case let value as UUID: return .uuid(value)
    case let value as ObjectId: return .objectId(value)
    default: return nil
    }
  }

  /// Converts a stored value to another column's type with the same conversions; nil when that is not possible. Links
  /// stay unchanged; null stays where the type permits it.
  package static func adapted(_ value: Value, _ type: ColumnType) -> Value? {
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
}
