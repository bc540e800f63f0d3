import FiefObjects

/// A value that views and publishers follow: an object, a collection, a map, a projection or sections.
///
/// Applications do not conform to it.
public protocol RealmSubscribable: ThreadConfined, Equatable, SendableMetatype {
  /// Returns what a view shows when the value was deleted; nil for types that have no value by default.
  static func _makeReplacement() -> Self?
}

extension RealmSubscribable {
  /// Returns nil: most types have no value by default.
  public static func _makeReplacement() -> Self? { nil }
}
