import FiefGraph
import FiefSessions

extension Realm {
  /// Deletes an object from the realm, with the embedded objects that it owns.
  ///
  ///     try realm.write {
  ///       realm.delete(dog)
  ///     }
  ///
  /// Links to it become nil, lists and sets lose it, and maps keep its key with null. An embedded object is removed
  /// from its owner. Objects that it links to stay, unless a delete rule `.cascade` includes them. This instance and
  /// all others of the object are invalid afterwards.
  ///
  /// A delete rule `.deny` that forbids the deletion fails the write. Deleting an object again through another instance
  /// does nothing.
  ///
  /// Traps outside a write transaction, for unmanaged objects and those of other realms, and for an instance that was
  /// itself passed to a successful deletion before.
  ///
  /// - Complexity: O(log n) for the object and each link to or from it, and linear in the elements before it of each
  ///   list, set and map that loses it.
  public func delete(_ object: ObjectBase) {
    session.checkWriting("Object of class '\(type(of: object).className())' was deleted", with: object)
    session.delete([object])
  }

  /// Deletes objects from the realm, each like `delete(_:)`. A delete rule considers all of them together.
  ///
  ///     try realm.write {
  ///       realm.delete([rex, rufus])
  ///     }
  ///
  /// - Parameter objects: the objects, all of this realm. The sequence is read before anything is deleted.
  /// - Complexity: O(log n) for each object and each link to or from it, and linear in each list, set and map that
  ///   loses one; each is changed once.
  ///
  /// Traps as `delete(_:)` does.
  public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
    let objects = Array(objects)
    if let first = objects.first { session.checkWriting("Objects were deleted", with: first) }
    session.checkWriting("Objects were deleted")
    session.delete(objects)
  }

  /// Deletes every object of the classes in this realm's schema. Rows of other classes stay. A delete rule `.deny` that
  /// forbids a deletion fails the write.
  ///
  ///     try realm.write {
  ///       realm.deleteAll()
  ///     }
  ///
  /// Traps outside a write transaction.
  public func deleteAll() {
    session.checkWriting("All objects were deleted")
    let tables = session.store.allBindings.map(\.table)
    session.perform { try $0.clear(Set(tables).sorted()) }
  }
}
