import FiefGraph

/// How a line of the shell can go on: commands, classes, properties, also over links, and options.
enum ShellCompletion {
  /// The commands that take a class.
  private static let ofClasses = ["query", "show", "edit", "create", "delete", ".schema"]
  static let others = [".classes", ".help", ".quit", "changes", "commit", "rollback"]

  /// The words that could stand at the end of a text, and how many of its last characters they replace.
  static func words(after text: String, in view: StoreView) -> (replaced: Int, words: [String]) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let before = parts.dropLast().filter { !$0.isEmpty }
    let last = parts.last ?? ""
    let names = view.tables.map(\.schema.name)
    guard let first = before.first else { return matching(last, (ofClasses + others + names).map(quoted)) }
    if before.count == 1 && ofClasses.contains(first) { return matching(last, names.map(quoted)) }
    let takesPredicate = ["query", "delete"].contains(first) || names.contains(first)
    let className = ofClasses.contains(first) ? before[1] : first
    guard let table = view.tables.first(where: { quoted($0.schema.name) == className || $0.schema.name == className })
    else { return (0, []) }
    if last.hasPrefix("-") { return matching(last, options(of: names.contains(first) ? "query" : first)) }
    if !takesPredicate && before.count < (first == "create" ? 2 : 3) { return (0, []) }
    return properties(last, of: table, in: view, isSetting: first == "edit" || first == "create")
  }

  /// The properties that a word may go on with, over links.
  private static func properties(
    _ text: String, of table: Table, in view: StoreView, isSetting: Bool
  ) -> (replaced: Int, words: [String]) {
    let word = text.split(omittingEmptySubsequences: false) { "(,!\"'".contains($0) }.last.map(String.init) ?? text
    let steps = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var table = table
    for step in steps.dropLast() {
      guard let target = table.schema.column(named: step)?.type.target.flatMap({ view.graph[$0] }) else {
        return (0, [])
      }
      table = target
    }
    return matching(steps.last ?? "", table.schema.columns.map { isSetting ? $0.name + "=" : $0.name })
  }

  private static func options(of command: String) -> [String] {
    switch command {
    case "query": QueryCommand.command.options.map(\.name)
    case "show": ShowCommand.command.options.map(\.name)
    default: []
    }
  }

  private static func matching(_ text: String, _ words: [String]) -> (replaced: Int, words: [String]) {
    (text.count, words.filter { $0.hasPrefix(text) }.sorted())
  }

  /// A name as one word of a line.
  private static func quoted(_ name: String) -> String {
    if !name.contains(where: { $0.isWhitespace || "'\"\\".contains($0) }) { return name }
    let escaped = name.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    return "\"\(escaped)\""
  }
}
