import FiefGraph
public import FiefSessions
import Foundation

/// A store of objects, confined to one thread, queue or actor.
///
///     let realm = try Realm()
///     try realm.write {
///       realm.add(Dog(value: ["name": "Rex", "age": 3]))
///     }
///     let old = realm.objects(Dog.self)
///
/// A realm is a handle that is cheap to create and copy. Opening one store twice on the same thread, queue or actor
/// returns equal handles. A realm shows one version of the store. It advances when it writes or refreshes. With a run
/// loop, a queue or an actor it also advances automatically. It closes when its last handle, object and collection is
/// released.
///
/// A realm may only be used where it was opened; other uses trap. `freeze()` returns one that may be used anywhere.
@frozen
public struct Realm: Equatable {
  @usableFromInline package let session: Session

  @usableFromInline
  package init(_ session: Session) { self.session = session }

  /// Whether both are handles of the same realm on the same thread, queue or actor, or frozen realms of one version.
  ///
  ///     print(try Realm() == Realm())          // true
  public static func == (a: Realm, b: Realm) -> Bool { a.session === b.session || a.session.sees(sameAs: b.session) }

  // MARK: State

  /// Whether a write transaction is in progress. Traps outside the realm's thread, queue or actor.
  ///
  ///     func feed(_ dog: Dog, in realm: Realm) throws {
  ///       if realm.isInWriteTransaction { dog.isFed = true } else { try realm.write { dog.isFed = true } }
  ///     }
  public var isInWriteTransaction: Bool {
    session.checkConfinementOfUse()
    return session.transaction != nil
  }

  /// Whether it is frozen: it shows one version permanently, on any thread.
  ///
  ///     print(realm.isFrozen, realm.freeze().isFrozen)          // false true
  public var isFrozen: Bool { session.isFrozen }

  /// The number of the version that it shows. Later versions of a store have higher numbers. A realm that shows no
  /// version yet begins to show the latest one.
  ///
  ///     let before = realm.version
  ///     try realm.write { dog.age += 1 }
  ///     print(realm.version > before)          // true
  ///
  /// Traps outside the realm's thread, queue or actor.
  public var version: UInt64 {
    session.checkConfinement()
    session.noteReadOfAll()
    return session.graph.version
  }
}

extension Realm: CustomStringConvertible {
  /// The file or the identifier, and the thread, queue or actor to which the realm belongs; if it is frozen, its
  /// version.
  ///
  ///     print(realm)          // Realm(file '/tmp/dogs.realm', on the main thread)
  public var description: String {
    let state = isFrozen ? "frozen at version \(session.graph.version)" : "on \(session.confinement.label)"
    return "Realm(\(session.store.label), \(state))"
  }
}
