import FiefGraph
import FiefObjects
import FiefQueries
import FiefSessions

extension _QueriedCollection {
  // MARK: Conditions

  /// The elements that satisfy a condition, live.
  ///
  ///     let known = realm.objects(Dog.self).filter("age > %@ AND name BEGINSWITH[c] %@", 2, "r")
  ///     let oldest = known.filter("ANY owners.age > 30 SORT(age DESC) LIMIT(10)")
  ///
  /// A number in the format becomes one of the property's type: `price == 0.1` finds the decimal 0.1 and the double
  /// 0.1. In a `SUBQUERY`, a name without a variable is a property of the element, and `$SELF` is the object of the
  /// query: `SUBQUERY(dogs, $d, age > 2 AND name != $SELF.name).@count > 0`. Words of the language, such as `limit`,
  /// are also names of properties. Of two properties that are compared, one named `nan`, `inf`, `infinity`, `nil`,
  /// `null`, `true`, `false`, `yes` or `no` is written with a `#` before it.
  ///
  /// Traps when the collection is unmanaged. Traps for a format that is not a condition, or does not fit the elements;
  /// the message names the position. `filter(parsing:)` throws instead.
  ///
  /// - Parameters:
  ///   - predicateFormat: the condition; `%@` stands for an argument, `%K` for one that names a property.
  ///   - args: the arguments: values, objects, collections of them, nil for null.
  /// - Complexity: O(n) when the results are first read; with an index that the condition can use, O(log n) and the
  ///   number of matches.
  public func filter(_ predicateFormat: String, _ args: Any?...) -> Results<_ObservedElement> {
    QueryError.trapping { try filtered(predicateFormat, args) }
  }

  /// The elements that satisfy a condition that may come from outside the program, live.
  ///
  ///     do {
  ///       print(try dogs.filter(parsing: "age > %@", 2).count)
  ///     } catch {
  ///       print("Not a query: \(error)")
  ///     }
  ///
  /// Traps when the collection is unmanaged.
  ///
  /// - Parameters:
  ///   - predicateFormat: the condition, as for `filter(_:_:)`.
  ///   - args: the arguments.
  /// - Throws: `Realm.Error` (`.invalidInput`) for a format that is not a condition, or does not fit the elements; the
  ///   message names the position.
  /// - Complexity: that of `filter(_:_:)`.
  public func filter(parsing predicateFormat: String, _ args: Any?...) throws -> Results<_ObservedElement> {
    do throws(QueryError) {
      return try filtered(predicateFormat, args)
    } catch {
      throw error.asRealmError
    }
  }

  func filtered(_ format: String, _ arguments: [Any?]) throws(QueryError) -> Results<_ObservedElement> {
    let core = _asResults().core
    var origins: [UInt64] = []
    do throws(QueryError) {
      var added = try ParsedQuery(format, arguments: QueryArguments.constants(arguments, &origins))
      if core.isNothing { return Results(core) }
      added.predicate = try MemberWriting.written(added.predicate, asking: core.base.queriedModel)
      try core.session.check(origins: origins)
      return Results(try core.adding(added))
    } catch { throw error.quoting(format) }
  }

  /// The elements that satisfy a condition, live.
  ///
  ///     realm.objects(Dog.self).where { $0.age > 2 && $0.name.starts(with: "R") }
  ///
  /// Several conditions are joined by AND: `dogs.where { $0.age > 2 }.where { $0.name == "Rex" }`. After `limit` a
  /// condition tests the elements that the limit left. Traps when the collection is unmanaged, and for a condition that
  /// a store cannot evaluate, or with an object of another realm.
  ///
  /// - Parameter isIncluded: returns the condition; `Query` lists the operators.
  /// - Complexity: O(n) when the results are first read; with an index that the condition can use, O(log n) and the
  ///   number of matches.
  @inlinable
  public consuming func `where`(_ isIncluded: (Query<_ObservedElement>) -> Query<Bool>) -> Results<_ObservedElement> {
    let condition = isIncluded(Query<_ObservedElement>())
    return Results(ResultsStorage.requiring(condition.form, of: _asResults().core))
  }

