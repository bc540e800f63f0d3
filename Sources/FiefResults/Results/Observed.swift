import FiefGraph
import FiefObjects
import FiefSessions
public import Observation

/// A collection, a map or sectioned results: the types that share four ways of being observed. Applications do not
/// conform to this protocol.
///
///     here or on a queue      by names of properties, or by key paths
///     on an actor             by names or key paths; the observation has begun when the call returns
///
/// A scope of `withObservationTracking` that has read such a value is notified when other elements are there, or the
/// same ones in another order; for aggregates, groups and sections also when the elements change.
///
/// A conforming type declares only its change type and how its observation is created.
public protocol _Observed: ThreadConfined, Observable {
  /// The type of the changes that a block receives.
  associatedtype _Change: _ObservedChange
  /// The type of the elements. Key paths start at it when it is an object or projection type, or an optional of one.
  associatedtype _ObservedElement

  /// Returns an observation in the realm of the value, which passes its changes to `block`; nil when it is unmanaged.
  func _observation(_ keyPaths: [String]?, _ block: @escaping (_Change) -> Void) -> _Observation?
}

// Lists, sets and maps have functions of their own, which return themselves where nothing is to do.
extension _Observed {
  /// Whether the collection or the sections are frozen: they show one version for good, on any thread.
  ///
  ///     print(dogs.isFrozen, dogs.freeze().isFrozen)          // false true
  @_disfavoredOverload
  public var isFrozen: Bool { realm?.isFrozen ?? false }

  /// Returns a frozen counterpart at the current version, readable from any thread.
  ///
  ///     nonisolated(unsafe) let frozen = dogs.where { $0.age > 2 }.freeze()
  ///     Task.detached { print(frozen.count) }
  ///
  /// During a write the version is the one before that write. A frozen collection returns itself. Traps when it is
  /// unmanaged, when it was deleted or its realm invalidated, and when its object was made in the current write.
  @_disfavoredOverload
  public func freeze() -> Self {
    guard let realm else { Misuse.unmanaged("freeze()") }
    guard let frozen = _resolved(in: Realm(realm.session.frozen())) else {
      fatalError(
        "A collection that has been deleted or invalidated, or was made in the present write transaction, cannot be "
          + "frozen.")
    }
    return frozen
  }

  /// Returns the live counterpart in the realm that the current thread, queue or actor has open, or opens now; nil when
  /// the collection, or the section, does not exist there. Traps when it is unmanaged.
  ///
  ///     if let live = frozen.thaw(), let dog = live.first {
  ///       try live.realm?.write { dog.age += 1 }
  ///     }
  @_disfavoredOverload
  public func thaw() -> Self? {
    guard let realm else { Misuse.unmanaged("thaw()") }
    return _resolved(in: Realm(realm.session.thawed()))
  }
}

/// An observation that is not registered yet.
public struct _Observation {
  let made: any SessionObservation
}

/// Returns an observation of a thing from a version on, on the executor where its block is to run; nil when nothing can
/// be observed.
typealias ObservationMaker<Thing> = (_ thing: Thing, _ from: Graph) -> (any SessionObservation)?

/// A change that a block, a sequence or a publisher receives. Applications do not conform to this protocol.
public protocol _ObservedChange {
  /// The type of the object, the collection or the sections.
  associatedtype _Content

  /// The change of an object that no longer exists; nil for a collection.
  static var _deletion: Self? { get }
  /// Returns the change with another content, and other values as any thread may read them; itself, and calls nothing,
  /// when it has no content.
  ///
  /// - Parameter content: returns the content in the place of the present one; nil when there is no change then.
  func _replacing(_ content: (_Content) -> _Content?) -> Self?
}

extension _ObservedChange {
  /// Returns nil, as for a collection.
  public static var _deletion: Self? { nil }

  /// The object or collection that has changed, or begins to be observed; nil for a deletion.
  var content: _Content? {
    var found: _Content?
    _ = _replacing { content in
      found = content
      return nil
    }
    return found
  }
}
