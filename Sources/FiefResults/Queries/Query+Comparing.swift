import FiefGraph
import FiefObjects
public import FiefQueries

extension Query where T: _HasPersistedType {
  /// Whether the value equals a constant; null equals only null.
  ///
  ///     dogs.where { $0.name == "Rex" }
  @inlinable
  public static func == (a: Query, b: T) -> Query<Bool> { a.compare(.equal, to: b) }
  /// Whether the value differs from a constant. Null differs from every constant but nil.
  ///
  ///     dogs.where { $0.name != "Rex" }
  @inlinable
  public static func != (a: Query, b: T) -> Query<Bool> { a.compare(.notEqual, to: b) }
  /// Whether two properties have equal values.
  ///
  ///     dogs.where { $0.favoriteToy == $0.toy.color }
  public static func == (a: Query, b: Query) -> Query<Bool> { a.compare(.equal, with: b) }
  /// Whether two properties have different values. Null differs from every other value.
  ///
  ///     dogs.where { $0.name != $0.favoriteToy }
  public static func != (a: Query, b: Query) -> Query<Bool> { a.compare(.notEqual, with: b) }

  /// Whether the value equals one of several constants, which may include nil.
  ///
  ///     dogs.where { $0.name.in(["Rex", "Kit"]) }
  public func `in`<S: Sequence>(_ values: S) -> Query<Bool> where S.Element == T {
    compare(.in, Self.constants(values))
  }
}

// The type of a generic query need not have a stored type to be compared with nil.
extension Query where T: _RealmSchemaDiscoverable & ExpressibleByNilLiteral {
  /// Whether the value equals a constant; null equals only null.
  @_disfavoredOverload
  public static func == (a: Query, b: T) -> Query<Bool> { a.compare(.equal, to: b) }
  /// Whether the value differs from a constant. Null differs from every constant but nil.
  @_disfavoredOverload
  public static func != (a: Query, b: T) -> Query<Bool> { a.compare(.notEqual, to: b) }
}

extension Query where T: _HasPersistedType, T.PersistedType: SortableType {
  /// Whether the value comes after a constant; false for null.
  ///
  ///     dogs.where { $0.age > 3 }
  @inlinable
  public static func > (a: Query, b: T) -> Query<Bool> { a.compare(.greater, to: b) }
  /// Whether the value comes after a constant, or equals it. Null equals only nil.
  ///
  ///     dogs.where { $0.age >= 3 }
  @inlinable
  public static func >= (a: Query, b: T) -> Query<Bool> { a.compare(.greaterOrEqual, to: b) }
  /// Whether the value comes before a constant; false for null.
  ///
  ///     dogs.where { $0.age < 3 }
  @inlinable
  public static func < (a: Query, b: T) -> Query<Bool> { a.compare(.less, to: b) }
  /// Whether the value comes before a constant, or equals it. Null equals only nil.
  ///
  ///     dogs.where { $0.born <= Date() }          // of 'born: Date?'
  @inlinable
  public static func <= (a: Query, b: T) -> Query<Bool> { a.compare(.lessOrEqual, to: b) }
  /// Whether one property's value comes after another's; false if one is null.
  ///
  ///     dogs.where { $0.age > $0.owner.age }
  public static func > (a: Query, b: Query) -> Query<Bool> { a.compare(.greater, with: b) }
  /// Whether one property's value comes after another's, or equals it.
  ///
  ///     persons.where { $0.age >= $0.dog.age }
  public static func >= (a: Query, b: Query) -> Query<Bool> { a.compare(.greaterOrEqual, with: b) }
  /// Whether one property's value comes before another's; false if one is null.
  ///
  ///     dogs.where { $0.name < $0.owner.name }
  public static func < (a: Query, b: Query) -> Query<Bool> { a.compare(.less, with: b) }
  /// Whether one property's value comes before another's, or equals it.
  ///
  ///     persons.where { $0.age <= $0.friend.age }
  public static func <= (a: Query, b: Query) -> Query<Bool> { a.compare(.lessOrEqual, with: b) }
}

extension Query where T: Comparable {
  /// Whether the value lies in a range, whose upper bound is not part of it.
  ///
  ///     dogs.where { $0.age.contains(3..<9) }
  public func contains(_ range: Range<T>) -> Query<Bool> { within(range.lowerBound, range.upperBound) }
  /// Whether the value, a number or a date, lies in a range, whose bounds are part of it. Traps for other types.
  ///
  ///     dogs.where { $0.age.contains(3...8) }
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> { between(range.lowerBound, range.upperBound) }
}

extension Query where T: OptionalProtocol, T.Wrapped: Comparable {
  /// Whether the value lies in a range, whose upper bound is not part of it; null does not.
  ///
  ///     dogs.where { $0.born.contains(Date.distantPast..<Date()) }          // of 'born: Date?'
  public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> { within(range.lowerBound, range.upperBound) }

  /// Whether the value, a number or a date, lies in a range, whose bounds are part of it; null does not. Traps for
  /// other types.
  ///
  ///     dogs.where { $0.born.contains(Date.distantPast...Date()) }          // of 'born: Date?'
  public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> { between(range.lowerBound, range.upperBound) }
}

extension Query {
  func within<Bound>(_ low: Bound, _ high: Bound) -> Query<Bool> {
    compare(.greaterOrEqual, Self.constant(low)) && compare(.less, Self.constant(high))
  }

  func between<Bound>(_ low: Bound, _ high: Bound) -> Query<Bool> { compare(.between, Self.constants([low, high])) }
}

// MARK: - Stored values

extension Query where T: PersistableEnum {
  /// The stored raw value, including one that is not a case of the enum: `$0.level.rawValue > 3`.
  ///
  ///     dogs.where { $0.level.rawValue > 3 }
  public var rawValue: Query<T.RawValue> { retyped() }
}

extension Query where T: _HasPersistedType {
  /// The stored value of a custom type, as the type that it is mapped to: `$0.height.persistableValue > 1.5`.
  ///
  ///     persons.where { $0.email.persistableValue.ends(with: ".org") }
  @_disfavoredOverload
  public var persistableValue: Query<T.PersistedType> { retyped() }
}

/// An optional enum. Applications do not conform to it.
public protocol _OptionalEnum {
  /// The raw value, optional.
  associatedtype OptionalRawValue
}

extension Optional: _OptionalEnum where Wrapped: PersistableEnum {
  /// The raw value, optional.
  public typealias OptionalRawValue = Wrapped.RawValue?
}

extension Query where T: _OptionalEnum {
  /// The stored raw value, including one that is not a case of the enum.
  ///
  ///     dogs.where { $0.colour.rawValue == "mauve" }          // of 'colour: Colour?'
  public var rawValue: Query<T.OptionalRawValue> { retyped() }
}
