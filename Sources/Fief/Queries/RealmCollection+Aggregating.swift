import FiefGraph
import FiefQueries

// Sums and the like. Of managed collections they are worked out where the values lie.

extension RealmCollection {
  private var aggregator: Aggregator {
    Aggregator(core: realm == nil ? nil : _asResults().core) { self.map { $0 as Any } }
  }

  /// The least value of a property; nil when there is none. Nulls are left out.
  ///
  /// - Parameter property: its name. Traps when there is none of that name, or it is of a type that has no minimum.
  public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    ElementTotal.result(aggregator.value(.minimum, property), as: T.self)
  }

  /// The least value of a property; nil when there is none. Nulls are left out.
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType, Element: ObjectBase {
    min(ofProperty: _name(for: keyPath))
  }

  /// The greatest value of a property; nil when there is none. Nulls are left out.
  ///
  /// - Parameter property: its name. Traps when there is none of that name, or it is of a type that has no maximum.
  public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    ElementTotal.result(aggregator.value(.maximum, property), as: T.self)
  }

  /// The greatest value of a property; nil when there is none. Nulls are left out.
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType, Element: ObjectBase {
    max(ofProperty: _name(for: keyPath))
  }

  /// The sum of a property; 0 when there is no value. Nulls are left out.
  ///
  /// - Parameter property: its name. Traps when there is none of that name, or it is of a type that has no sum.
  public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
    ElementTotal.result(aggregator.value(.sum, property, T.self), as: T.self) ?? ElementTotal.zero(T.self)
  }

  /// The sum of a property; 0 when there is no value. Nulls are left out.
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T
  where T.PersistedType: AddableType, Element: ObjectBase {
    sum(ofProperty: _name(for: keyPath))
  }

  /// The average of a property; nil when there is no value. Nulls are left out.
  ///
  /// - Parameter property: its name. Traps when there is none of that name, or it is of a type that has no average.
  public func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType {
    ElementTotal.result(aggregator.value(.average, property), as: T.self)
  }

  /// The average of a property; nil when there is no value. Nulls are left out.
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: AddableType, Element: ObjectBase {
    average(ofProperty: _name(for: keyPath))
  }

  /// The least of the elements; nil when there is none. Nulls are left out.
  public func min() -> Element? where Element.PersistedType: MinMaxType {
    ElementTotal.result(aggregator.value(.minimum, nil), as: Element.self)
  }

  /// The greatest of the elements; nil when there is none. Nulls are left out.
  public func max() -> Element? where Element.PersistedType: MinMaxType {
    ElementTotal.result(aggregator.value(.maximum, nil), as: Element.self)
  }

  /// The sum of the elements; 0 when there is none. Nulls are left out.
  public func sum() -> Element where Element.PersistedType: AddableType {
    ElementTotal.result(aggregator.value(.sum, nil, Element.self), as: Element.self) ?? ElementTotal.zero(Element.self)
  }

  /// The average of the elements; nil when there is none. Nulls are left out.
  public func average<T: _HasPersistedType>() -> T? where Element.PersistedType: AddableType {
    ElementTotal.result(aggregator.value(.average, nil), as: T.self)
  }
}