  // MARK: Order

  /// The elements in the order of a property, live. Equal ones stay in their present order.
  ///
  ///     let oldestFirst = dogs.sorted(byKeyPath: "age", ascending: false)
  ///
  /// Traps when the collection is unmanaged, for an unknown path, for one that ends in objects or data, and for one
  /// that leads over a list, set or map without an operator.
  ///
  /// - Parameters:
  ///   - keyPath: the name of the property, or a path of names over links or linking objects; an operator over a
  ///     collection may end it. `SortDescriptor` has examples.
  ///   - ascending: whether the least value comes first. Null comes before every other value, and an object without a
  ///     value, because a link on the path is nil, after all of them.
  /// - Complexity: O(m log m) for m elements when the results are first read.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<_ObservedElement>
  where _ObservedElement: KeypathSortable {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The elements in the order of a property, live. Equal ones stay in their present order.
  ///
  ///     let oldestFirst = dogs.sorted(by: \.age, ascending: false)
  ///
  /// - Parameters:
  ///   - keyPath: the property, or a path over links.
  ///   - ascending: whether the least value comes first; otherwise as `sorted(byKeyPath:ascending:)`.
  /// - Complexity: O(m log m) for m elements when the results are first read.
  public func sorted<T: _HasPersistedType>(
    by keyPath: KeyPath<_ObservedElement, T>, ascending: Bool = true
  ) -> Results<_ObservedElement> where T.PersistedType: SortableType, _ObservedElement: ObjectBase {
    sorted(by: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)])
  }

  /// The elements in the order of several properties, live; the first counts most. Without properties their order
  /// stays.
  ///
  ///     let ordered = dogs.sorted(by: [SortDescriptor(keyPath: "age", ascending: false), "name"])
  ///
  /// - Parameter sortDescriptors: the properties and directions; traps for those that cannot be sorted by.
  /// - Complexity: O(m log m) for m elements when the results are first read.
  public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<_ObservedElement>
  where S.Element == SortDescriptor {
    let keys = sortDescriptors.map(\.key)
    if keys.isEmpty { return _asResults() }
    return Results(_asResults().core.arranged(by: .sort(keys)))
  }

  /// The elements in the order of several properties, live; the first counts most. Equal ones stay in their present
  /// order.
  ///
  ///     let ordered = dogs.sorted(by: [\.age, \.name])
  ///
  /// - Parameters:
  ///   - keyPaths: the properties, or paths over links; traps for those that cannot be sorted by.
  ///   - ascending: whether the least values come first, for all properties.
  /// - Complexity: O(m log m) for m elements when the results are first read.
  public func sorted(by keyPaths: [PartialKeyPath<_ObservedElement>], ascending: Bool = true)
    -> Results<_ObservedElement> where _ObservedElement: ObjectBase
  {
    sorted(by: keyPaths.map { SortDescriptor(keyPath: $0, ascending: ascending) })
  }

  /// The elements, which are values, in their own order.
  func inOrder(ascending: Bool) -> Results<_ObservedElement> {
    Results(_asResults().core.arranged(by: .sort([SortKey(.itself, ascending: ascending)])))
  }

  // MARK: Distinct and limit

  /// The first element of each combination of values of some properties, in the present order, live.
  ///
  ///     let namesakes = dogs.distinct(by: ["name", "age"])
  ///
  /// Elements for which a link on a path is null are left out. A condition that is added later is tested before the
  /// first elements are chosen. Traps when the collection is unmanaged, and for a path that is unknown, leads to
  /// several values, or ends in data.
  ///
  /// - Parameter keyPaths: names of properties, or paths of names over links to one object; an empty sequence keeps
  ///   all.
  /// - Complexity: O(m) expected for m elements when the results are first read.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<_ObservedElement> where S.Element == String {
    let paths = keyPaths.map { PropertyPath(text: $0) }
    if paths.isEmpty { return _asResults() }
    return Results(_asResults().core.arranged(by: .distinct(paths)))
  }

  /// The first element of each combination of values of some properties, in the present order, live.
  ///
  ///     let namesakes = dogs.distinct(by: [\.name, \.age])
  ///
  /// - Parameter keyPaths: the properties, as for `distinct(by:)` with names.
  /// - Complexity: O(m) expected for m elements when the results are first read.
  public func distinct(by keyPaths: [PartialKeyPath<_ObservedElement>]) -> Results<_ObservedElement>
  where _ObservedElement: ObjectBase {
    distinct(by: keyPaths.map { _name(for: $0) })
  }

  /// The first of each group of equal elements, in the present order, live.
  ///
  ///     let different = person.lucky.distinct()
  ///
  /// Traps when the collection is unmanaged.
  ///
  /// - Complexity: O(m) expected for m elements when the results are first read.
  public func distinct() -> Results<_ObservedElement> where _ObservedElement.PersistedType: SortableType {
    Results(_asResults().core.arranged(by: .distinct([.itself])))
  }

  /// A number of elements from a position on, live.
  ///
  ///     let second = dogs.sorted(by: \.age).limit(20, offset: 20)        // the second page
  ///
  /// Conditions that are added later test only these elements. Traps for negative numbers, and when the collection is
  /// unmanaged.
  ///
  /// - Parameters:
  ///   - count: the number of elements, at most; not negative.
  ///   - offset: how many elements are skipped at the beginning; not negative.
  public func limit(_ count: Int, offset: Int = 0) -> Results<_ObservedElement> {
    if count < 0 || offset < 0 {
      fatalError("A limit of \(count) elements from \(offset) on makes no sense: give numbers from 0 on.")
    }
    return Results(_asResults().core.arranged(by: .limit(count, offset: offset)))
  }

  /// How the query is evaluated, as a sentence for people: by which index, and with how many visited objects.
  ///
  ///     print(dogs.where { $0.name == "Rex" }.explain())
  ///
  /// The wording may change between versions. Traps when the collection is unmanaged.
  ///
  /// - Complexity: that of the query, which this runs.
  public func explain() -> String {
    let core = _asResults().core
    core.session.checkConfinement()
    if let query = core.query {
      if let rows = query.rows, core.base.isWhole {
        return core.session.read { rows.explanations(in: $0).map(\.description).joined(separator: "\n") }
      }
      let count = core.base.all(core.session).count
      return "\(count) elements of a collection or of other results, tested without an index; \(core.count) found.\n"
        + "Test: \(query.parsed)"
    }
    if case .view(let asked, _?) = core.base {
      return "\(asked.count) elements, asked by the program one by one; \(core.count) found."
    }
    return "\(core.count) elements, as they are."
  }
}

