import FiefGraph
import FiefObjects
import FiefQueries

/// An optional object: the type of the values in maps of objects.
public protocol _OptionalObject {
  /// The class of the object.
  associatedtype Wrapped: ObjectBase
}

extension Optional: _OptionalObject where Wrapped: ObjectBase {}

// The results of a map of objects never contain its entries with null.
extension Map {
  /// The values that satisfy a condition, live; entries of objects with null are not among them.
  ///
  ///     let old = person.pets.where { $0.age > 9 }
  ///
  /// Traps when the map is unmanaged, and for a condition that a store cannot evaluate.
  ///
  /// - Complexity: O(n) when the results are first read.
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    let predicate = isIncluded(Query<Value>()).predicate
    return Results(asResults().core.requiring(ParsedQuery(predicate)))
  }

  /// The values in their own order, live. Traps when the map is unmanaged.
  ///
  ///     let bestFirst = person.scores.sorted(ascending: false)
  ///
  /// - Parameter ascending: whether the least value comes first; null comes before every other value.
  /// - Complexity: O(n log n) when the results are first read.
  public func sorted(ascending: Bool = true) -> Results<Value> where Value.PersistedType: SortableType {
    Results(asResults().core.arranged(by: .sort([SortKey(.itself, ascending: ascending)])))
  }

  /// The values in the order of a property, live. Traps when the map is unmanaged, and for a path that cannot be sorted
  /// by.
  ///
  ///     let oldestFirst = person.pets.sorted(byKeyPath: "age", ascending: false)
  ///
  /// - Parameters:
  ///   - keyPath: the name of the property, or a path, as for `SortDescriptor`.
  ///   - ascending: whether the least value comes first. Null comes before every other value, and an object without a
  ///     value, because a link on the path is nil, after all of them.
  /// - Complexity: O(n log n) when the results are first read.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> where Value: KeypathSortable {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The values in the order of a property, live.
  ///
  ///     let oldestFirst = person.pets.sorted(by: \.age, ascending: false)
  ///
  /// - Parameters:
  ///   - keyPath: the property, or a path over links; otherwise as for `sorted(byKeyPath:ascending:)`.
  ///   - ascending: whether the least value comes first. Null comes before every other value, and an object without a
  ///     value, because a link on the path is nil, after all of them.
  /// - Complexity: O(n log n) when the results are first read.
  public func sorted<T: _HasPersistedType>(
    by keyPath: KeyPath<Value.Wrapped, T>, ascending: Bool = true
  ) -> Results<Value> where T.PersistedType: SortableType, Value: _OptionalObject {
    sorted(by: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)])
  }

  /// The values in the order of several properties, live; the first counts most.
  ///
  ///     let ordered = person.pets.sorted(by: [SortDescriptor(keyPath: "age", ascending: false), "name"])
  ///
  /// - Parameter sortDescriptors: the properties and directions; traps for those that cannot be sorted by.
  /// - Complexity: O(n log n) when the results are first read.
  public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value> where S.Element == SortDescriptor {
    let keys = sortDescriptors.map(\.key)
    if keys.isEmpty { return asResults() }
    return Results(asResults().core.arranged(by: .sort(keys)))
  }
}
