public import FiefCopying
import FiefGraph
import FiefSessions

extension Realm {
  /// Copies an object and all objects that it reaches. The copies are linked to each other like the originals.
  ///
  ///     try other.write {
  ///       let ring = other.copy(first)
  ///       let card = other.copy(person, keys: .regenerate, depth: 1, properties: .except(\Person.diary))
  ///     }
  ///
  /// Unlike `create`, it preserves cycles, and also copies objects of this realm. Every object is copied once, however
  /// often it is reached; embedded objects are copied once for each owner. An error (a primary key that exists already,
  /// a class that this realm does not have, a deleted object) fails the write. Nothing of the call remains then, and
  /// the returned object is unmanaged. The copy of a dynamic object is dynamic.
  ///
  /// - Parameters:
  ///   - object: the object, of any realm, frozen or unmanaged. An unmanaged object stays unmanaged.
  ///   - cycles: the treatment of an object that reaches itself.
  ///   - keys: the treatment of primary keys.
  ///   - depth: the maximum number of links to follow, at least 0; nil follows all. 0 copies the object with its
  ///     embedded objects, 1 also the objects that it links to. In copies at the maximum depth, links and collections
  ///     of objects are empty. Objects in any-values become null there, and are missing from lists. (An existing object
  ///     that a copy with `.merge` updates keeps its links and collections.)
  ///   - properties: the properties to copy; all others have their declared defaults.
  /// - Returns: the managed copy of `object`.
  /// - Complexity: linear in the objects and values, times O(log n) for each index and link.
  ///
  /// Traps outside a write transaction, outside the realm's thread, queue or actor, and where `object` may not be read.
  @discardableResult
  public func copy<T: Object>(
    _ object: T, cycles: CopyCycles = .preserve, keys: CopyKeys = .keep, depth: Int? = nil,
    properties: CopyFilter = .all
  ) -> T {
    session.checkWriting("Object of class '\(type(of: object).className())' was copied")
    let type = type(of: object)
    let made = session.perform { transaction -> ObjectBase in
      let options = CopyOptions(cycles: cycles, keys: keys, depth: depth.map { max(0, $0) }, properties: properties)
      // A dynamic object stands for one of its class, whose declarations apply to the copy.
      let source = (object as? DynamicObject)?.typed ?? object
      return try Inserter(session).create(
        source, of: binding(like: source), PlanRequest(copying: options), in: transaction)
    }
    // The copy of a dynamic object is dynamic too.
    guard let made, let copy = object is DynamicObject ? DynamicObject.of(made) : made else { return type.init() }
    return unsafe unsafeDowncast(copy, to: type)
  }

  /// The class that the copy of an object has here; by its name, where the program does not define it.
  private func binding(like object: ObjectBase) throws -> ClassBinding {
    guard object is DynamicObject else {
      return try Inserter(session).bindingInSchema(of: Swift.type(of: object)).counted
    }
    if let binding = session.store.binding(named: object.model.name) { return binding }
    throw Realm.Error(.invalidValue, Store.missing(PlanPath.shortened(object.model.name)))
  }

  /// The treatment of an object that reaches itself, in a copy.
  ///
  ///     let copy = try document.detached(cycles: .refuse, keys: .regenerate)
  public typealias CopyCycles = FiefCopying.CopyCycles

  /// The treatment of primary keys in a copy.
  ///
  ///     try other.write { other.copy(person, keys: .merge) }
  public typealias CopyKeys = FiefCopying.CopyKeys
}
