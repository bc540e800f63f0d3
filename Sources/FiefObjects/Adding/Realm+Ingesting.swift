import FiefCopying
import FiefGraph
import FiefSessions
import FiefValues
import Foundation

extension Realm {
  /// Hands an asymmetric object over to the application. It is validated like any other object. As a document it is
  /// part of the write, waits in the store, and is passed to the configuration's `ingestHandler` when the write is
  /// durable. No object can be read.
  ///
  ///     try realm.write {
  ///       realm.create(Sighting.self, value: ["place": "Rome"])
  ///     }
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - value: the source of the object's values, as for `create(_:value:update:)`.
  ///
  /// An invalid value, and one that is nested deeper than 512 levels, fails the write, and so does a document beyond
  /// the configuration's `outboxLimit` (`.outboxFull`).
  ///
  /// Traps outside a write transaction, and when an initialiser or a conversion of the application ends the write.
  public func create<T: AsymmetricObject>(_ type: T.Type, value: Any = [String: Any]()) {
    session.checkWriting("Object of class '\(type.className())' was created")
    session.perform { transaction in
      try session.inserting(transaction, PlanRequest(.copy, .error, root: .ingested)) { insertion in
        let binding = try session.bindingInSchema(of: type)
        _ = try insertion.planner.enterRoot(value, binding.rows)
        try insertion.planner.walk()
        let values = try insertion.planner.rootDictionary()
        session.checkIsWriting(transaction, binding.model.name)
        try session.send(
          DocumentBytes.encode(values), className: binding.model.name, created: Timestamp(Date()) ?? .min, transaction)
      }
    }
  }
}
