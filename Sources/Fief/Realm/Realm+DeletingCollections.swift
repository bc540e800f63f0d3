import FiefGraph

extension Realm {
  /// Removes every object of a list from the realm, each as `delete(_:)` does; the list is empty afterwards.
  ///
  /// An unmanaged list keeps its instances, which are invalid then. Traps for elements that are no objects.
  public func delete<Element: RealmCollectionValue>(_ objects: List<Element>) {
    session.checkWriting("The objects of a list were deleted")
    delete(objects, Array(objects))
  }

  /// Removes every object that results show from the realm, each as `delete(_:)` does.
  ///
  /// Traps for elements that are no objects, and for results of another realm.
  public func delete<Element: RealmCollectionValue>(_ objects: Results<Element>) {
    session.checkWriting("The objects of results were deleted")
    checkOwn(objects.core.session)
    checkObjects(Element.self)
    session.delete(objects.core.links)
  }

  /// Removes every object of a map from the realm, each as `delete(_:)` does; the keys stay, with null.
  ///
  /// An unmanaged map keeps its instances, which are invalid then. Traps for values that are no objects.
  public func delete<Key: _MapKey, Value: RealmCollectionValue>(_ map: Map<Key, Value?>) where Value? : RealmCollectionValue {
    session.checkWriting("The objects of a map were deleted")
    delete(map, map.values)
  }

  private func delete<Element: RealmCollectionValue>(_ collection: CollectionBase, _ elements: @autoclosure () -> [Element]) {
    checkObjects(Element.self)
    if let place = collection.place {
      checkOwn(place.session)
      session.delete(collection.links)
    } else {
      session.delete(elements().compactMap { $0 as? ObjectBase })
    }
  }

  private func checkOwn(_ other: Session) {
    if other !== session {
      fatalError("Can only delete an object from the Realm it belongs to: the collection is another realm's, or frozen.")
    }
  }

  private func checkObjects<Element: RealmCollectionValue>(_ type: Element.Type) {
    if type._facts.target == nil {
      fatalError("Cannot delete the elements of a collection of \(type): they are no objects.")
    }
  }
}
