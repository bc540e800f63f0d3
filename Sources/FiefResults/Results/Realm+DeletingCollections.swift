import FiefGraph
import FiefObjects
import FiefSessions

extension Realm {
  /// Deletes every object of a list from the realm, each like `delete(_:)`. The list is empty afterwards.
  ///
  ///     try realm.write { realm.delete(person.dogs) }
  ///
  /// An unmanaged list keeps its instances, which are invalid afterwards. A delete rule considers all objects together.
  ///
  /// Traps outside a write transaction, and for a list of another realm, a frozen and a deleted one.
  ///
  /// - Complexity: O(log n) for each object and each link to or from it.
  public func delete<Element: ObjectBase>(_ objects: List<Element>) {
    objects.checkPresence(in: session)
    session.checkWriting("The objects of a list were deleted")
    delete(objects, Array(objects))
  }

  /// Deletes every object of the results from the realm, each like `delete(_:)`.
  ///
  ///     try realm.write { realm.delete(realm.objects(Dog.self).where { $0.age > 20 }) }
  ///
  /// A delete rule considers all objects together. Traps outside a write transaction, and for results of another realm
  /// and frozen ones.
  ///
  /// - Complexity: O(log n) for each object and each link to or from it.
  public func delete<Element: ObjectBase>(_ objects: Results<Element>) {
    objects.checkPresence(in: session)
    session.checkWriting("The objects of results were deleted")
    checkOwn(objects.core.session)
    session.delete(objects.core.links)
  }

  /// Deletes every object of a class from the realm, each like `delete(_:)`.
  ///
  ///     try realm.write { realm.deleteAll(Dog.self) }
  ///
  /// Traps outside a write transaction, and for a class that the realm does not have.
  ///
  /// - Parameter type: the class. Objects of its subclasses belong to their own classes, and stay.
  /// - Complexity: O(log n) for each object and each link to or from it.
  public func deleteAll<Element: RealmFetchable>(_ type: Element.Type) where Element: ObjectBase {
    delete(objects(type))
  }

  /// Deletes every object of a map from the realm, each like `delete(_:)`. The keys stay, with null.
  ///
  ///     try realm.write { realm.delete(person.pets) }
  ///
  /// An unmanaged map keeps its instances, which are invalid afterwards. A delete rule considers all objects together.
  ///
  /// Traps outside a write transaction, and for a map of another realm, a frozen and a deleted one.
  ///
  /// - Complexity: O(log n) for each object and each link to or from it.
  public func delete<Key: _MapKey, Value: ObjectBase>(_ map: Map<Key, Value?>) {
    if session.transaction == nil && !session.isFrozen { _ = map.count }
    session.checkWriting("The objects of a map were deleted")
    delete(map, map.values)
  }

  private func delete<Element: RealmCollectionValue>(
    _ collection: CollectionBase, _ elements: @autoclosure () -> [Element]
  ) {
    if let location = collection.location {
      checkOwn(location.session)
      session.delete(collection.links)
    } else {
      session.delete(elements().compactMap { $0 as? ObjectBase })
    }
  }

  private func checkOwn(_ other: Session) {
    if other !== session {
      fatalError(
        "Can only delete an object from the Realm it belongs to: the collection is another realm's, or frozen.")
    }
  }
}
