import FiefGraph

extension Realm {
  /// Removes an object from the realm, with the embedded objects that it owns.
  ///
  /// Links to it become nil, lists and sets lose it, maps keep its key with null. An embedded object is taken from its
  /// owner. Objects that it links to stay, unless a delete rule says otherwise. This instance is invalid afterwards,
  /// and every other of the same object.
  ///
  /// A delete rule `.deny` that forbids it fails the write. Deleting through one instance what was deleted through
  /// another does nothing.
  ///
  /// Traps outside a write transaction, and for objects that are not this realm's: unmanaged ones, those of other
  /// realms, and an instance that was deleted itself.
  ///
  /// - Complexity: O(log n) for the object and each link to or from it.
  public func delete(_ object: ObjectBase) {
    session.checkWriting("Object of class '\(type(of: object).className())' was deleted", with: object)
    session.delete([object])
  }

  /// Removes objects from the realm, each as `delete(_:)` does. A delete rule looks at them all together.
  public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
    let objects = Array(objects)
    if let first = objects.first { session.checkWriting("Objects were deleted", with: first) }
    session.checkWriting("Objects were deleted")
    session.delete(objects)
  }

  /// Removes every object of the classes that this realm has. Rows of classes that its schema leaves out stay.
  ///
  /// Traps outside a write transaction.
  public func deleteAll() {
    session.checkWriting("All objects were deleted")
    let tables = session.store.allBindings.map(\.table)
    session.perform { try $0.clear(Set(tables).sorted()) }
  }
}

extension Session {
  /// Deletes rows by their accessors.
  func delete(_ objects: [ObjectBase]) {
    var links: [ObjectLink] = []
    links.reserveCapacity(objects.count)
    for object in objects {
      guard let other = object.heldSession, let link = object.link, other === self else {
        fatalError(
          "Can only delete an object from the Realm it belongs to: "
            + (object.isManaged
              ? "this one is another realm's, or frozen; thaw it there."
              : "object of class '\(type(of: object).className())' is unmanaged."))
      }
      if object.hasRow {
        links.append(link)
      } else if object.flags.contains(.deleted) {
        fatalError(
          "Can only delete an object from the Realm it belongs to: this instance of class '\(type(of: object).className())' "
            + "was deleted before.")
      }
    }
    guard !links.isEmpty else { return }
    if perform({ try $0.delete(links) }) != nil {
      for object in objects { object.flags.insert(.deleted) }
    }
  }

  /// Deletes rows that exist.
  func delete(_ links: [ObjectLink]) {
    guard !links.isEmpty else { return }
    perform { try $0.delete(links) }
  }
}
