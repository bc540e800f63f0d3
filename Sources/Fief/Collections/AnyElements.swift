import FiefRuntime
import Foundation

/// Reads elements out of something untyped: an array, a set, any collection of a realm.
enum AnyElements {
  /// The elements as what they are wanted as; none for null; nil when it is no sequence, or an element does not fit.
  static func of<Element: RealmCollectionValue>(_ value: Any?, as type: Element.Type) -> [Element]? {
    guard let inner = value.flatMap(Untyped.present) else { return [] }
    if let elements = Existential.value(inner, as: [Element].self) { return elements }
    guard !(inner is any RealmKeyedCollection), let untyped = UntypedContainer.elements(inner) else { return nil }
    var elements: [Element] = []
    elements.reserveCapacity(untyped.count)
    for value in untyped {
      guard let element = Element._fromAny(value) else { return nil }
      elements.append(element)
    }
    return elements
  }
}

/// Elements that note what is read of them: see `KeyPathNames`.
enum Tracing {
  /// What a tracing collection gives for any of its elements.
  static func element<Element: RealmCollectionValue>(_ type: Element.Type) -> Element {
    guard let target = Element._facts.target else { return Element._makeDefault() }
    return target.tracing() as? Element ?? Element._makeDefault()
  }
}
