import FiefCopying
public import FiefGraph
import FiefRuntime
public import FiefValues
public import Foundation

// The types that are stored unchanged. `_PersistableScalar` documents the requirements.

/// The constraints that every one of them satisfies.
private typealias Scalar = _PersistableScalar & _RealmCollectionValueInsideOptional & RealmOptionalType
  & _DefaultConstructible
private typealias Number = Scalar & MinMaxType & AddableType & _QueryNumeric
private typealias Key = _PrimaryKey & _Indexable

/// Integers of every width.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _PersistableScalar where Self: FixedWidthInteger & SignedInteger & Sendable {
  @inlinable public static var _kind: ValueKind { .int }
  @inlinable public var _stored: Int64 { Int64(truncatingIfNeeded: self) }
  @inlinable public init?(_stored: Int64) { self.init(exactly: _stored) }

  public static func _fromAny(_ value: Any) -> Self? {
    if let value = Existential.value(value, as: Self.self) { return value }
    return Represented.read(value, DynamicValue.integer).flatMap { Self(exactly: $0) }
  }
}

extension Int: Number, Key {}
extension Int8: Number, Key {}
extension Int16: Number, Key {}
extension Int32: Number, Key {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Int64: Number, Key {
  @inlinable public var _stored: Int64 { self }
  @inlinable public init?(_stored: Int64) { self = _stored }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Bool: Scalar, Key, _SectionableType {
  @inlinable public static var _kind: ValueKind { .bool }
  @inlinable public var _stored: Int64 { self ? 1 : 0 }
  @inlinable public init?(_stored: Int64) { self = _stored != 0 }
  public static func _fromAny(_ value: Any) -> Bool? { Represented.read(value, DynamicValue.bool) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Float: Number {
  @inlinable public static var _kind: ValueKind { .float }
  public static func _fromAny(_ value: Any) -> Float? { Represented.read(value, DynamicValue.float) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Double: Number {
  @inlinable public static var _kind: ValueKind { .double }
  public static func _fromAny(_ value: Any) -> Double? { Represented.read(value, DynamicValue.double) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Decimal128: Number {
  @inlinable public static var _kind: ValueKind { .decimal }
  public static func _fromAny(_ value: Any) -> Decimal128? { Represented.read(value, DynamicValue.decimal) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension String: Scalar, Key, _QueryString, _MapKey {
  @inlinable public static var _kind: ValueKind { .string }
  public static func _fromAny(_ value: Any) -> String? { Represented.read(value, DynamicValue.text) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Data: Scalar, _QueryBinary {
  @inlinable public static var _kind: ValueKind { .data }
  // A part of other data has the positions of these, and keeps all of their memory. A realm stores its bytes.
  @inlinable public var _stored: Data { Data(self) }
  public static func _fromAny(_ value: Any) -> Data? {
    Represented.read(value) { DynamicValue.cast($0, to: Data.self) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Date: Scalar, _Indexable, MinMaxType, _QueryNumeric {
  @inlinable public static var _kind: ValueKind { .date }
  @inlinable public var _stored: Timestamp { Timestamp(self) ?? .notAMoment }
  @inlinable public init?(_stored: Timestamp) { self = _stored.date }
  public static func _fromAny(_ value: Any) -> Date? { Represented.read(value, DynamicValue.date) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UUID: Scalar, Key, _SectionableType {
  @inlinable public static var _kind: ValueKind { .uuid }
  public static func _fromAny(_ value: Any) -> UUID? { Represented.read(value, DynamicValue.uuid) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ObjectId: Scalar, Key, _SectionableType {
  @inlinable public static var _kind: ValueKind { .objectId }
  @inlinable public static func _makeDefault() -> ObjectId { .generate() }
  public static func _fromAny(_ value: Any) -> ObjectId? {
    Represented.read(value) { DynamicValue.cast($0, to: ObjectId.self) }
  }
}
