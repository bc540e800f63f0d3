import FiefCopying
public import FiefGraph
public import FiefValues
public import Foundation

// Strings, data, dates and identifiers. `_PersistableScalar` documents the requirements.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension String: _PersistableScalar {
  public typealias PersistedType = String
  public typealias _Stored = String
  @inlinable public static var _kind: ValueKind { .string }
  @inlinable public static func _makeDefault() -> String { "" }
  @inlinable public var _stored: String { self }
  @inlinable public init?(_stored: String) { self = _stored }

  public static func _fromAny(_ value: Any) -> String? { Represented.read(value, DynamicValue.text) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Data: _PersistableScalar {
  public typealias PersistedType = Data
  public typealias _Stored = Data
  @inlinable public static var _kind: ValueKind { .data }
  @inlinable public static func _makeDefault() -> Data { Data() }
  @inlinable public var _stored: Data { self }
  @inlinable public init?(_stored: Data) { self = _stored }

  public static func _fromAny(_ value: Any) -> Data? {
    Represented.read(value) { DynamicValue.cast($0, to: Data.self) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Date: _PersistableScalar {
  public typealias PersistedType = Date
  public typealias _Stored = Timestamp
  @inlinable public static var _kind: ValueKind { .date }
  @inlinable public static func _makeDefault() -> Date { Date() }
  @inlinable public var _stored: Timestamp { Timestamp(self) ?? .notAMoment }
  @inlinable public init?(_stored: Timestamp) { self = _stored.date }

  public static func _fromAny(_ value: Any) -> Date? { Represented.read(value, DynamicValue.date) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UUID: _PersistableScalar {
  public typealias PersistedType = UUID
  public typealias _Stored = UUID
  @inlinable public static var _kind: ValueKind { .uuid }
  @inlinable public static func _makeDefault() -> UUID { UUID() }
  @inlinable public var _stored: UUID { self }
  @inlinable public init?(_stored: UUID) { self = _stored }

  public static func _fromAny(_ value: Any) -> UUID? { Represented.read(value, DynamicValue.uuid) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ObjectId: _PersistableScalar {
  public typealias PersistedType = ObjectId
  public typealias _Stored = ObjectId
  @inlinable public static var _kind: ValueKind { .objectId }
  @inlinable public static func _makeDefault() -> ObjectId { .generate() }
  @inlinable public var _stored: ObjectId { self }
  @inlinable public init?(_stored: ObjectId) { self = _stored }

  public static func _fromAny(_ value: Any) -> ObjectId? {
    Represented.read(value) { DynamicValue.cast($0, to: ObjectId.self) }
  }
}
