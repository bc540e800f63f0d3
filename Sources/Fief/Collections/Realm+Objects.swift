import FiefGraph
import FiefQueries

extension Realm {
  /// All objects of a class, or a projection of each, live.
  ///
  ///     let dogs = realm.objects(Dog.self)
  ///
  /// Objects of its subclasses are not among them. Traps when the realm does not have the class.
  @inlinable
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    let fetched = type._fetchedClass
    return Results(session.objects(of: fetched, isMapped: fetched != type))
  }

  /// All objects of a class, and of those that inherit from it, live.
  ///
  ///     let animals = realm.objects(Animal.self, includingSubclasses: true)
  ///     for animal in animals.where({ $0.age > 2 }) { print(animal is Dog, animal.name) }
  ///
  /// Each object is of its own class. Without an order they come class by class, those of one class in the order of
  /// their making. Of `Object` it gives all objects of the realm.
  ///
  /// - Parameters:
  ///   - type: the class; it need not be one of the realm's itself.
  ///   - includingSubclasses: whether objects of classes that inherit from it are among them.
  ///
  /// Traps when the realm has none of the classes.
  public func objects<Element: Object>(_ type: Element.Type, includingSubclasses: Bool) -> Results<Element> {
    if !includingSubclasses { return objects(type) }
    session.checkConfinement()
    let classes = session.store.bindings(of: type)
    if classes.isEmpty {
      fatalError("Neither class '\(type.className())' nor one that inherits from it is managed by the realm.")
    }
    let base = ResultsBase.union(classes)
    do {
      return Results(ResultsCore(session, base, try ResultsQuery(ParsedQuery(QueryPredicate(true)), base, session)))
    } catch {
      error.trap()
    }
  }
}

extension Session {
  /// All objects of a class.
  ///
  /// - Parameter isMapped: whether they are read as values that stand for objects: projections.
  @usableFromInline
  func objects(of type: ObjectBase.Type, isMapped: Bool) -> ResultsCore {
    checkConfinement()
    if type == Object.self {
      fatalError("realm.objects(_:) was asked for 'Object', which is no model: name a class that derives from it.")
    }
    return ResultsCore(self, all: requireBinding(of: type), isMapped: isMapped)
  }
}
