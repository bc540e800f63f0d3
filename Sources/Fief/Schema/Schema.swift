import Foundation

/// The classes that a realm keeps.
public struct Schema: Sendable, Equatable, CustomStringConvertible {
  /// The classes, in no particular order.
  public let objectSchema: [ObjectSchema]
  /// Where those of a name stand: several classes may be stored under one.
  private let places: [String: [Int]]

  init(_ models: [ModelClass]) {
    objectSchema = models.map(ObjectSchema.init)
    places = Dictionary(grouping: models.indices) { models[$0].name }
  }

  /// The class that is stored under a name.
  public subscript(className: String) -> ObjectSchema? { places[className]?.first.map { objectSchema[$0] } }

  /// Whether both have the same classes, in whatever order. Linear in the classes and their properties.
  public static func == (a: Schema, b: Schema) -> Bool {
    guard a.objectSchema.count == b.objectSchema.count, a.places.count == b.places.count else { return false }
    return a.places.allSatisfy { name, places in
      var rest = b.places[name] ?? []
      guard rest.count == places.count else { return false }
      return places.allSatisfy { place in
        guard let found = rest.firstIndex(where: { a.objectSchema[place] == b.objectSchema[$0] }) else { return false }
        rest.remove(at: found)
        return true
      }
    }
  }

  /// All classes with their properties.
  public var description: String {
    "Schema {\n"
      + objectSchema.sorted { $0.className < $1.className }
      .map { "\t" + $0.description.replacingOccurrences(of: "\n", with: "\n\t") + "\n" }.joined() + "}"
  }
}

extension Realm {
  /// The classes that the realm keeps.
  public var schema: Schema { Schema(session.store.models) }
}
