/// What `fief info` prints of a file for people: facts, and how many objects each class has.
enum FactsPage {
  /// A line for each fact and class, in two columns.
  static func text(
    _ file: String, _ facts: [(name: String, words: String)], classes: [(name: String, count: Int)]
  ) -> String {
    let width = (facts.map(\.name.count) + classes.map(\.name.printable.count)).max().map { $0 + 3 } ?? 0
    func line(_ name: String, _ words: String) -> String { "  \(name.padded(to: width))\(words)" }
    let tables = classes.isEmpty ? [] : [""] + classes.map { line($0.name.printable, "\($0.count)") }
    return ([file.printable] + facts.map { line($0.name, $0.words) } + tables).joined(separator: "\n")
  }
}
