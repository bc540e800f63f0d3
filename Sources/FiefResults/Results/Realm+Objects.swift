import FiefGraph
import FiefObjects
import FiefQueries
import FiefRuntime
import FiefSessions

extension Realm {
  /// All objects of a class, or a projection of each, as live results.
  ///
  ///     let dogs = realm.objects(Dog.self)
  ///     let old = dogs.where { $0.age > 9 }.sorted(by: \.name)
  ///
  /// Excludes objects of its subclasses. Nothing is read before the results are. Traps when the realm does not have the
  /// class, for `Object.self`, and outside the realm's thread, queue or actor.
  ///
  /// - Parameter type: an `Object` class, or a projection of one.
  @inlinable
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    let fetched = type._fetchedClass
    return Results(session.objects(of: fetched, isMapped: fetched != type))
  }

  /// Embedded objects are found through the objects that own them.
  @available(*, unavailable, message: "Embedded objects belong to others: query the objects that own them.")
  public func objects<Element: EmbeddedObject>(_ type: Element.Type) -> Results<Element> { fatalError() }

  /// All objects of a class and its subclasses, as live results.
  ///
  ///     let animals = realm.objects(Animal.self, includingSubclasses: true)
  ///     for animal in animals.where({ $0.age > 2 }) { print(animal is Dog, animal.name) }
  ///
  /// Each object has its own class. Without a sort order they are grouped by class, and those of one class are in the
  /// order of creation. For `Object` the results contain all objects of the realm.
  ///
  /// Traps when the realm has neither the class nor a subclass, and outside the realm's thread, queue or actor.
  ///
  /// - Parameters:
  ///   - type: the class; the realm need not have it.
  ///   - includingSubclasses: whether to include objects of its subclasses.
  public func objects<Element: Object>(_ type: Element.Type, includingSubclasses: Bool) -> Results<Element> {
    if !includingSubclasses { return objects(type) }
    session.checkConfinement()
    let classes = session.store.bindings(of: type)
    if classes.isEmpty {
      fatalError("Neither class '\(type.className())' nor one that inherits from it is managed by the realm.")
    }
    let base = ResultsSource.union(classes)
    let all = QueryError.trapping {
      try ResultsQuery(ParsedQuery(QueryPredicate(true)), of: base, in: session)
    }
    return Results(ResultsStorage(session, of: base, asking: .query(all)))
  }

  /// All objects of a class, as `DynamicObject`s. The program need not define the class.
  ///
  ///     for dog in realm.dynamicObjects("Dog") { print(dog.name ?? "") }
  ///
  /// - Parameter typeName: the name under which the class is stored.
  ///
  /// Traps when the realm's file has no class of that name.
  public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
    session.checkConfinement()
    return unsafe Results(ResultsStorage(session, of: .table(Borrowed(session.requireDynamicBinding(typeName)))))
  }
}
