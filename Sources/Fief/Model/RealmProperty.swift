import FiefCopying

/// A property object that holds one value. It is the older way to declare optional numbers and any-values, which
/// Objective-C could not represent.
///
///     class Bike: Object {
///       let gears = RealmProperty<Int?>()
///       let anything = RealmProperty<AnyRealmValue>()
///     }
///     bike.gears.value = 3
///
/// New code declares `@Persisted var gears: Int?`. While the object is unmanaged, the value is held here. Later the row
/// holds it, and the rules for properties of managed objects apply.
public final class RealmProperty<Value: RealmPropertyType> {
  private let slot: PropertySlot<Value>

  /// A property with the default of its type: nil, or `.none`.
  ///
  ///     let gears = RealmProperty<Int?>()
  public init() { slot = PropertySlot(Value._makeDefault()) }

  /// The value. Reading and setting have the traps and errors of `Persisted.wrappedValue`.
  ///
  ///     try realm.write { bike.gears.value = 3 }
  public var value: Value {
    get { slot.value }
    set { slot.value = newValue }
  }
}

extension RealmProperty: TracedField {
  func notePassed() { slot.notePassed() }
}

extension RealmProperty: Equatable where Value: Equatable {
  /// Whether both have the same value.
  public static func == (a: RealmProperty, b: RealmProperty) -> Bool { a.value == b.value }
}

extension RealmProperty: CustomStringConvertible {
  /// A description of the value.
  public var description: String { flattened(value).map { "\($0)" } ?? "nil" }
}

extension RealmProperty: Encodable where Value: Encodable {
  /// Writes the value, or null.
  ///
  /// - Throws: the error of the encoder, or of the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension RealmProperty: Decodable where Value: Decodable {
  /// Reads a value, or null.
  ///
  /// - Throws: `DecodingError` for a value of another type.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    value = try decoder.singleValueContainer().decode(Value.self)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RealmProperty: AnyPersistedField {
  public static var isWrapper: Bool { false }
  public static var _fieldFacts: _TypeFacts { Value._facts }
  public static var _fieldAccess: _FieldAccess {
    unsafe .slot(Value.self) { unsafe $0.assumingMemoryBound(to: RealmProperty.self).pointee.slot }
  }
}

/// An optional number as a property object, in the oldest declaration style.
///
///     class Bike: Object {
///       let gears = RealmOptional<Int>()
///     }
///
/// New code declares `@Persisted var gears: Int?`.
@available(*, deprecated, message: "Declare the property with @Persisted, or use RealmProperty.")
public final class RealmOptional<Value: RealmOptionalType> {
  private let slot: PropertySlot<Value?>

  /// A property with the given value.
  public init(_ value: Value? = nil) { slot = PropertySlot(value) }

  /// The value; nil for null. Reading and setting have the traps and errors of `Persisted.wrappedValue`.
  public var value: Value? {
    get { slot.value }
    set { slot.value = newValue }
  }
}

@available(*, deprecated)
extension RealmOptional: TracedField {
  func notePassed() { slot.notePassed() }
}

@available(*, deprecated)
extension RealmOptional: Equatable where Value: Equatable {
  /// Whether both have the same value.
  public static func == (a: RealmOptional, b: RealmOptional) -> Bool { a.value == b.value }
}

@available(*, deprecated)
extension RealmOptional: CustomStringConvertible {
  /// A description of the value.
  public var description: String { value.map { "\($0)" } ?? "nil" }
}

@available(*, deprecated)
extension RealmOptional: Encodable where Value: Encodable {
  /// Writes the value, or null.
  ///
  /// - Throws: the error of the encoder, or of the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

@available(*, deprecated)
extension RealmOptional: Decodable where Value: Decodable {
  /// Reads a value, or null.
  ///
  /// - Throws: `DecodingError` for a value of another type.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Value?.self))
  }
}

@available(*, deprecated)
extension KeyedDecodingContainer {
  /// Reads a property; a missing key is nil.
  ///
  /// - Throws: `DecodingError` for a value of another type.
  public func decode<Value: Decodable>(
    _ type: RealmOptional<Value>.Type, forKey key: Key
  ) throws -> RealmOptional<Value> {
    try decodeIfPresent(type, forKey: key) ?? RealmOptional()
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, deprecated)
extension RealmOptional: AnyPersistedField {
  public static var isWrapper: Bool { false }
  public static var _fieldFacts: _TypeFacts { Value._optionalFacts }
  public static var _fieldAccess: _FieldAccess {
    unsafe .slot(Value?.self) { unsafe $0.assumingMemoryBound(to: RealmOptional.self).pointee.slot }
  }
}
