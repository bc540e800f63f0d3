import Foundation

/// What a schema says of one class.
///
///     realm.schema["Dog"]?.properties.map(\.name)     // ["id", "name"]
public struct ObjectSchema: Sendable, CustomStringConvertible {
  private let model: ModelClass

  init(_ model: ModelClass) { self.model = model }

  /// The name under which the class is stored.
  public var className: String { model.name }

  /// What is stored, superclass first and in the order of declaration. Linking objects are not among it: they are found
  /// by name.
  public var properties: [Property] { model.properties.filter(\.isStored).map(Property.init) }

  /// The linking objects.
  private var computedProperties: [Property] { model.properties.filter { !$0.isStored }.map(Property.init) }

  /// The property whose value names an object.
  public var primaryKeyProperty: Property? { model.primaryKey.map { Property(model.properties[$0]) } }

  /// Whether objects of the class are part of others.
  public var isEmbedded: Bool { model.kind == .embedded }

  /// Whether objects of the class are handed over and never read again.
  public var isAsymmetric: Bool { model.kind == .asymmetric }

  /// The class; `DynamicObject` for one that the program does not have.
  public var objectClass: AnyClass { model.type }

  /// The property of that Swift name, also one of linking objects.
  public subscript(propertyName: String) -> Property? {
    model.number(of: propertyName).map { Property(model.properties[$0]) }
  }

  /// Class and properties, one a line.
  public var description: String {
    "\(className)\(isEmbedded ? " (embedded)" : isAsymmetric ? " (asymmetric)" : "") {\n"
      + (properties + computedProperties).map {
        "\t" + $0.description.replacingOccurrences(of: "\n", with: "\n\t") + "\n"
      }.joined() + "}"
  }
}

extension ObjectSchema: Equatable {
  /// Whether both describe a class of one name and kind with the same properties.
  public static func == (a: ObjectSchema, b: ObjectSchema) -> Bool {
    a.model === b.model
      || a.className == b.className && a.model.kind == b.model.kind && a.properties == b.properties
        && a.computedProperties == b.computedProperties
  }
}
