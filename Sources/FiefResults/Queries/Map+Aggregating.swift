import FiefGraph
import FiefObjects
import FiefQueries

// Aggregates over the values of a map.

extension Map {
  private var aggregator: Aggregator {
    Aggregator(core: realm == nil ? nil : asResults().core) { self.values.map { $0 as Any } }
  }

  /// The least value of a property, without nulls; nil if there is no value.
  ///
  ///     let age: Int? = person.pets.min(ofProperty: "age")
  ///
  /// - Parameter property: its name, or a path of names over links to one object. Traps for an unknown name, and for a
  ///   type that has no minimum: numbers and dates have one.
  /// - Complexity: O(n).
  public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    aggregator.value(.minimum, property, as: T.self)
  }

  /// The least value of a property, without nulls; nil if there is no value.
  ///
  ///     let age = person.pets.min(of: \.age)
  ///
  /// - Complexity: O(n).
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
  where T.PersistedType: MinMaxType, Value: _OptionalObject {
    min(ofProperty: _name(for: keyPath))
  }

  /// The greatest value of a property, without nulls; nil if there is no value.
  ///
  ///     let age: Int? = person.pets.max(ofProperty: "age")
  ///
  /// - Parameter property: its name, or a path of names over links to one object. Traps for an unknown name, and for a
  ///   type that has no maximum: numbers and dates have one.
  /// - Complexity: O(n).
  public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    aggregator.value(.maximum, property, as: T.self)
  }

  /// The greatest value of a property, without nulls; nil if there is no value.
  ///
  ///     let age = person.pets.max(of: \.age)
  ///
  /// - Complexity: O(n).
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
  where T.PersistedType: MinMaxType, Value: _OptionalObject {
    max(ofProperty: _name(for: keyPath))
  }

  /// The sum of a property, without nulls; 0 if there is no value. Traps when the requested type cannot hold it. A sum
  /// that is requested as an integer is truncated.
  ///
  ///     let years: Int = person.pets.sum(ofProperty: "age")
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
  ///     let years = person.pets.sum(of: \.age)
  ///
  /// - Complexity: O(n).
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T
  where T.PersistedType: AddableType, Value: _OptionalObject {
    sum(ofProperty: _name(for: keyPath))
  }

  /// The sum of a property in another type than the property's, without nulls; 0 if there is no value. Traps when the
  /// requested type cannot hold it.
  ///
  ///     let years: Double = person.pets.sum(of: \.age)
  ///
  /// - Complexity: O(n).
  @_disfavoredOverload
  public func sum<T: _HasPersistedType, Sum: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> Sum
  where T.PersistedType: AddableType, Sum.PersistedType: AddableType, Value: _OptionalObject {
    sum(ofProperty: _name(for: keyPath))
  }

  /// The average of a property, without nulls; nil if there is no value. An average that is requested as an integer is
  /// truncated.
  ///
  ///     let age: Double? = person.pets.average(ofProperty: "age")
  ///
  /// - Parameter property: its name, or a path of names over links to one object. Traps for an unknown name, and for a
  ///   type that has no average: numbers have one.
  /// - Complexity: O(n).
  public func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType {
    aggregator.value(.average, property, as: T.self)
  }

  /// The average of a property, without nulls; nil if there is no value. That of an integer property is an integer, and
  /// truncated; `average(ofProperty:)` also returns a `Double`.
  ///
  ///     let weight = person.pets.average(of: \.weight)
  ///
  /// - Complexity: O(n).
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
  where T.PersistedType: AddableType, Value: _OptionalObject {
    average(ofProperty: _name(for: keyPath))
  }

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

  /// The sum of the values, without nulls; 0 if the rest is empty. Traps when the values' type cannot hold it: request
  /// a wider type then. Numbers among any-values give a decimal, and no number `.int(0)`.
  ///
  ///     let total = person.scores.sum()
  ///
  /// - Complexity: O(n).
  public func sum() -> Value where Value.PersistedType: AddableType {
    aggregator.sum(nil, as: Value.self)
  }

  /// The sum of the values in another type than theirs, without nulls; 0 if the rest is empty. Traps when the requested
  /// type cannot hold it.
  ///
  ///     let total: Double = person.scores.sum()
  ///
  /// - Complexity: O(n).
  @_disfavoredOverload
  public func sum<Sum: _HasPersistedType>() -> Sum
  where Value.PersistedType: AddableType, Sum.PersistedType: AddableType {
    aggregator.sum(nil, as: Sum.self)
  }

  /// The average of the values, without nulls; nil if the rest is empty. An average that is requested as an integer is
  /// truncated.
  ///
  ///     let mean: Double? = person.scores.average()
  ///
  /// - Complexity: O(n).
  public func average<T: _HasPersistedType>() -> T? where Value.PersistedType: AddableType {
    aggregator.value(.average, nil, as: T.self)
  }
}
