import FiefGraph
import FiefSessions
import Foundation

/// Descriptions of collections: one element a line, 100 at most.
///
///     List<Dog> <0x600000c0> (
///     	[0] Dog {
///     		name = Rex;
///     	}
///     )
package enum CollectionDescription {
  /// Describes a collection without elements of its own, such as results.
  ///
  /// - Parameters:
  ///   - kind: the name of its type.
  ///   - identity: an object whose address identifies the collection; nil without one.
  package static func of<C: RandomAccessCollection & ThreadConfined>(
    _ collection: C, kind: String, identity: AnyObject?
  ) -> String {
    if collection.isInvalidated { return "[invalid \(kind)<\(elementName(C.Element.self))>]" }
    let first = collection.prefix(ObjectDescription.longest)
    // A dynamic object still has a class name.
    let name = (first.first as? DynamicObject)?.model.name ?? elementName(C.Element.self)
    let lines = first.enumerated().map {
      "\t[\($0)] \(ObjectDescription.text($1, ObjectDescription.deepest - 1, null: "<null>"))"
    }
    return frame("\(kind)<\(name)>", identity: identity.map { ObjectIdentifier($0) }, lines, count: collection.count)
  }

  /// Puts elements between the header and the footer of a collection.
  static func frame(_ name: String, identity: ObjectIdentifier?, _ lines: [String], count: Int) -> String {
    let address = identity.map { " <0x\(String(UInt(bitPattern: $0), radix: 16))>" } ?? ""
    var inner = lines.map(ObjectDescription.indented).joined(separator: ",\n")
    if count > lines.count { inner += "\n\t... \(count - lines.count) objects skipped." }
    return "\(name)\(address) (\n\(inner)\n)"
  }

  /// The type of a list, set or map, with the type names of schemas.
  static func name(of collection: CollectionBase) -> String {
    let facts = collection.facts
    let element = collection.location?.target?.model.shownName ?? elementName(facts)
    switch facts.shape {
    case .dictionary: return "Map<string, \(element)>"
    case .set: return "MutableSet<\(element)>"
    default: return "List<\(element)>"
    }
  }

  private static func elementName(_ type: Any.Type) -> String {
    guard let type = type as? any _Persistable.Type else { return String(describing: type) }
    return elementName(type._facts)
  }

  private static func elementName(_ facts: _TypeFacts) -> String {
    facts.target.map { $0.className() } ?? "\(PropertyType(facts))"
  }
}

extension CollectionBase {
  fileprivate final var facts: _TypeFacts {
    property?._facts ?? _TypeFacts(.any)
  }

  private final var property: (any _CollectionProperty.Type)? { type(of: self) as? any _CollectionProperty.Type }

  /// The number of elements, and the first `limit` of them with their keys.
  fileprivate final func firstContents(_ limit: Int) -> (
    count: Int, elements: [(key: String?, content: _PropertyContent)]
  ) {
    guard let location else {
      let all = contents()
      return (all.count, Array(all.prefix(limit)))
    }
    return location.read { stored in
      guard let stored else { return (0, []) }
      var elements: [(key: String?, content: _PropertyContent)] = []
      for position in 0..<min(limit, stored.count) {
        elements.append((stored.key(ofEntryAt: position), .value(stored.value(at: position, as: location.type))))
      }
      return (stored.count, elements)
    }
  }

  /// The number of elements, and the first `limit` of them as code that reads by name sees them.
  final func firstElements(_ limit: Int) -> (count: Int, elements: [(key: String?, value: Any?)]) {
    let (count, contents) = firstContents(limit)
    return (count, contents.map { ($0.key, value(of: $0.content)) })
  }

  private final func value(of content: _PropertyContent) -> Any? {
    switch content {
    case .value(let value): if let location { value.shown(in: location.session) } else { value.plain }
    case .object(let object): object
    case .collection(let collection): collection
    }
  }
}

extension CollectionBase: DescribedElements {
  /// Describes the list, set or map when it is nested so deep that `levels` levels remain.
  final func text(_ levels: Int) -> String {
    if isInvalidated { return "[invalid \(CollectionDescription.name(of: self))]" }
    if levels == 0 { return "<Maximum depth exceeded>" }
    let (count, elements) = firstElements(ObjectDescription.longest)
    let lines = elements.enumerated().map { position, element in
      let value = ObjectDescription.text(element.value, levels - 1, null: "<null>")
      return element.key.map { "[\($0)]: \(value)" } ?? "\t[\(position)] \(value)"
    }
    return CollectionDescription.frame(
      CollectionDescription.name(of: self), identity: ObjectIdentifier(self), lines, count: count)
  }
}
