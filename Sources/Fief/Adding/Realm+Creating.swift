import FiefCopying
import FiefGraph
import FiefRuntime
import Foundation

extension Realm {
  /// Makes an object of a value, or brings one up to date that has its primary key, with everything that the value
  /// reaches.
  ///
  ///     try realm.write {
  ///       let person = realm.create(Person.self, value: ["id": 7, "dogs": [["name": "Rex"], ["name": "Rufus"]]])
  ///     }
  ///
  /// What `value` may be: a dictionary with the names of properties as keys (a missing key means the declared default,
  /// or, of an object that is updated, that the property stays; keys that are no property are ignored); an array with
  /// one value for each property, in the order of their declarations; an object, of this realm, another one or none.
  /// Nested values likewise. Objects of this realm are linked to; all others are copied, each once.
  ///
  /// A bad value, or an object that reaches itself, fails the write, which throws when it ends, with class, path and
  /// value. Nothing of the call remains then, and the object that is returned is an unmanaged one.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - value: what the object is made of.
  ///   - policy: what to do with primary keys that are taken, for all objects that the value reaches.
  /// - Returns: the managed object.
  /// - Complexity: linear in the objects and values, times O(log n) for each index and link.
  ///
  /// Traps outside a write transaction.
  @discardableResult
  public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update policy: UpdatePolicy = .error)
    -> T
  {
    session.checkWriting("Object of class '\(type.className())' was created")
    guard
      let made = session.perform({ transaction in try session.create(type, value, policy, transaction) })
    else { return type.init() }
    return unsafeDowncast(made, to: type)
  }

  /// Makes or updates an object as `create(_:value:update:)` does, and throws at once when the value is bad.
  ///
  ///     for record in records {
  ///       do {
  ///         try realm.create(Dog.self, validating: record, update: .modified)
  ///       } catch {
  ///         print("skipped: \(error)")
  ///       }
  ///     }
  ///
  /// - Throws: `Realm.Error` with class, path and value. The transaction is as it was, and goes on unharmed.
  ///
  /// Traps outside a write transaction.
  @discardableResult
  public func create<T: Object>(_ type: T.Type, validating value: Any, update policy: UpdatePolicy = .error) throws
    -> T
  {
    session.checkWriting("Object of class '\(type.className())' was created")
    return unsafeDowncast(try session.createAtOnce(type, value, policy), to: type)
  }

  /// Makes or updates an object of the class of a name, as `create(_:value:update:)` does.
  ///
  /// Traps outside a write transaction. A name that is no class of this realm, or that of an embedded class, fails the
  /// write.
  @discardableResult
  public func dynamicCreate(_ typeName: String, value: Any = [String: Any](), update policy: UpdatePolicy = .error)
    -> DynamicObject
  {
    session.checkWriting("Object of class '\(typeName)' was created")
    let made = session.perform { transaction -> ObjectBase in
      guard let binding = session.store.allBindings.first(where: { $0.model.name == typeName }) else {
        throw Realm.Error(
          .invalidValue,
          "Object type '\(PlanPath.shortened(typeName))' is not managed by the Realm: it is not in the realm's schema.")
      }
      return try session.create(binding.model.type, value, policy, transaction)
    }
    return made?.link.flatMap(session.dynamicAccessor) ?? DynamicObject()
  }
}

extension Session {
  /// Creates an object; what fails is thrown, and does not mark the write.
  func createAtOnce(_ type: ObjectBase.Type, _ value: Any, _ policy: Realm.UpdatePolicy) throws -> ObjectBase {
    guard let transaction else { fatalError("An object was created outside of a write transaction.") }
    defer { touch() }
    do {
      return try create(type, value, policy, transaction)
    } catch {
      throw Realm.Error.describing(error)
    }
  }

