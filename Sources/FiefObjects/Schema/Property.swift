/// The schema of one property of a class.
///
///     if let age = realm.schema["Dog"]?["age"] { print(age.type, age.isOptional, age.isIndexed) }
public struct Property: Hashable, Sendable, CustomStringConvertible {
  /// Its Swift name.
  public let name: String
  /// Its stored name, which `propertiesMapping()` may change.
  ///
  ///     for property in dog.objectSchema.properties where property.columnName != property.name { print(property) }
  public let columnName: String
  /// The kind of its value or elements.
  ///
  ///     let links = dog.objectSchema.properties.filter { $0.type == .object }
  public let type: PropertyType
  /// Whether it is a list, or linking objects.
  ///
  ///     let lists = dog.objectSchema.properties.filter(\.isArray).map(\.name)
  public let isArray: Bool
  /// Whether it is a set.
  public let isSet: Bool
  /// Whether it is a map.
  public let isMap: Bool
  /// Whether objects can be found by its value without a scan. True for a primary key.
  ///
  ///     let fast = person.objectSchema.properties.filter(\.isIndexed).map(\.name)
  public let isIndexed: Bool
  /// Whether the value, or an element, is declared optional. False for any-values, which have a null of their own.
  ///
  ///     let required = dog.objectSchema.properties.filter { !$0.isOptional }.map(\.name)
  public let isOptional: Bool
  /// The stored name of the class at the other end of links; nil for properties without links.
  ///
  ///     print(person.objectSchema["dogs"]?.objectClassName ?? "none")          // Dog
  public let objectClassName: String?

  let isPrimaryKey: Bool
  let origin: String?

  init(_ property: ModelProperty) {
    let facts = property.facts
    name = property.name
    columnName = property.storedName
    type = PropertyType(facts)
    isArray = facts.shape == .list || facts.isBacklinks
    isSet = facts.shape == .set
    isMap = facts.shape == .dictionary
    isIndexed = property.isIndexed || property.isPrimaryKey
    isOptional =
      facts.kind != .any && facts.isOptional
      || facts.kind == .link && !facts.isBacklinks && (facts.shape == .single || facts.shape == .dictionary)
    objectClassName = facts.storedTarget
    isPrimaryKey = property.isPrimaryKey
    origin = property.origin
  }

  /// All facts, one per line.
  public var description: String {
    var lines = ["type = \(type)"]
    if type == .object || type == .linkingObjects {
      lines.append("objectClassName = \(objectClassName ?? "(null)")")
      lines.append("linkOriginPropertyName = \(origin ?? "(null)")")
    }
    lines.append("columnName = \(columnName)")
    for (fact, isTrue) in [
      ("indexed", isIndexed), ("isPrimary", isPrimaryKey), ("array", isArray), ("set", isSet), ("dictionary", isMap),
      ("optional", isOptional),
    ] {
      lines.append("\(fact) = \(isTrue ? "YES" : "NO")")
    }
    return "\(name) {\n" + lines.map { "\t\($0);\n" }.joined() + "}"
  }
}
