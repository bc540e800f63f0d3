import FiefCopying
public import FiefGraph
import FiefRuntime
import Foundation

// Numbers. `_PersistableScalar` documents the requirements.

/// Integers of every width.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _PersistableScalar where Self: FixedWidthInteger & SignedInteger & Sendable {
  @inlinable public static var _kind: ValueKind { .int }
  public static var _integer: any (FixedWidthInteger & Sendable).Type { Self.self }
  @inlinable public static func _makeDefault() -> Self { 0 }
  @inlinable public var _stored: Int64 { Int64(truncatingIfNeeded: self) }
  @inlinable public init?(_stored: Int64) { self.init(exactly: _stored) }

  public static func _fromAny(_ value: Any) -> Self? {
    if let value = Existential.value(value, as: Self.self) { return value }
    return Represented.read(value, DynamicValue.integer).flatMap { Self(exactly: $0) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Int: _PersistableScalar {
  public typealias PersistedType = Int
  public typealias _Stored = Int64
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Int8: _PersistableScalar {
  public typealias PersistedType = Int8
  public typealias _Stored = Int64
  @inlinable public static var _width: IntegerWidth { .bits8 }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Int16: _PersistableScalar {
  public typealias PersistedType = Int16
  public typealias _Stored = Int64
  @inlinable public static var _width: IntegerWidth { .bits16 }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Int32: _PersistableScalar {
  public typealias PersistedType = Int32
  public typealias _Stored = Int64
  @inlinable public static var _width: IntegerWidth { .bits32 }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Int64: _PersistableScalar {
  public typealias PersistedType = Int64
  public typealias _Stored = Int64
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Bool: _PersistableScalar {
  public typealias PersistedType = Bool
  public typealias _Stored = Int64
  @inlinable public static var _kind: ValueKind { .bool }
  @inlinable public static func _makeDefault() -> Bool { false }
  @inlinable public var _stored: Int64 { self ? 1 : 0 }
  @inlinable public init?(_stored: Int64) { self = _stored != 0 }

  public static func _fromAny(_ value: Any) -> Bool? { Represented.read(value, DynamicValue.bool) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Float: _PersistableScalar {
  public typealias PersistedType = Float
  public typealias _Stored = Float
  @inlinable public static var _kind: ValueKind { .float }
  @inlinable public static func _makeDefault() -> Float { 0 }
  @inlinable public var _stored: Float { self }
  @inlinable public init?(_stored: Float) { self = _stored }

  public static func _fromAny(_ value: Any) -> Float? { Represented.read(value, DynamicValue.float) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Double: _PersistableScalar {
  public typealias PersistedType = Double
  public typealias _Stored = Double
  @inlinable public static var _kind: ValueKind { .double }
  @inlinable public static func _makeDefault() -> Double { 0 }
  @inlinable public var _stored: Double { self }
  @inlinable public init?(_stored: Double) { self = _stored }

  public static func _fromAny(_ value: Any) -> Double? { Represented.read(value, DynamicValue.double) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Decimal128: _PersistableScalar {
  public typealias PersistedType = Decimal128
  public typealias _Stored = Decimal128
  @inlinable public static var _kind: ValueKind { .decimal }
  @inlinable public static func _makeDefault() -> Decimal128 { Decimal128() }
  @inlinable public var _stored: Decimal128 { self }
  @inlinable public init?(_stored: Decimal128) { self = _stored }

  public static func _fromAny(_ value: Any) -> Decimal128? { Represented.read(value, DynamicValue.decimal) }
}
