import FiefGraph

/// `fief schema --mermaid` and `--dot`: a diagram of the classes, in the languages of Mermaid and Graphviz.
///
///     classDiagram
///       class C0["Person"] {
///         int id, primary key
///       }
///       C0 --> "*" C1 : dogs
struct SchemaDiagram {
  private let view: StoreView
  private let tables: [Table]
  private let numbers: [TableKey: Int]

  init(_ view: StoreView) {
    self.view = view
    tables = view.tables
    numbers = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1.schema.key, $0) })
  }

  /// A link from a class to another one, or to itself.
  private struct Link {
    let from: Int
    let to: Int
    let column: Column
    let isOwning: Bool
  }

  private var links: [Link] {
    tables.enumerated().flatMap { number, table in
      table.schema.columns.compactMap { column in
        guard let target = column.type.target, let to = numbers[target] else { return nil }
        return Link(from: number, to: to, column: column, isOwning: view.graph[target]?.schema.kind == .embedded)
      }
    }
  }

  private static func words(_ column: Column, of schema: TableSchema) -> String {
    var words = column.type.declaration
    if column.key == schema.primaryKey {
      words += ", primary key"
    } else if let index = schema.indexes.first(where: { $0.columns == [column.key] }) {
      words += index.isFullText ? ", full text" : index.isUnique ? ", unique" : ", indexed"
    }
    return words
  }

  private static func kind(_ schema: TableSchema) -> String? {
    switch schema.kind {
    case .ordinary: nil
    case .embedded: "embedded"
    case .asymmetric: "asymmetric"
    }
  }

  // MARK: Mermaid

  var mermaid: String {
    var lines = ["classDiagram"]
    for (number, table) in tables.enumerated() {
      let schema = table.schema
      lines.append("  class C\(number)[\"\(Self.entities(schema.name))\"] {")
      if let kind = Self.kind(schema) { lines.append("    <<\(kind)>>") }
      for column in schema.keyFirst where column.type.kind != .link {
        lines.append("    \(Self.entities(column.name)) : \(Self.words(column, of: schema))")
      }
      lines.append("  }")
    }
    for link in links {
      let arrow = link.isOwning ? "*--" : "-->"
      let count = link.column.type.isCollection ? "*" : "0..1"
      lines.append("  C\(link.from) \(arrow) \"\(count)\" C\(link.to) : \(Self.entities(link.column.name))")
    }
    return lines.joined(separator: "\n")
  }

  /// Text in which only letters, digits and underscores stand as they are. Mermaid finds words of its own in the middle
  /// of a line, such as `direction LR`, so that a space becomes an entity, too.
  private static func entities(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      let isPlain = scalar == "_" || scalar.properties.isAlphabetic || "0"..."9" ~= scalar
      return isPlain ? String(scalar) : "#\(scalar.value);"
    }.joined()
  }

  // MARK: Graphviz

  var dot: String {
    var lines = ["digraph schema {", "  rankdir=LR;", "  node [shape=box, fontname=\"Helvetica\"];"]
    for (number, table) in tables.enumerated() {
      let schema = table.schema
      let title = schema.name + (Self.kind(schema).map { " (\($0))" } ?? "")
      let members = schema.keyFirst.filter { $0.type.kind != .link }.map { "\($0.name): \(Self.words($0, of: schema))" }
      let label = ([title] + (members.isEmpty ? [] : [""]) + members).map { Self.quoted($0) + "\\l" }.joined()
      let style = schema.kind == .embedded ? ", style=rounded" : ""
      lines.append("  C\(number) [label=\"\(label)\"\(style)];")
    }
    for link in links {
      var attributes = "label=\"\(Self.quoted(link.column.name))\(link.column.type.isCollection ? " *" : "")\""
      if link.isOwning { attributes += ", dir=both, arrowtail=diamond" }
      lines.append("  C\(link.from) -> C\(link.to) [\(attributes)];")
    }
    lines.append("}")
    return lines.joined(separator: "\n")
  }

  /// Text inside of a quoted string, in which Graphviz knows escapes, and entities as HTML has them.
  private static func quoted(_ text: String) -> String {
    text.printable.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "&": "&amp;"
      default: String(scalar)
      }
    }.joined()
  }
}
