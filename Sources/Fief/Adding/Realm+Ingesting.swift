import FiefCopying
import FiefGraph
import FiefSessions

extension Realm {
  /// Hands an asymmetric object over to the application. It is validated like any other object, and passed to the
  /// configuration's `ingestHandler` when the write is committed. No row stores it.
  ///
  ///     try realm.write {
  ///       realm.create(Sighting.self, value: ["place": "Rome"])
  ///     }
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - value: the source of the object's values, as for `create(_:value:update:)`.
  ///
  /// An invalid value, and one that is nested deeper than 512 levels, fails the write. Traps outside a write
  /// transaction.
  public func create<T: AsymmetricObject>(_ type: T.Type, value: Any = [String: Any]()) {
    session.checkWriting("Object of class '\(type.className())' was created")
    session.perform { transaction in
      try session.inserting(transaction, PlanRequest(.copy, .error, root: .ingested)) { insertion in
        let binding = try session.bindingInSchema(of: type)
        _ = try session.enterRoot(value, binding, insertion)
        try insertion.planner.walk()
        session.outgoing.append(
          IngestDocument(className: binding.model.name, values: try insertion.planner.plainRoot()))
      }
    }
  }
}
