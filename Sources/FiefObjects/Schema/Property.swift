/// The schema of one property of a class.
///
///     if let age = realm.schema["Dog"]?["age"] { print(age.type, age.isOptional, age.isIndexed) }
public struct Property: Hashable, Sendable, CustomStringConvertible {
  private let property: ModelProperty

  init(_ property: ModelProperty) { self.property = property }

  private var facts: _TypeFacts { property.facts }

  /// Its Swift name.
  public var name: String { property.name }
  /// Its stored name, which `propertiesMapping()` may change.
  ///
  ///     for property in dog.objectSchema.properties where property.columnName != property.name { print(property) }
  public var columnName: String { property.storedName }
  /// The kind of its value or elements.
  ///
  ///     let links = dog.objectSchema.properties.filter { $0.type == .object }
  public var type: PropertyType { PropertyType(facts) }
  /// Whether it is a list, or linking objects.
  ///
  ///     let lists = dog.objectSchema.properties.filter(\.isArray).map(\.name)
  public var isArray: Bool { facts.shape == .list || facts.isBacklinks }
  /// Whether it is a set.
  public var isSet: Bool { facts.shape == .set }
  /// Whether it is a map.
  public var isMap: Bool { facts.shape == .dictionary }
  /// Whether objects can be found by its value without a scan. True for a primary key.
  ///
  ///     let fast = person.objectSchema.properties.filter(\.isIndexed).map(\.name)
  public var isIndexed: Bool { property.declaration.isIndexed || property.isPrimaryKey }
  /// Whether the value, or an element, is declared optional. False for any-values, which have a null of their own.
  ///
  ///     let required = dog.objectSchema.properties.filter { !$0.isOptional }.map(\.name)
  public var isOptional: Bool {
    facts.kind != .any && facts.isOptional
      || facts.kind == .link && !facts.isBacklinks && (facts.shape == .single || facts.shape == .dictionary)
  }
  /// The stored name of the class at the other end of links; nil for properties without links.
  ///
  ///     print(person.objectSchema["dogs"]?.objectClassName ?? "none")          // Dog
  public var objectClassName: String? { facts.storedTarget }

  /// All facts, one per line.
  public var description: String {
    var lines = ["type = \(type)"]
    if type == .object || type == .linkingObjects {
      lines.append("objectClassName = \(objectClassName ?? "(null)")")
      lines.append("linkOriginPropertyName = \(property.origin ?? "(null)")")
    }
    lines.append("columnName = \(columnName)")
    for (fact, isTrue) in [
      ("indexed", isIndexed), ("isPrimary", property.isPrimaryKey), ("array", isArray), ("set", isSet),
      ("dictionary", isMap), ("optional", isOptional),
    ] {
      lines.append("\(fact) = \(isTrue ? "YES" : "NO")")
    }
    return "\(name) {\n" + lines.map { "\t\($0);\n" }.joined() + "}"
  }

  /// Whether all facts of both are equal.
  public static func == (a: Property, b: Property) -> Bool {
    a.property === b.property || a.description == b.description
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
