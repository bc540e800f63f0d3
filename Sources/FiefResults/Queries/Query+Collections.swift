import FiefGraph
import FiefObjects
import FiefQueries

// Lists, sets, maps and linking objects: a comparison holds if at least one element satisfies it. The elements of a map
// are its values.

extension Query where T: _QueriedCollection {
  /// How many elements or entries there are.
  ///
  ///     persons.where { $0.dogs.count > 2 }
  public var count: Query<Int> { step(.aggregate(.count)) }

  /// Whether there is no element. A collection behind a null link has none.
  ///
  ///     persons.where { $0.dogs.isEmpty }
  public var isEmpty: Query<Bool> { count.compare(.equal, to: 0) }

  /// Whether an element equals a constant.
  ///
  ///     persons.where { $0.dogs.contains(dog) && $0.tags.contains("tall") }
  public func contains(_ value: T._ObservedElement) -> Query<Bool> { elements.compare(.equal, Self.constant(value)) }

  /// Whether an element equals one of several constants.
  ///
  ///     persons.where { $0.tags.containsAny(in: ["tall", "shy"]) }
  public func containsAny<S: Sequence>(in values: S) -> Query<Bool> where S.Element == T._ObservedElement {
    elements.compare(.in, Self.constants(values))
  }

  private var elements: Query<T._ObservedElement> {
    T.self is any RealmKeyedCollection.Type ? step(.allValues) : retyped()
  }
}

extension Query where T: RealmCollection {
  /// Whether an element equals a constant.
  ///
  ///     persons.where { $0.tags == "tall" }
  public static func == (a: Query, b: T.Element) -> Query<Bool> { a.compare(.equal, constant(b)) }
  /// Whether an element differs from a constant.
  ///
  ///     persons.where { $0.tags != "tall" }          // those with another tag
  public static func != (a: Query, b: T.Element) -> Query<Bool> { a.compare(.notEqual, constant(b)) }
}

extension Query where T: RealmCollection, T.Element.PersistedType: SortableType {
  /// Whether an element comes after a constant.
  ///
  ///     persons.where { $0.lucky > 6 }
  public static func > (a: Query, b: T.Element) -> Query<Bool> { a.compare(.greater, constant(b)) }
  /// Whether an element comes after a constant, or equals it.
  ///
  ///     persons.where { $0.lucky >= 7 }
  public static func >= (a: Query, b: T.Element) -> Query<Bool> { a.compare(.greaterOrEqual, constant(b)) }
  /// Whether an element comes before a constant.
  ///
  ///     persons.where { $0.lucky < 0 }
  public static func < (a: Query, b: T.Element) -> Query<Bool> { a.compare(.less, constant(b)) }
  /// Whether an element comes before a constant, or equals it.
  ///
  ///     persons.where { $0.lucky <= 0 }
  public static func <= (a: Query, b: T.Element) -> Query<Bool> { a.compare(.lessOrEqual, constant(b)) }
}

extension Query where T: _QueriedCollection, T._ObservedElement: Comparable {
  /// Whether there are elements, and all of them lie in a range, whose upper bound is not part of it. Elements are
  /// numbers or dates; traps for other types.
  ///
  ///     persons.where { $0.lucky.contains(1..<10) }
  public func contains(_ range: Range<T._ObservedElement>) -> Query<Bool> {
    allWithin(range.lowerBound, range.upperBound, by: .less)
  }
  /// Whether there are elements, and all of them lie in a range, whose bounds are part of it. Elements are numbers or
  /// dates; traps for other types.
  ///
  ///     persons.where { $0.lucky.contains(1...9) }
  public func contains(_ range: ClosedRange<T._ObservedElement>) -> Query<Bool> {
    allWithin(range.lowerBound, range.upperBound, by: .lessOrEqual)
  }
}

