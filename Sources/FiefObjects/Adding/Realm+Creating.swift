import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions
import FiefValues
import Foundation

extension Realm {
  /// Creates an object from a value, or updates the object with its primary key, together with all objects that the
  /// value contains.
  ///
  ///     try realm.write {
  ///       let person = realm.create(Person.self, value: ["id": 7, "dogs": [["name": "Rex"], ["name": "Rufus"]]])
  ///       realm.create(Person.self, value: ["id": 7, "name": "Ann"], update: .modified)
  ///     }
  ///
  /// `value` can be a dictionary with property names as keys. A missing key means the declared default, or, for an
  /// object that is updated, that the property stays unchanged. Unknown keys are ignored. It can be an array with one
  /// value for each property, in the order of their declarations. It can be an object of this realm, of another realm
  /// or of none. A case of an enum stands for its raw value where that is wanted, and a value of a custom type for its
  /// stored form. Nested values follow the same rules. Objects of this realm are linked to; all others are copied, each
  /// once.
  ///
  /// An invalid value, or an object that reaches itself, fails the write. The write throws the error when it ends, with
  /// class, path and value. Nothing of the call remains, and the returned object is unmanaged.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - value: the source of the object's values.
  ///   - policy: the policy for primary keys that exist already, for all objects that the value contains. A policy
  ///     other than `.error` for a class without a primary key fails the write.
  /// - Returns: the managed object.
  /// - Complexity: linear in the objects and values, times O(log n) for each index and link.
  ///
  /// Traps outside a write transaction, and outside the realm's thread, queue or actor.
  @discardableResult
  public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update policy: UpdatePolicy = .error)
    -> T
  {
    session.checkWriting("Object of class '\(type.className())' was created")
    let made = session.perform { transaction in
      try Inserter(session).bindingInSchema(of: type).with { binding in
        try Inserter(session).create(value, of: binding, PlanRequest(.copy, policy.plan), in: transaction)
      }
    }
    guard let made else { return type.init() }
    return unsafe unsafeDowncast(made, to: type)
  }

  /// Creates or updates an object; see `create(_:value:update:)`. Throws at once when the value is invalid.
  ///
  ///     for record in records {
  ///       do {
  ///         try realm.create(Dog.self, validating: record, update: .modified)
  ///       } catch {
  ///         print("skipped: \(error)")
  ///       }
  ///     }
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - value: the source of the object's values.
  ///   - policy: the policy for primary keys that exist already, for all objects that the value contains.
  /// - Returns: the managed object.
  /// - Throws: `Realm.Error` with class, path and value. The call changes nothing, and the write can continue.
  /// - Complexity: linear in the objects and values, times O(log n) for each index and link.
  ///
  /// Traps outside a write transaction.
  @discardableResult
  public func create<T: Object>(_ type: T.Type, validating value: Any, update policy: UpdatePolicy = .error) throws
    -> T
  {
    session.checkWriting("Object of class '\(type.className())' was created")
    guard let transaction = session.transaction else { fatalError("An object was created outside of a write.") }
    defer { session.noteChanges() }
    let made = try Error.translating {
      try Inserter(session).bindingInSchema(of: type).with { binding in
        try Inserter(session).create(value, of: binding, PlanRequest(.copy, policy.plan), in: transaction)
      }
    }
    return unsafe unsafeDowncast(made, to: type)
  }

  /// Creates or updates an object of the class with a name; see `create(_:value:update:)`.
  ///
  ///     try realm.write {
  ///       let dog = realm.dynamicCreate("Dog", value: ["name": "Rex"])
  ///       dog["age"] = 3
  ///     }
  ///
  /// - Parameters:
  ///   - typeName: the name under which the class is stored.
  ///   - value: the source of the object's values.
  ///   - policy: the policy for primary keys that exist already, for all objects that the value contains.
  /// - Returns: the managed object. When the value is invalid, an unmanaged one: its properties are null, and what is
  ///   set is dropped with the write.
  /// - Complexity: linear in the objects and values, times O(log n) for each index and link.
  ///
  /// Traps outside a write transaction. An unknown class name, or that of an embedded class, fails the write.
  @discardableResult
  public func dynamicCreate(_ typeName: String, value: Any = [String: Any](), update policy: UpdatePolicy = .error)
    -> DynamicObject
  {
    session.checkWriting("Object of class '\(typeName)' was created")
    let made = session.perform { transaction -> ObjectBase in
      guard let binding = session.store.binding(named: typeName) else {
        throw Realm.Error(.invalidValue, Store.missing(PlanPath.shortened(typeName)))
      }
      return try Inserter(session).create(value, of: binding, PlanRequest(.copy, policy.plan), in: transaction)
    }
    return made?.rowLink.flatMap(session.dynamicAccessor) ?? .uncreated(in: session)
  }

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
  /// the configuration's `outboxLimit` (`.outboxFull`). An any-value that holds an object is invalid here: a document
  /// holds values and embedded objects, and no links.
  ///
  /// Traps outside a write transaction, and when an initialiser or a conversion of the application ends the write.
  public func create<T: AsymmetricObject>(_ type: T.Type, value: Any = [String: Any]()) {
    session.checkWriting("Object of class '\(type.className())' was created")
    session.perform { transaction in
      try Inserter(session).inserting(transaction, PlanRequest(.copy, .error, root: .ingested)) { insertion in
        let binding = try Inserter(session).bindingInSchema(of: type).counted
        _ = try insertion.planner.enterRoot(value, binding)
        try insertion.planner.walk()
        let document = try insertion.planner.rootDocument()
        Inserter(session).checkIsWriting(transaction, binding.model.name)
        try session.send(
          DocumentPrinter.print(document, []), className: binding.model.name, created: Timestamp(Date()) ?? .min,
          transaction)
      }
    }
  }
}
