import Fief
import FiefCopying
import FiefGraph

/// `fief diff`: prints the objects that differ in two files, as text or as JSON.
///
///       Person["ann"]
///     -   age: 3
///     +   age: 4
///     + Person["bob"]
///     +   age: 7
enum DiffCommand {
  static let command = Command(
    "diff", "FILE OTHER", "the objects that differ in two files",
    options: [
      .value("--limit", "N", "describe at most N objects as text; 100 if nothing is said"),
      .flag("--json", "print an array of JSON objects, one for each object that differs"),
      KeyFile.option, .value("--other-encryption-key", "KEYFILE", "OTHER is encrypted with the 64 bytes in KEYFILE"),
    ],
    details: """
      Lines with '-' are those of FILE, lines with '+' those of OTHER. Objects with a primary key are
      compared with the object of the same key, others with one that has equal values, or else the most
      similar one. The exit code is 0 for equal contents and 3 for different ones.
      """
  ) { arguments, terminal in
    _ = try arguments.choice("--json", "--limit")
    let limit = try arguments.number("--limit") ?? 100
    let files = [try StoredFile(arguments), try StoredFile(arguments, 1, key: "--other-encryption-key")]
    let realms = try files.map { try $0.forReading() }
    let (first, second) = (realms[0].graph, realms[1].graph)
    if arguments.has("--json") {
      let differences = Progress.show("Comparing") { _ in first.objectDifferences(from: second) }
      let (view, other) = (StoreView(first), StoreView(second))
      return try printing(differences.isEmpty ? .done : .different) {
        try Progress.show("Writing differences", of: differences.count) { progress in
          try JSONOutput.array(
            differences.lazy.map { difference in
              defer { progress.advance() }
              return document(difference, view, other)
            }, terminal)
        }
      }
    }
    let found = Progress.show("Comparing") { _ in first.difference(from: second, limit: limit) }
    guard let text = found else {
      terminal.say("no difference")
      return .done
    }
    return try printing(.different) {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        let style: Terminal.Style? = line.hasPrefix("-") ? .red : line.hasPrefix("+") ? .green : nil
        terminal.say(StyledText(String(line), style))
        try terminal.checkReader()
      }
    }
  }

  /// Prints what was found. A reader that leaves does not change the exit code.
  private static func printing(_ code: ExitCode, _ body: () throws -> Void) throws -> ExitCode {
    do { try body() } catch is OutputClosed {}
    return code
  }

  /// One object as JSON.
  ///
  ///     {"change":"changed","class":"Person","object":{"id":"ann"},"properties":[{"a":3,"b":4,"name":"age"}]}
  private static func document(_ difference: ObjectDifference, _ a: StoreView, _ b: StoreView) -> DocumentTree {
    guard let first = difference.first, let second = difference.second else {
      let isAdded = difference.first == nil
      let members = (difference.first ?? difference.second).map((isAdded ? b : a).json) ?? []
      return JSON.object([("change", .text(isAdded ? "added" : "removed"))] + members).tree
    }
    let properties = difference.properties.map { name in
      let sides = [("a", a, first), ("b", b, second)].compactMap { side, view, link -> (String, JSON)? in
        let column = view.graph[link.table]?.schema.column(named: name)
        return column.map { (side, view.json(Cell(link.table, link.key, $0.key), of: $0.type)) }
      }
      return JSON.object(sides + [("name", .text(name))])
    }
    let json: JSON = [
      "change": .text("changed"), "class": .text(a.graph[first.table]?.schema.name ?? ""),
      // A link to an ordinary object is its key, or its number.
      "object": a.json(.link(first), of: .link(to: first.table)), "properties": .array(properties),
    ]
    return json.tree
  }
}
