import FiefGraph
import FiefObjects
import FiefQueries

// Aggregates over elements, or over the values of a map. Those of managed collections are computed in the store,
// without objects.

extension _QueriedCollection {
  fileprivate var aggregator: Aggregator {
    Aggregator(core: realm == nil ? nil : _asResults().core) { _elements.map { $0 as Any } }
  }

  /// The least value of a property, without nulls; nil if there is no value.
  ///
  ///     let age: Int? = dogs.min(ofProperty: "age")
  ///
  /// - Parameter property: its name, or a path of names over links to one object. Traps for an unknown name, and for a
  ///   type that has no minimum: numbers and dates have one.
  /// - Complexity: O(n).
  public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    aggregator.value(.minimum, property, as: T.self)
  }

  /// The least value of a property, without nulls; nil if there is no value.
  ///
  ///     let age = dogs.min(of: \.age)
  ///
  /// - Complexity: O(n).
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<_ObservedElement, T>) -> T?
  where T.PersistedType: MinMaxType, _ObservedElement: ObjectBase {
    min(ofProperty: _name(for: keyPath))
  }

  /// The greatest value of a property, without nulls; nil if there is no value.
  ///
  ///     let age: Int? = dogs.max(ofProperty: "age")
  ///
  /// - Parameter property: its name, or a path of names over links to one object. Traps for an unknown name, and for a
  ///   type that has no maximum: numbers and dates have one.
  /// - Complexity: O(n).
  public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    aggregator.value(.maximum, property, as: T.self)
  }

  /// The greatest value of a property, without nulls; nil if there is no value.
  ///
  ///     let age = dogs.max(of: \.age)
  ///
  /// - Complexity: O(n).
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<_ObservedElement, T>) -> T?
  where T.PersistedType: MinMaxType, _ObservedElement: ObjectBase {
    max(ofProperty: _name(for: keyPath))
  }

  /// The sum of a property, without nulls; 0 if there is no value. The sum is exact for integers of every size; traps
  /// when the requested type cannot hold it. A sum that is requested as an integer is truncated.
  ///
  ///     let years: Int = dogs.sum(ofProperty: "age")
  ///     let all: Decimal128 = files.sum(ofProperty: "size")      // exact beyond 64 bits
  ///
  /// - Parameter property: its name, or a path of names over links to one object. Traps for an unknown name, and for a
  ///   type that has no sum: numbers have one.
  /// - Complexity: O(n).
  public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
    aggregator.sum(property, as: T.self)
  }

  /// The sum of a property, without nulls; 0 if there is no value. Traps when the property's type cannot hold it:
  /// request a wider type then.
  ///
  ///     let years = dogs.sum(of: \.age)
  ///
  /// - Complexity: O(n).
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<_ObservedElement, T>) -> T
  where T.PersistedType: AddableType, _ObservedElement: ObjectBase {
    sum(ofProperty: _name(for: keyPath))
  }

  /// The sum of a property in another type than the property's, without nulls; 0 if there is no value. Traps when the
  /// requested type cannot hold it.
  ///
  ///     let bytes: Int = packets.sum(of: \.length)       // of 'length: Int8'
  ///
  /// - Complexity: O(n).
  @_disfavoredOverload
  public func sum<T: _HasPersistedType, Sum: _HasPersistedType>(of keyPath: KeyPath<_ObservedElement, T>) -> Sum
  where T.PersistedType: AddableType, Sum.PersistedType: AddableType, _ObservedElement: ObjectBase {
    sum(ofProperty: _name(for: keyPath))
  }

  /// The average of a property, without nulls; nil if there is no value. An average that is requested as an integer is
  /// truncated.
  ///
  ///     let age: Double? = dogs.average(ofProperty: "age")
  ///
  /// - Parameter property: its name, or a path of names over links to one object. Traps for an unknown name, and for a
  ///   type that has no average: numbers have one.
  /// - Complexity: O(n).
  public func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType {
    aggregator.value(.average, property, as: T.self)
  }

  /// The average of an integer property, without nulls; nil if there is no value.
  ///
  ///     let age = dogs.average(of: \.age)                  // 2.5
  ///
  /// - Complexity: O(n).
  public func average<T: _HasPersistedType & BinaryInteger>(of keyPath: KeyPath<_ObservedElement, T>) -> Double?
  where T.PersistedType: AddableType, _ObservedElement: ObjectBase {
    average(ofProperty: _name(for: keyPath))
  }

  /// The average of an optional integer property, without nulls; nil if there is no value.
  ///
  ///     let limit = dogs.average(of: \.limit)              // of 'limit: Int?'
  ///
  /// - Complexity: O(n).
  public func average<T: _HasPersistedType & BinaryInteger>(of keyPath: KeyPath<_ObservedElement, T?>) -> Double?
  where T.PersistedType: AddableType, _ObservedElement: ObjectBase {
    average(ofProperty: _name(for: keyPath))
  }

  // Disfavored, or `average(of: \.age) ?? 0` would be an integer: literals prefer those.
  /// The average of a property in its own type, without nulls; nil if there is no value. An average that is requested
  /// as an integer is truncated.
  ///
  ///     let weight = dogs.average(of: \.weight)
  ///     let years: Int? = dogs.average(of: \.age)         // 2, for 2.5
  ///
  /// - Complexity: O(n).
  @_disfavoredOverload
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<_ObservedElement, T>) -> T?
  where T.PersistedType: AddableType, _ObservedElement: ObjectBase {
    average(ofProperty: _name(for: keyPath))
  }

  /// The sum of the elements, without nulls; 0 if the rest is empty. Traps when the elements' type cannot hold it:
  /// request a wider type then. Numbers among any-values give a decimal, and no number `.int(0)`.
  ///
  ///     let total = person.lucky.sum()
  ///
  /// - Complexity: O(n).
  public func sum() -> _ObservedElement where _ObservedElement.PersistedType: AddableType {
    aggregator.sum(nil, as: _ObservedElement.self)
  }

  /// The sum of the elements in another type than theirs, without nulls; 0 if the rest is empty. Traps when the
  /// requested type cannot hold it.
  ///
  ///     let total: Int = person.grades.sum()        // of 'grades: List<Int8>'
  ///
  /// - Complexity: O(n).
  @_disfavoredOverload
  public func sum<Sum: _HasPersistedType>() -> Sum
  where _ObservedElement.PersistedType: AddableType, Sum.PersistedType: AddableType {
    aggregator.sum(nil, as: Sum.self)
  }

  /// The average of the elements, without nulls; nil if the rest is empty. An average that is requested as an integer
  /// is truncated.
  ///
  ///     let mean: Double? = person.lucky.average()
  ///
  /// - Complexity: O(n).
  public func average<T: _HasPersistedType>() -> T? where _ObservedElement.PersistedType: AddableType {
    aggregator.value(.average, nil, as: T.self)
  }
}

