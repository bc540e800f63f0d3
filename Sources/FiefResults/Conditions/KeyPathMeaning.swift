import FiefObjects

/// The meaning of a key path of a `#Predicate` for a query.
enum KeyPathMeaning: Equatable {
  case property(String)
  /// The number of elements of a collection.
  case count
  /// Whether a collection has no elements.
  case isEmpty

  /// Nil if no query has the meaning.
  init?(_ keyPath: AnyKeyPath, from type: Any.Type) {
    if let type = type as? any KeyPathRoot.Type {
      guard let name = type.keptName(of: keyPath) else { return nil }
      self = .property(name)
    } else if let (count, isEmpty) = (type as? any CountedByKeyPath.Type)?.counting, [count, isEmpty].contains(keyPath)
    {
      self = keyPath == count ? .count : .isEmpty
    } else {
      return nil
    }
  }
}

/// A collection whose `count` and `isEmpty` can be recognised by their key paths.
protocol CountedByKeyPath {
  static var counting: (count: AnyKeyPath, isEmpty: AnyKeyPath) { get }
}

extension List: CountedByKeyPath {
  static var counting: (count: AnyKeyPath, isEmpty: AnyKeyPath) { (\List.count, \List.isEmpty) }
}

extension MutableSet: CountedByKeyPath {
  static var counting: (count: AnyKeyPath, isEmpty: AnyKeyPath) { (\MutableSet.count, \MutableSet.isEmpty) }
}

extension Array: CountedByKeyPath {
  static var counting: (count: AnyKeyPath, isEmpty: AnyKeyPath) { (\Array.count, \Array.isEmpty) }
}

extension LinkingObjects: CountedByKeyPath {
  static var counting: (count: AnyKeyPath, isEmpty: AnyKeyPath) { (\LinkingObjects.count, \LinkingObjects.isEmpty) }
}
