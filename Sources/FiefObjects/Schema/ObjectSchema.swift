import Foundation

/// The schema of one class.
///
///     realm.schema["Dog"]?.properties.map(\.name)     // ["id", "name"]
public struct ObjectSchema: Sendable, CustomStringConvertible {
  private let model: ModelClass

  init(_ model: ModelClass) { self.model = model }

  /// The stored name of the class.
  public var className: String { model.name }

  /// The stored properties in the order of declaration, superclass first. Linking objects are not included; the
  /// subscript finds them by name.
  ///
  ///     let names = realm.schema["Dog"]?.properties.map(\.name) ?? []
  ///
  /// - Complexity: linear in the properties.
  public var properties: [Property] { model.properties.filter(\.isStored).map(Property.init) }

  /// The linking objects.
  private var computedProperties: [Property] { model.properties.filter { !$0.isStored }.map(Property.init) }

  /// The primary key; nil when the class has none.
  ///
  ///     print(realm.schema["Person"]?.primaryKeyProperty?.name ?? "none")          // id
  public var primaryKeyProperty: Property? { model.primaryKey.map { Property(model.properties[$0]) } }

  /// Whether objects of the class are part of others.
  ///
  ///     let embedded = realm.schema.objectSchema.filter(\.isEmbedded).map(\.className)
  public var isEmbedded: Bool { model.kind == .embedded }

  /// Whether objects of the class are passed to the ingest handler and never read again.
  public var isAsymmetric: Bool { model.kind == .asymmetric }

  /// The class; `DynamicObject` for a class that the program does not have.
  ///
  ///     let known = realm.schema.objectSchema.filter { $0.objectClass != DynamicObject.self }
  public var objectClass: AnyClass { model.type }

  /// Returns the property with a Swift name, linking objects included; nil for an unknown name.
  ///
  ///     let isOptional = realm.schema["Dog"]?["city"]?.isOptional
  public subscript(propertyName: String) -> Property? {
    model.number(of: propertyName).map { Property(model.properties[$0]) }
  }

  /// The class and its properties, one per line.
  public var description: String {
    "\(className)\(isEmbedded ? " (embedded)" : isAsymmetric ? " (asymmetric)" : "") {\n"
      + (properties + computedProperties).map {
        "\t" + $0.description.replacingOccurrences(of: "\n", with: "\n\t") + "\n"
      }.joined() + "}"
  }
}

extension ObjectSchema: Equatable {
  /// Whether both describe classes with equal names, kinds and properties.
  public static func == (a: ObjectSchema, b: ObjectSchema) -> Bool {
    a.model === b.model || a.description == b.description
  }
}

extension ObjectBase {
  /// The schema of the class; nil for the base classes that models derive from. No realm is needed.
  ///
  ///     let names = Dog.sharedSchema()?.properties.map(\.name)
  public static func sharedSchema() -> ObjectSchema? {
    isBaseClass ? nil : ObjectSchema(ModelClass.of(self))
  }

  /// The schema of the class as the object's realm has it: properties, primary key, name.
  ///
  ///     for property in dog.objectSchema.properties { print(property.name, dog[property.name] ?? "nil") }
  public final var objectSchema: ObjectSchema { ObjectSchema(model) }
}
