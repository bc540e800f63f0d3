import Fief

/// `fief schema`: prints the classes of a realm's file. It opens the file for reading alone, and needs no classes.
///
///     Dog
///       name      string?, indexed
///       owner     Person
///     Person
///       id        int, primary key
///       dogs      list of Dog
enum FileSchema {
  static let command = Command(
    "schema", "FILE", "the classes of a realm's file, with their properties",
    options: [
      .flag("--json", "print JSON, as 'import --schema' and 'rehearse --schema' read it"),
      .flag("--swift", "print model classes that open the file"),
      .flag("--mermaid", "print a class diagram for Mermaid"), .flag("--dot", "print a diagram for Graphviz"),
      KeyFile.option,
    ],
    details: """
        fief schema dogs.realm --swift > Models.swift
        fief schema dogs.realm --dot | dot -Tsvg > dogs.svg

      In model classes, a name that Swift cannot have becomes another one, and the class says which one is
      stored. The other end of each link is declared as linking objects.
      """
  ) { arguments, terminal in
    let form = try arguments.choice("--json", "--swift", "--mermaid", "--dot")
    let file = try StoredFile(arguments)
    let realm = try file.forReading()
    let view = StoreView(realm)
    switch form {
    case "--json"?: terminal.say(SchemaDocument.json(of: DynamicSchema(view.graph)).line)
    case "--swift"?:
      let models = SwiftModels(view)
      terminal.say(data: models.source(file: file.name.fileName, schemaVersion: try file.schemaVersion()))
      for name in models.leftOut {
        terminal.complain("fief: '\(name.printable)' has no properties, so that no class can be made of it.")
      }
    case "--mermaid"?: terminal.say(data: SchemaDiagram(view).mermaid)
    case "--dot"?: terminal.say(data: SchemaDiagram(view).dot)
    default: terminal.say(text(realm.schema))
    }
    return .done
  }

  static func text(_ schema: Schema) -> String {
    let classes = schema.objectSchema.sorted { $0.className < $1.className }
    if classes.isEmpty { return "no classes" }
    let width = (classes.flatMap(\.properties).map(\.name.printable.count).max() ?? 0) + 2
    return classes.map { described in
      let lines = described.properties.map { property in
        let isKey = described.primaryKeyProperty?.name == property.name
        return "  \(property.name.printable.padded(to: width))\(words(property, isKey: isKey))"
      }
      let kind = described.isEmbedded ? " (embedded)" : described.isAsymmetric ? " (asymmetric)" : ""
      return ([described.className.printable + kind] + lines).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private static func words(_ property: Property, isKey: Bool) -> String {
    var words = property.objectClassName?.printable ?? "\(property.type)"
    if property.isOptional && property.type != .object { words += "?" }
    if property.isArray { words = "list of \(words)" }
    if property.isSet { words = "set of \(words)" }
    if property.isMap { words = "map of \(words)" }
    if isKey { words += ", primary key" } else if property.isIndexed { words += ", indexed" }
    return words
  }
}
