import FiefSessions
import Foundation

/// The classes of a realm.
///
///     for objectSchema in realm.schema.objectSchema {
///       print(objectSchema.className, objectSchema.properties.map(\.name))
///     }
public struct Schema: Sendable, Equatable, CustomStringConvertible {
  /// The classes, in no particular order.
  ///
  ///     let names = realm.schema.objectSchema.map(\.className).sorted()
  public let objectSchema: [ObjectSchema]
  /// The indexes of the classes with a name: several classes may share a stored name.
  private let indices: [String: [Int]]

  package init(_ models: [ModelClass]) {
    objectSchema = models.map(ObjectSchema.init)
    indices = Dictionary(grouping: models.indices) { models[$0].name }
  }

  /// Returns the class with a stored name; nil for an unknown name. When several classes share the name, it returns one
  /// of them.
  ///
  ///     if realm.schema["Dog"] == nil { print("The realm has no dogs.") }
  public subscript(className: String) -> ObjectSchema? { indices[className]?.first.map { objectSchema[$0] } }

  /// Whether both have equal classes, in any order. Linear in the classes and their properties.
  ///
  ///     print(realm.schema == other.schema)
  public static func == (a: Schema, b: Schema) -> Bool {
    guard a.objectSchema.count == b.objectSchema.count, a.indices.count == b.indices.count else { return false }
    return a.indices.allSatisfy { name, positions in
      var rest = b.indices[name] ?? []
      guard rest.count == positions.count else { return false }
      return positions.allSatisfy { position in
        guard let found = rest.firstIndex(where: { a.objectSchema[position] == b.objectSchema[$0] }) else {
          return false
        }
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
  /// The classes of the realm. May be read on any thread.
  ///
  ///     print(realm.schema.objectSchema.count, "classes")
  ///
  /// - Complexity: linear in the number of classes.
  public var schema: Schema { Schema(session.store.classes.models) }
}