// Of maps of objects, whose values are optional.
extension _QueriedCollection where _ObservedElement: _OptionalObject {
  /// The least value of a property, without nulls; nil if there is no value. Linear.
  ///
  ///     let age = person.pets.min(of: \.age)
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<_ObservedElement.Wrapped, T>) -> T?
  where T.PersistedType: MinMaxType { min(ofProperty: _name(for: keyPath)) }

  /// The greatest value of a property, without nulls; nil if there is no value. Linear.
  ///
  ///     let age = person.pets.max(of: \.age)
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<_ObservedElement.Wrapped, T>) -> T?
  where T.PersistedType: MinMaxType { max(ofProperty: _name(for: keyPath)) }

  /// The sum of a property, without nulls; 0 if there is no value. Traps when the property's type cannot hold it.
  /// Linear.
  ///
  ///     let years = person.pets.sum(of: \.age)
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<_ObservedElement.Wrapped, T>) -> T
  where T.PersistedType: AddableType { sum(ofProperty: _name(for: keyPath)) }

  /// The sum of a property in another type than the property's, without nulls. Traps when that type cannot hold it.
  ///
  ///     let years: Double = person.pets.sum(of: \.age)
  @_disfavoredOverload
  public func sum<T: _HasPersistedType, Sum: _HasPersistedType>(of keyPath: KeyPath<_ObservedElement.Wrapped, T>) -> Sum
  where T.PersistedType: AddableType, Sum.PersistedType: AddableType { sum(ofProperty: _name(for: keyPath)) }

  /// The average of a property, without nulls; nil if there is no value. That of an integer property is truncated.
  ///
  ///     let weight = person.pets.average(of: \.weight)
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<_ObservedElement.Wrapped, T>) -> T?
  where T.PersistedType: AddableType { average(ofProperty: _name(for: keyPath)) }
}

// Beside `min` and `max` of `Sequence`.
extension RealmCollection {
  /// The least of the elements, without nulls; nil if the rest is empty.
  ///
  ///     let least = person.lucky.min()
  ///
  /// - Complexity: O(n).
  public func min() -> Element? where Element.PersistedType: MinMaxType {
    aggregator.value(.minimum, nil, as: Element.self)
  }

  /// The greatest of the elements, without nulls; nil if the rest is empty.
  ///
  ///     let greatest = person.lucky.max()
  ///
  /// - Complexity: O(n).
  public func max() -> Element? where Element.PersistedType: MinMaxType {
    aggregator.value(.maximum, nil, as: Element.self)
  }
}

extension Map {
  /// The least of the values, without nulls; nil if the rest is empty.
  ///
  ///     let worst = person.scores.min()
  ///
  /// - Complexity: O(n).
  public func min() -> Value? where Value.PersistedType: MinMaxType {
    aggregator.value(.minimum, nil, as: Value.self)
  }

  /// The greatest of the values, without nulls; nil if the rest is empty.
  ///
  ///     let best = person.scores.max()
  ///
  /// - Complexity: O(n).
  public func max() -> Value? where Value.PersistedType: MinMaxType {
    aggregator.value(.maximum, nil, as: Value.self)
  }
}