  /// Makes a row of a value, or updates the one that has its primary key.
  ///
  /// - Returns: its accessor.
  func create(
    _ type: ObjectBase.Type, _ value: Any, _ policy: Realm.UpdatePolicy, _ transaction: Transaction
  ) throws -> ObjectBase {
    // Initialisers are the application's, and run once for each object: whoever goes on takes the instance over.
    var instance: ObjectBase?
    if let dictionary = Existential.value(value, as: [String: Any].self), let binding = knownBinding(of: type),
      let made = try createFlat(dictionary, binding, policy, transaction, &instance)
    {
      return made
    }
    return try planning(transaction, .copy, policy) { planner in
      planner.rootInstance = instance
      return try create(type, value, planner)
    }
  }

  /// The same with a planner that is ready.
  func create(_ type: ObjectBase.Type, _ value: Any, _ planner: Planner) throws -> ObjectBase {
    guard let binding = binding(of: type) else { throw planner.missing(type, .root) }
    if planner.policy != .error && binding.primaryKey == nil && !planner.copiesOwnRows {
      throw Realm.Error(
        .invalidValue,
        "Object of class '\(binding.model.name)' cannot be created with an update policy: the class has no primary key."
      )
    }
    if let same = try planner.enterRoot(value, binding) { return same }
    try planner.walk()
    try planner.apply()
    let key = planner.plan.key(of: 0)
    // The instance that defaults were taken from is as good as another.
    guard let instance = planner.items[0].instance, !planner.plan.rows[0].isUpdate else {
      return accessor(binding, key)
    }
    let object = unsafeDowncast(instance, to: ObjectBase.self)
    object.becomeManaged(self, binding, key)
    return object
  }
}

extension Planner {
  /// Plans what `create` was given.
  ///
  /// - Returns: the object itself, when it is this realm's and nothing is to be done.
  func enterRoot(_ value: Any, _ binding: ClassBinding) throws -> ObjectBase? {
    if let object = Existential.instance(value, of: binding.type) { return try enterRoot(object, binding) }
    if let dictionary = Existential.value(value, as: [String: Any].self) {
      _ = try enter(.dictionary(dictionary), binding, .root)
      return nil
    }
    guard let inner = Untyped.present(value) else {
      throw Realm.Error(
        .invalidValue,
        "Object of class '\(binding.model.name)' cannot be created of null: a non-nil value is required (a dictionary, an array or an "
          + "object).")
    }
    if Untyped.isObject(inner), let object = inner as? ObjectBase { return try enterRoot(object, binding) }
    if !Untyped.isObject(inner), let any = inner as? AnyRealmValue, case .object(let object) = any {
      return try enterRoot(object, binding)
    }
    if let container = UntypedContainer.of(inner) {
      _ = try enter(container, binding, .root, current: nil)
    } else {
      throw Realm.Error(
        .invalidValue,
        "Object of class '\(binding.model.name)' cannot be created of \(Untyped.words(value)): expected a dictionary with property "
          + "names as keys, an array with one value for each property, or an object.")
    }
    return nil
  }

  private func enterRoot(_ object: ObjectBase, _ binding: ClassBinding) throws -> ObjectBase? {
    guard object.isManaged else {
      _ = try take((object as? DynamicObject)?.shown ?? object, binding, .root, current: nil)
      return nil
    }
    guard let other = object.heldSession, let source = object.binding?._withUnsafeGuaranteedRef({ $0 }) else {
      return nil
    }
    other.checkConfinement()
    guard object.hasRow else { throw invalidated(object, .root) }
    if other === session && source === binding && policy != .error && !copiesOwnRows { return object }
    if let copy = try copyAlone(object.key, source, other, binding) { return copy }
    _ = try enter(
      row: ObjectLink(source.table, object.key), of: source, other, binding, .root, current: nil)
    return nil
  }

  /// Copies a row of another session from leaf to leaf, when nothing about it is unusual.
  private func copyAlone(
    _ key: ObjectKey, _ source: ClassBinding, _ other: Session, _ binding: ClassBinding
  ) throws -> ObjectBase? {
    guard other !== session, mode == .copy, options.isWhole, options.keys != .regenerate, !isIngesting,
      binding.model.kind == .object
    else { return nil }
    let copy = try copier.copy(key, source, other, to: binding, transaction, refusesSharing: !keepsCycles)
    return copy.map { session.accessor(binding, $0) }
  }
}
