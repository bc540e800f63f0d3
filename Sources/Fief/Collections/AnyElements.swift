import Foundation

/// Reads elements out of something untyped: an array, a set, any collection of a realm.
enum AnyElements {
  /// The elements as what they are wanted as; none for null; nil when it is no sequence, or an element does not fit.
  static func of<Element: RealmCollectionValue>(_ value: Any?, as type: Element.Type) -> [Element]? {
    guard let inner = value.flatMap(flattened), !Untyped.isNull(inner) else { return [] }
    if let elements = inner as? [Element] { return elements }
    guard let untyped = sequence(inner) else { return nil }
    var elements: [Element] = []
    elements.reserveCapacity(untyped.count)
    for value in untyped {
      guard let element = Element._fromAny(value) else { return nil }
      elements.append(element)
    }
    return elements
  }

  /// The elements of something that is a sequence of elements, and not of characters, bytes or entries.
  private static func sequence(_ value: Any) -> [Any]? {
    switch value {
    case is String, is Data, is [AnyHashable: Any], is any RealmKeyedCollection: return nil
    case let array as [Any]: return array
    case let sequence as any Sequence: return all(sequence)
    default: return nil
    }
  }

  private static func all<S: Sequence>(_ sequence: S) -> [Any] { sequence.map { $0 as Any } }
}

/// Elements that note what is read of them: see `KeyPathNames`.
enum Tracing {
  /// What a tracing collection gives for any of its elements.
  static func element<Element: RealmCollectionValue>(_ type: Element.Type) -> Element {
    guard let target = Element._facts.target else { return Element._makeDefault() }
    return target.tracing() as? Element ?? Element._makeDefault()
  }
}
