import FiefGraph
import Foundation

/// Objects, collections and values as text, in the form that Realm gives them: class and properties, one a line, nested
/// objects and collections indented.
///
///     Dog {
///     	name = Rex;
///     	isGood = 1;
///     	toy = Toy {
///     		name = ball;
///     	};
///     	friends = List<Dog> <0x600000c0> (
///     		[0] Dog { … }
///     	);
///     	scores = Map<string, int> <0x600000d0> (
///     	[chess]: 7
///     	);
///     }
///
/// Values are those that are stored. What is deep, long or large is cut, so that a text ends also for objects that
/// reach themselves: at `deepest` levels, at `longest` elements, at `widest` bytes.
enum ObjectDescription {
  static let deepest = 5
  static let longest = 100
  static let widest = 24

  static func of(_ object: ObjectBase) -> String {
    if let shown = (object as? DynamicObject)?.shown { return of(shown) }
    return text(object, deepest)
  }

  /// A value, an object or a collection that stands in `levels` less than what is described; nil is null.
  static func text(_ value: Any?, _ levels: Int = deepest, null: String = "(null)") -> String {
    switch value.flatMap(plain) {
    case nil: null
    case let object as ObjectBase: text(object, levels)
    case let collection as CollectionBase: text(collection, levels)
    case let value as Bool: value ? "1" : "0"
    case let value as Double: number("\(value)")
    case let value as Float: number("\(value)")
    case let value as Data: text(value)
    case let value as String: value
    // Off Apple's platforms a date that is not a number cannot describe itself.
    case let value as Date: Timestamp(value).map { _ in "\(value)" } ?? "\(Timestamp.notAMoment)"
    case let value?: "\(value)"
    }
  }

  /// A whole number without the fraction that Swift shows it with.
  private static func number(_ text: String) -> String { text.hasSuffix(".0") ? String(text.dropLast(2)) : text }

  private static func text(_ data: Data) -> String {
    let bytes = data.prefix(widest).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "<\(bytes) — \(data.count) total bytes>"
  }

  // The recursion ends with the levels.

  private static func text(_ object: ObjectBase, _ levels: Int) -> String {
    if object.isManaged {
      object.heldSession.unsafelyUnwrapped.checkConfinement()
      if !object.hasRow { return "[invalid object]" }
    }
    if levels == 0 { return "<Maximum depth exceeded>" }
    let model = object.model
    var lines = "\(model.name) {\n"
    for property in model.properties where property.isStored {
      let value = text(property.access.plain(object, property.number), levels - 1)
      lines += "\t\(property.name) = \(CollectionDescription.indented(value));\n"
    }
    return lines + "}"
  }

  /// A list, set or map.
  static func text(_ collection: CollectionBase, _ levels: Int = deepest) -> String {
    if collection.isInvalidated { return "[invalid \(CollectionDescription.name(of: collection))]" }
    if levels == 0 { return "<Maximum depth exceeded>" }
    let (count, elements) = collection.firstElements(longest)
    let lines = elements.enumerated().map { position, element in
      let value = text(element.value, levels - 1, null: "<null>")
      return element.key.map { "[\($0)]: \(value)" } ?? "\t[\(position)] \(value)"
    }
    return CollectionDescription.frame(
      CollectionDescription.name(of: collection), ObjectIdentifier(collection), lines, count)
  }
}
