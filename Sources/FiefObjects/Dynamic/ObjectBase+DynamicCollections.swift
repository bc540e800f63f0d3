import FiefGraph
import FiefSessions

extension ObjectBase {
  /// The list with the given name, whose elements are `DynamicObject`s.
  ///
  ///     for toy in dog.dynamicList("toys") { print(toy.name ?? "") }
  ///
  /// A list of values can be counted and changed as a whole this way; reading one of its elements as an object traps.
  /// For an unmanaged object the result is a live view. The objects in it can be changed, but elements cannot be added
  /// or removed. Reading it takes linear time.
  ///
  /// - Parameter name: the Swift name of the property, or its stored name for a class that the program does not define.
  ///
  /// Traps when the name is not a list, and for a list of values of an unmanaged object. For a managed object it also
  /// traps after the deletion, and outside the object's thread, queue or actor.
  public final func dynamicList(_ name: String) -> List<DynamicObject> { dynamicCollection(name, .list) }

  /// The list with the given name, with elements of the type that the caller states: the stored type of enums and
  /// custom types.
  ///
  ///     let numbers: List<Int> = dog.dynamicList("numbers")
  ///
  /// For an unmanaged object the result is the property's own list if that has the type, else a view as in
  /// `dynamicList(_:)`. Traps when the name is not a list of such elements.
  public final func dynamicList<Element: RealmCollectionValue>(_ name: String) -> List<Element> {
    dynamicCollection(name, .list, of: Element.self)
  }

  /// The set with the given name, whose elements are `DynamicObject`s; see `dynamicList(_:)`.
  ///
  ///     for friend in person.dynamicMutableSet("friends") { print(friend.name ?? "") }
  public final func dynamicMutableSet(_ name: String) -> MutableSet<DynamicObject> { dynamicCollection(name, .set) }

  /// The set with the given name, with elements of the type that the caller states; see `dynamicList(_:)`.
  ///
  ///     let tags: MutableSet<String> = dog.dynamicMutableSet("tags")
  public final func dynamicMutableSet<Element: RealmCollectionValue>(_ name: String) -> MutableSet<Element> {
    dynamicCollection(name, .set, of: Element.self)
  }

  /// The map with the given name, whose values are `DynamicObject`s; see `dynamicList(_:)`.
  ///
  ///     let pets: Map<String, DynamicObject?> = person.dynamicMap("pets")
  ///     for pet in pets { print(pet.key, pet.value?.name ?? "") }
  public final func dynamicMap<Key: _MapKey>(_ name: String) -> Map<Key, DynamicObject?> {
    dynamicCollection(name, .dictionary)
  }

  /// The map with the given name, with values of the type that the caller states; see `dynamicList(_:)`.
  ///
  ///     let scores: Map<String, Int> = dog.dynamicMap("scores")
  @_disfavoredOverload
  public final func dynamicMap<Key: _MapKey, Value: RealmCollectionValue>(_ name: String) -> Map<Key, Value> {
    dynamicCollection(name, .dictionary, of: Value.self)
  }
}

extension ObjectBase {
  /// A collection whose elements are read as the type that the caller states.
  ///
  /// - Parameter element: the type that elements must be stored as; nil when each read checks it.
  fileprivate final func dynamicCollection<Collection: _CollectionProperty>(
    _ name: String, _ shape: ColumnShape, of element: (any RealmCollectionValue.Type)? = nil
  ) -> Collection {
    if let shown = (self as? DynamicObject)?.shown { return shown.dynamicCollection(name, shape, of: element) }
    if (self as? DynamicObject)?.isUncreated == true { return Collection() }
    let property = requireProperty(name)
    let facts = property.facts
    guard facts.shape == shape, !facts.isBacklinks else {
      fatalError("Property '\(model.name).\(name)' is no \(shape): read it by the subscript.")
    }
    if let element, !facts.hasElements(storedAs: element._facts) {
      fatalError(
        "Property '\(model.name).\(name)' has no elements of type '\(element)': its schema says what they are."
      )
    }
    guard let session = retainedSession, let link = rowLink,
      let binding = session.store.dynamicBinding(of: link.table)
    else {
      return unmanagedCollection(property)
    }
    session.checkConfinement()
    if !hasRow { Misuse.invalidated(self) }
    return Collection(CollectionLocation(session, binding, row: key, number: property.number))
  }

  /// The collection of an unmanaged object: the property's own collection if that has the type, else a view of it.
  private final func unmanagedCollection<Collection: _CollectionProperty>(_ property: ModelProperty) -> Collection {
    let own = property.value(in: self)
    if let collection = own as? Collection { return collection }
    guard let collection = own as? CollectionBase else {
      Misuse.unmanaged("The collection '\(model.name).\(property.name)' by names")
    }
    let view = Collection()
    view.show(collection)
    return view
  }
}

extension _TypeFacts {
  /// Whether elements of a collection with these facts can be read as values of a type. Objects can be read only as
  /// `DynamicObject`.
  fileprivate func hasElements(storedAs other: _TypeFacts) -> Bool {
    if kind == .link { return other.target == DynamicObject.self && other.isOptional == (shape == .dictionary) }
    return kind == other.kind && width.rawValue <= other.width.rawValue
      && (isOptional == other.isOptional || kind == .any)
  }
}