extension _QueriedCollection where _ObservedElement: _OptionalObject {
  /// The values in the order of a property, live.
  ///
  ///     let oldestFirst = person.pets.sorted(by: \.age, ascending: false)
  ///
  /// Otherwise as `sorted(by:ascending:)` of collections of objects.
  public func sorted<T: _HasPersistedType>(
    by keyPath: KeyPath<_ObservedElement.Wrapped, T>, ascending: Bool = true
  ) -> Results<_ObservedElement> where T.PersistedType: SortableType {
    sorted(by: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)])
  }
}

// Beside `sorted` of `Sequence`.
extension RealmCollection {
  /// The elements in their own order, live.
  ///
  ///     let ascending = person.lucky.sorted()
  ///
  /// Traps when the collection is unmanaged.
  ///
  /// - Parameter ascending: whether the least element comes first; null comes before every other element.
  /// - Complexity: O(m log m) for m elements when the results are first read.
  public func sorted(ascending: Bool = true) -> Results<Element> where Element.PersistedType: SortableType {
    inOrder(ascending: ascending)
  }
}

extension Map {
  /// The values in their own order, live. Traps when the map is unmanaged.
  ///
  ///     let bestFirst = person.scores.sorted(ascending: false)
  ///
  /// - Parameter ascending: whether the least value comes first; null comes before every other value.
  /// - Complexity: O(n log n) when the results are first read.
  public func sorted(ascending: Bool = true) -> Results<Value> where Value.PersistedType: SortableType {
    inOrder(ascending: ascending)
  }
}
