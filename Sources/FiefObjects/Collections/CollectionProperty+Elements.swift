import FiefCopying
import FiefRuntime
import Foundation

// Lists and sets as properties, whose elements have no keys.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _CollectionProperty where Self: RealmCollectionBase, _Elements == [Element] {
  public static func _elements(of value: Any?) -> [Element]? {
    guard let inner = value.flatMap(DynamicValue.present) else { return [] }
    if let elements = Existential.value(inner, as: [Element].self) { return elements }
    guard !(inner is any RealmKeyedCollection), let untyped = DynamicContainer.elements(inner) else { return nil }
    var elements: [Element] = []
    elements.reserveCapacity(untyped.count)
    for value in untyped {
      // A property of a mapped type reads null as its default; an element cannot be null.
      if Element._facts.isMapped && DynamicValue.isNull(value) { return nil }
      guard let element = Element._fromAny(value) else { return nil }
      elements.append(element)
    }
    return elements
  }
}

/// Elements that record reads: see `KeyPathNames`.
package enum Tracing {
  /// A stand-in for every element of a tracing collection.
  package static func element<Element: RealmCollectionValue>(_ type: Element.Type) -> Element {
    guard let target = Element._facts.target else { return Element._makeDefault() }
    return target._tracing() as? Element ?? Element._makeDefault()
  }
}
