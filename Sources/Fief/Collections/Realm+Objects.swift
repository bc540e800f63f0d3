import FiefGraph

extension Realm {
  /// All objects of a class, or a projection of each, live.
  ///
  ///     let dogs = realm.objects(Dog.self)
  ///
  /// Objects of its subclasses are not among them. Traps when the realm does not have the class.
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    session.checkConfinement()
    let fetched = type._fetchedClass
    if fetched == Object.self {
      fatalError("realm.objects(_:) was asked for 'Object', which is no model: name a class that derives from it.")
    }
    let isMapped = !(type is ObjectBase.Type)
    return Results(ResultsCore(session, .table(session.store.requireBinding(of: fetched)), isMapped: isMapped))
  }
}
