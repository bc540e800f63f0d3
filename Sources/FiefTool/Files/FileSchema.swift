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
  static let command = Command("schema", "FILE", "the classes of a realm's file, with their properties") {
    arguments, terminal in
    terminal.say(text(try FileOpening.forReading(arguments.operands[0]).schema))
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
