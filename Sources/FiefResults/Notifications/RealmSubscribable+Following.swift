import Dispatch
import FiefObjects

extension RealmSubscribable {
  /// Reports each change of the value, and its deletion. Collections, maps and sections also report their state when
  /// the observation begins.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or dotted paths; nil for all.
  ///   - queue: a serial queue for the reports; nil for the realm's thread, queue or actor.
  ///   - block: receives the value, live where it is called, and whether it is the state at the beginning; nil when the
  ///     object was deleted, or the object that had the collection. Nothing follows.
  /// - Returns: a token that keeps the observation alive.
  package func follow(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (Self?, Bool) -> Void
  ) -> NotificationToken {
    func followed(_ observed: some _Observed) -> NotificationToken {
      var isFirst = true
      return observed.observing(keyPaths, on: queue) { change in
        guard let value = change.content as? Self else { return }
        // A section without elements may have some again, as long as there is what was sectioned.
        let isGone = (value as? any DerivedView)?.source.isInvalidated ?? value.isInvalidated
        block(isGone ? nil : value, isFirst)
        isFirst = false
      } orGone: {
        block(nil, isFirst)
      }
    }
    func followed(_ object: some _ObjectRepresentable & ThreadConfined) -> NotificationToken {
      object.observing(keyPaths, on: queue) { object, changes in
        block(changes.flatMap { _ in object as? Self }, false)
      }
    }
    switch self {
    case let observed as any _Observed: return followed(observed)
    case let object as any _ObjectRepresentable & ThreadConfined: return followed(object)
    default: fatalError("A '\(Self.self)' cannot be followed: only the library's own types are RealmSubscribable.")
    }
  }
}

extension Object: RealmSubscribable {}
extension EmbeddedObject: RealmSubscribable {}
extension Projection: RealmSubscribable {}
extension Map: RealmSubscribable {}

extension RealmSubscribable where Self: ObjectBase {
  /// Returns a new object.
  public static func _makeReplacement() -> Self? { Self() }
}

extension RealmSubscribable where Self: ProjectionObservable {
  /// Returns a projection of a new object.
  public static func _makeReplacement() -> Self? { Self(projecting: Root()) }
}

extension RealmSubscribable where Self: _CollectionProperty {
  /// Returns an empty collection.
  public static func _makeReplacement() -> Self? { Self() }
}
