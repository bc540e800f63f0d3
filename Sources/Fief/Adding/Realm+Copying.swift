import FiefCopying
import FiefGraph

extension Realm {
  /// What a copy does where an object reaches itself.
  @frozen
  public enum CopyCycles: Sendable {
    /// The copies reach each other as the originals do.
    case preserve
    /// It is an error, as for `create`.
    case refuse
  }

  /// What a copy does with primary keys.
  @frozen
  public enum CopyKeys: Sendable {
    /// They stay; one that is taken is an error.
    case keep
    /// They stay; one that is taken means that the object which has it is brought up to date.
    case merge
  }

  /// Copies an object, and everything that it reaches, so that the copies are linked to each other as the originals are.
  ///
  ///     try other.write {
  ///       let ring = other.copy(first)
  ///     }
  ///
  /// Unlike `create` it keeps cycles, and copies objects of this very realm too. Every object is copied once, however often it is reached.
  /// What fails (a key that is taken, a class that this realm does not have) fails the write; nothing of the call remains then, and the
  /// object that is returned is an unmanaged one.
  ///
  /// - Parameters:
  ///   - object: the object: of any realm, frozen, or unmanaged, which it stays.
  ///   - cycles: what to do where an object reaches itself.
  ///   - keys: what to do with primary keys.
  /// - Complexity: linear in the objects and values, times O(log n) for each index and link.
  ///
  /// Traps outside a write transaction.
  @discardableResult
  public func copy<T: Object>(_ object: T, cycles: CopyCycles = .preserve, keys: CopyKeys = .keep) -> T {
    session.checkWriting("Object of class '\(type(of: object).className())' was copied")
    let type = type(of: object)
    let made = session.perform { transaction in
      try session.planning(transaction, .copy, keys == .merge ? .modified : .error) { planner in
        planner.keepsCycles = cycles == .preserve
        planner.copiesOwnRows = true
        return try session.create(type, object, planner)
      }
    }
    return made.map { unsafeDowncast($0, to: type) } ?? type.init()
  }
}
