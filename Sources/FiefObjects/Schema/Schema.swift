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
  /// The classes by their names. Several classes may share a stored name.
  private let named: [String: ObjectSchema]

  package init(_ models: [ModelClass]) {
    objectSchema = models.map(ObjectSchema.init)
    named = Dictionary(objectSchema.map { ($0.className, $0) }) { first, _ in first }
  }

  /// Returns the class with a stored name; nil for an unknown name. When several classes share the name, it returns one
  /// of them.
  ///
  ///     if realm.schema["Dog"] == nil { print("The realm has no dogs.") }
  public subscript(className: String) -> ObjectSchema? { named[className] }

  /// Whether both have equal classes, in any order. O(n log n) in the classes, and linear in their properties.
  ///
  ///     print(realm.schema == other.schema)
  public static func == (a: Schema, b: Schema) -> Bool {
    a.objectSchema.map(\.description).sorted() == b.objectSchema.map(\.description).sorted()
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