extension Query
where T: _QueriedCollection, T._ObservedElement: OptionalProtocol, T._ObservedElement.Wrapped: Comparable {
  /// Whether there are elements that are not null, and all of those lie in a range, whose upper bound is not part of
  /// it. Elements are numbers or dates; traps for other types.
  ///
  ///     persons.where { $0.limits.contains(1..<10) }          // of 'limits: List<Int?>'
  public func contains(_ range: Range<T._ObservedElement.Wrapped>) -> Query<Bool> {
    allWithin(range.lowerBound, range.upperBound, by: .less)
  }

  /// Whether there are elements that are not null, and all of those lie in a range, whose bounds are part of it.
  /// Elements are numbers or dates; traps for other types.
  ///
  ///     persons.where { $0.limits.contains(1...9) }          // of 'limits: List<Int?>'
  public func contains(_ range: ClosedRange<T._ObservedElement.Wrapped>) -> Query<Bool> {
    allWithin(range.lowerBound, range.upperBound, by: .lessOrEqual)
  }
}

extension Query {
  /// Whether the least and the greatest element lie in a range.
  func allWithin<Bound>(_ low: Bound, _ high: Bound, by relation: Comparison.Operator) -> Query<Bool> {
    let (least, greatest): (Query<Bound>, Query<Bound>) = (aggregate(.minimum), aggregate(.maximum))
    return least.compare(.greaterOrEqual, Self.constant(low)) && greatest.compare(relation, Self.constant(high))
  }

  /// An aggregate over the first collection on the path, or over the values that follow it on the path.
  func aggregate<V>(_ operation: PropertyPath.Aggregate) -> Query<V> {
    var components = path.components
    let index = collections.first?.components.count ?? components.count
    components.insert(.aggregate(operation), at: index)
    return Query<V>(.path(PropertyPath(components, variable: path.variable)))
  }
}

extension Query where T: _QueriedCollection, T._ObservedElement.PersistedType: _QueryNumeric {
  /// The least element that is not null; null if there is no such element.
  ///
  ///     persons.where { $0.lucky.min < 3 }
  public var min: Query<T._ObservedElement> { aggregate(.minimum) }
  /// The greatest element that is not null; null if there is no such element.
  ///
  ///     persons.where { $0.lucky.max > 100 }
  public var max: Query<T._ObservedElement> { aggregate(.maximum) }
  /// The average of the elements that are not null; null if there is no such element.
  ///
  ///     persons.where { $0.weights.avg > 7.5 }          // of 'weights: List<Double>'
  public var avg: Query<T._ObservedElement> { aggregate(.average) }
  /// The sum of the elements; 0 if there is no element.
  ///
  ///     persons.where { $0.lucky.sum == 42 }
  public var sum: Query<T._ObservedElement> { aggregate(.sum) }
}

// A property behind a collection of objects: `$0.dogs.age.max`.
extension Query where T: _HasPersistedType, T.PersistedType: _QueryNumeric {
  /// The least value that is not null; null if there is no such value.
  ///
  ///     persons.where { $0.dogs.age.min < 1 }
  public var min: Query { aggregate(.minimum) }
  /// The greatest value that is not null; null if there is no such value.
  ///
  ///     persons.where { $0.dogs.age.max > 9 }
  public var max: Query { aggregate(.maximum) }
  /// The average of the values that are not null; null if there is no such value.
  ///
  ///     persons.where { $0.dogs.weight.avg > 7.5 }
  public var avg: Query { aggregate(.average) }
  /// The sum of the values; 0 if there is no value.
  ///
  ///     persons.where { $0.dogs.age.sum > 20 }
  public var sum: Query { aggregate(.sum) }
}

// MARK: - Stored values

extension Query where T: RealmCollection, T.Element: PersistableEnum, T.Element.RawValue: RealmCollectionValue {
  /// The stored raw values, including those that are not a case of the enum.
  ///
  ///     persons.where { $0.levels.rawValue > 3 }          // of 'levels: List<Level>'
  public var rawValue: Query<List<T.Element.RawValue>> { retyped() }
}

extension Query where T: RealmCollection, T.Element: _OptionalEnum, T.Element.OptionalRawValue: RealmCollectionValue {
  /// The stored raw values, including those that are not a case of the enum.
  public var rawValue: Query<List<T.Element.OptionalRawValue>> { retyped() }
}

extension Query where T: RealmCollection, T.Element.PersistedType: RealmCollectionValue {
  /// The stored values of the elements.
  ///
  ///     persons.where { $0.emails.persistableValue == "ann@example.org" }          // of 'emails: List<Email>'
  public var persistableValue: Query<List<T.Element.PersistedType>> { retyped() }
}
