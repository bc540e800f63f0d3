import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions
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
    guard
      let made = session.perform({ transaction in try session.create(type, value, policy, transaction) })
    else { return type.init() }
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
    return unsafe unsafeDowncast(try session.createAtOnce(type, value, policy), to: type)
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
  /// - Returns: the managed object; an unmanaged one without properties when the value is invalid.
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
      return try session.create(binding, value, policy, transaction)
    }
    return made?.link.flatMap(session.dynamicAccessor) ?? DynamicObject()
  }
}

extension Session {
  /// Creates an object. An error is thrown, and does not mark the write as failed.
  func createAtOnce(_ type: ObjectBase.Type, _ value: Any, _ policy: Realm.UpdatePolicy) throws -> ObjectBase {
    guard let transaction else { fatalError("An object was created outside of a write transaction.") }
    defer { noteChanges() }
    do {
      return try create(type, value, policy, transaction)
    } catch {
      throw Realm.Error.describing(error)
    }
  }

  /// Makes a row from a value, or updates the row with its primary key.
  ///
  /// - Returns: the row's accessor.
  func create(
    _ type: ObjectBase.Type, _ value: Any, _ policy: Realm.UpdatePolicy, _ transaction: Transaction
  ) throws -> ObjectBase {
    // Initialisers are application code, and run once for each object; so the planner takes over an instance that was
    // made here.
    var instance: ObjectBase?
    if let dictionary = Existential.value(value, as: [String: Any].self), let binding = knownBinding(of: type),
      let made = try binding.with({
        try createDirectly(dictionary, $0, policy.plan, transaction, instance: &instance)
      })
    {
      return made
    }
    return try inserting(transaction, PlanRequest(.copy, policy.plan)) { insertion in
      insertion.planner.rootInstance = instance
      return try create(type, value, insertion)
    }
  }

  /// Makes a row of a class of the store, or updates the row with its primary key.
  func create(
    _ binding: ClassBinding, _ value: Any, _ policy: Realm.UpdatePolicy, _ transaction: Transaction
  ) throws -> ObjectBase {
    if binding.type != DynamicObject.self { return try create(binding.type, value, policy, transaction) }
    return try inserting(transaction, PlanRequest(.copy, policy.plan)) { try create(binding, value, $0) }
  }

  /// Creates an object with a prepared planner.
  func create(_ type: ObjectBase.Type, _ value: Any, _ insertion: ObjectInsertion) throws -> ObjectBase {
    try create(bindingInSchema(of: type), value, insertion)
  }

  /// Creates an object of a class of the store with a prepared planner.
  ///
  /// - Parameter keyIsOptional: whether an update policy is allowed for a class without a primary key, whose object is
  ///   then new.
  func create(
    _ binding: ClassBinding, _ value: Any, _ insertion: ObjectInsertion, keyIsOptional: Bool = false
  ) throws -> ObjectBase {
    let planner = insertion.planner
    if planner.request.policy != .error && binding.primaryKey == nil && !planner.request.copiesOwnRows && !keyIsOptional
    {
      throw Realm.Error(
        .invalidValue,
        "Object of class '\(binding.model.name)' cannot be created with an update policy: the class has no primary key."
      )
    }
    if let same = try enterRoot(value, binding, insertion) { return same }
    try planner.walk()
    if planner.plan.rows[0].isUpdate {
      try planner.apply()
      return accessor(binding, planner.plan.key(of: 0), within: planner.transaction)
    }
    // The instance that provided the defaults becomes the accessor. It is made before anything is written, whether or
    // not a default is needed, since its initialiser is application code.
    let object = unsafe unsafeDowncast(try planner.instanceOfRoot(binding.rows), to: ObjectBase.self)
    try checkIsFresh(object, binding.model.name, planner.transaction)
    try planner.apply()
    object.becomeManaged(self, binding, planner.plan.key(of: 0))
    return object
  }
}

// Root values.

extension Session {
  /// The binding of a class.
  ///
  /// - Throws: when the class is not in the schema.
  func bindingInSchema(of type: ObjectBase.Type) throws -> ClassBinding {
    if let binding = binding(of: type) { return binding }
    throw Realm.Error(.invalidValue, store.missing(type))
  }

  /// Plans the root value of `create`.
  ///
  /// - Returns: the object itself, when it belongs to this realm and nothing is to be done; also a copy that needed no
  ///   plan.
  func enterRoot(_ value: Any, _ binding: ClassBinding, _ insertion: ObjectInsertion) throws -> ObjectBase? {
    if type(of: value) == binding.type, let object = value as? ObjectBase {
      return try enterRoot(object, binding, insertion)
    }
    guard let object = try insertion.planner.enterRoot(value, binding.rows) else { return nil }
    return try enterRoot(unsafe unsafeDowncast(object, to: ObjectBase.self), binding, insertion)
  }

  private func enterRoot(
    _ object: ObjectBase, _ binding: ClassBinding, _ insertion: ObjectInsertion
  ) throws -> ObjectBase? {
    let planner = insertion.planner
    guard object.isManaged else {
      _ = try planner.accept((object as? DynamicObject)?.shown ?? object, binding.rows, .root, current: nil)
      return nil
    }
    guard let other = object.retainedSession, let source = object.binding?.counted else {
      return nil
    }
    other.checkConfinement()
    guard object.hasRow else { throw planner.invalidated(object, .root) }
    if other === self && source === binding && planner.request.policy != .error && !planner.request.copiesOwnRows {
      return object
    }
    if let copy = try copyDirectly(object.key, source, other, binding, insertion) { return copy }
    _ = try planner.enter(
      row: ObjectLink(source.table, object.key), of: source.rows, other, binding.rows, .root, current: nil)
    return nil
  }

  /// Copies a row of another session leaf by leaf, when it needs no plan.
  private func copyDirectly(
    _ key: ObjectKey, _ source: ClassBinding, _ other: Session, _ binding: ClassBinding, _ insertion: ObjectInsertion
  ) throws -> ObjectBase? {
    let request = insertion.planner.request
    let transaction = insertion.planner.transaction
    guard other !== self, request.mode == .copy, request.options.isWhole,
      request.options.keys != .regenerate, request.root != .ingested,
      binding.model.kind == .object
    else { return nil }
    let copy = try transaction.attempt(.rowCopies) {
      try insertion.copier.copy(
        key, source.rows, other, to: binding.rows, transaction, refusesSharing: !request.keepsCycles)
    }
    // The accessor's initialiser is application code.
    noteChanges()
    return copy.map { accessor(binding, $0, within: transaction) }
  }
}
