public import Fief

/// A value that `@ObservedRealmObject` can show: an object, a collection, a map, a projection or sections.
///
/// Applications do not conform to it.
public protocol RealmSubscribable: ThreadConfined, Equatable, SendableMetatype {
  /// Calls a block after each change of the value, and after its deletion.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or dotted paths; nil for all.
  ///   - block: called on the main actor.
  /// - Returns: a token that keeps the observation alive.
  @MainActor func _observe(_ keyPaths: [String]?, _ block: @escaping () -> Void) -> NotificationToken

  /// Returns what a view shows when the value was deleted; nil for types that have no value by default.
  static func _makeDefault() -> Self?
}

extension RealmSubscribable where Self: _Observed {
  /// Calls a block after each change of the collection.
  @MainActor public func _observe(_ keyPaths: [String]?, _ block: @escaping () -> Void) -> NotificationToken {
    var isFirst = true
    return observe(keyPaths: keyPaths) { _ in
      // The state at the beginning is what the view shows already.
      if !isFirst { block() }
      isFirst = false
    }
  }
}

extension RealmSubscribable {
  /// Returns nil: most types have no value by default.
  public static func _makeDefault() -> Self? { nil }
}

extension RealmSubscribable where Self: ObjectBase & ThreadConfined {
  /// Calls a block after each change of a property, and after the deletion of the object.
  @MainActor public func _observe(_ keyPaths: [String]?, _ block: @escaping () -> Void) -> NotificationToken {
    observe(keyPaths: keyPaths) { _ in block() }
  }

  /// Returns a new object.
  public static func _makeDefault() -> Self? { Self() }
}

extension Object: RealmSubscribable {}
extension EmbeddedObject: RealmSubscribable {}

extension Projection: RealmSubscribable {
  /// Calls a block after each change of a projected property, and after the deletion of the root object.
  @MainActor public func _observe(_ keyPaths: [String]?, _ block: @escaping () -> Void) -> NotificationToken {
    observe(keyPaths: keyPaths) { _ in block() }
  }

  /// Returns a projection of a new object.
  public static func _makeDefault() -> Self? { Self(projecting: Root()) }
}

extension List: RealmSubscribable {
  /// Returns an empty list.
  public static func _makeDefault() -> List? { List() }
}

extension MutableSet: RealmSubscribable {
  /// Returns an empty set.
  public static func _makeDefault() -> MutableSet? { MutableSet() }
}

extension Map: RealmSubscribable {
  /// Returns an empty map.
  public static func _makeDefault() -> Map? { Map() }
}

extension Results: RealmSubscribable {}
extension LinkingObjects: RealmSubscribable {}
extension AnyRealmCollection: RealmSubscribable {}
extension SectionedResults: RealmSubscribable {}
extension ResultsSection: RealmSubscribable {}
