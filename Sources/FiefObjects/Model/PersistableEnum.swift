import FiefCopying
public import FiefGraph

/// An enum that can be the type of a property, stored as its raw value.
///
///     enum Colour: String, PersistableEnum { case red, green, blue }
///
///     class Lamp: Object {
///       @Persisted var colour: Colour          // .red at first
///       @Persisted var spare: Colour?
///       @Persisted var sequence: List<Colour>
///     }
///
/// The conformance needs no code. Raw values can be integers of every width, `Float`, `Double` and `String`. A store
/// holds only the raw value. A raw value without a case (for example, because the case was removed) reads as nil where
/// the property is optional, and traps where it is not; the description of the object shows it. A required property
/// that a migration adds begins with the declared default or the first case, if no case stands for zero or the empty
/// string.
public protocol PersistableEnum: _PersistableScalar, _RealmCollectionValueInsideOptional, RealmOptionalType,
  RawRepresentable, CaseIterable, Comparable, MinMaxType, SortableType
where RawValue: _PersistableScalar & Comparable, PersistedType == RawValue, _Stored == RawValue._Stored {}

/// The name that older code uses for enums as property types.
public typealias RealmEnum = PersistableEnum

extension PersistableEnum {
  /// The first case. Traps for an enum without cases.
  ///
  ///     enum Colour: String, PersistableEnum { case red, green, blue }
  ///     print(Colour())          // red
  @inlinable
  public init() {
    guard let first = Self.allCases.first else {
      fatalError("The enum '\(Self.self)' has no cases: a property of its type can have no value.")
    }
    self = first
  }

  /// Compares raw values.
  ///
  ///     enum Level: Int, PersistableEnum { case low = 1, high = 10 }
  ///     print(Level.low < .high)          // true
  @inlinable
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

// `_PersistableScalar` documents the requirements.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PersistableEnum {
  // The raw value may be computed by code of the application, and so may the cases, which give the default.
  public static var _facts: _TypeFacts {
    var facts = RawValue._facts.mapped
    facts.isEnumeration = true
    return facts
  }

  @inlinable public static var _kind: ValueKind { RawValue._kind }
  @inlinable public static func _makeDefault() -> Self { Self() }
  @inlinable public var _stored: RawValue._Stored { rawValue._stored }

  @inlinable
  public init?(_stored: RawValue._Stored) {
    guard let raw = RawValue(_stored: _stored) else { return nil }
    self.init(rawValue: raw)
  }

  public static func _plain(_ value: Self) -> Any? { value.rawValue }

  public static func _fromAny(_ value: Any) -> Self? {
    if let value = DynamicValue.cast(value, to: Self.self) { return value }
    return RawValue._fromAny(value).flatMap { Self(rawValue: $0) }
  }
}
