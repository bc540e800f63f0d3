import Foundation

/// The classes that a realm keeps.
public struct Schema: Sendable, Equatable, CustomStringConvertible {
  /// The classes, in no particular order.
  public let objectSchema: [ObjectSchema]

  init(_ models: [ModelClass]) { objectSchema = models.map(ObjectSchema.init) }

  /// The class that is stored under a name.
  public subscript(className: String) -> ObjectSchema? { objectSchema.first { $0.className == className } }

  /// Whether both have the same classes.
  public static func == (a: Schema, b: Schema) -> Bool {
    guard a.objectSchema.count == b.objectSchema.count else { return false }
    var rest = b.objectSchema
    for schema in a.objectSchema {
      guard let place = rest.firstIndex(of: schema) else { return false }
      rest.remove(at: place)
    }
    return true
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
