import FiefCopying
import FiefGraph

extension Realm {
  /// Copies an object, and everything that it reaches, so that the copies are linked to each other as the originals
  /// are.
  ///
  ///     try other.write {
  ///       let ring = other.copy(first)
  ///       let card = other.copy(person, keys: .regenerate, depth: 1, properties: .except(\Person.diary))
  ///     }
  ///
  /// Unlike `create` it keeps cycles, and copies objects of this very realm too. Every object is copied once, however
  /// often it is reached; embedded objects once for each owner. What fails (a key that is taken, a class that this
  /// realm does not have) fails the write; nothing of the call remains then, and the object that is returned is an
  /// unmanaged one.
  ///
  /// - Parameters:
  ///   - object: the object: of any realm, frozen, or unmanaged, which it stays.
  ///   - cycles: what to do where an object reaches itself.
  ///   - keys: what to do with primary keys.
  ///   - depth: how many steps along links are followed, at least 0; nil follows all. 0 copies the object with its
  ///     embedded objects, 1 also what it links to. The links and collections of objects of the last step are empty in
  ///     their copies; objects in their any-values are nothing there, or missing from lists. (An object that a copy
  ///     with `.merge` brings up to date keeps those that it has.)
  ///   - properties: which properties are copied; the others have their declared defaults.
  /// - Complexity: linear in the objects and values, times O(log n) for each index and link.
  ///
  /// Traps outside a write transaction.
  @discardableResult
  public func copy<T: Object>(
    _ object: T, cycles: CopyCycles = .preserve, keys: CopyKeys = .keep, depth: Int? = nil,
    properties: CopyFilter = .all
  ) -> T {
    session.checkWriting("Object of class '\(type(of: object).className())' was copied")
    let type = type(of: object)
    let made = session.perform { transaction in
      try session.planning(transaction, .copy, keys == .merge ? .modified : .error) { planner in
        planner.keepsCycles = cycles == .preserve
        planner.copiesOwnRows = true
        planner.options = CopyOptions(
          cycles: cycles, keys: keys, depth: depth.map { max(0, $0) }, properties: properties)
        return try session.create(type, object, planner)
      }
    }
    guard let made else { return type.init() }
    return unsafeDowncast(made, to: type)
  }
}
