import Foundation

/// What `fief info` prints of a file: facts, and how many objects each class has.
struct FactsPage {
  /// The file, for the first line.
  let file: String
  /// Names and words.
  let facts: [(name: String, words: String)]
  /// The classes, with the numbers of their objects.
  let classes: [(name: String, objects: Int)]

  /// A line for each fact and class, in two columns.
  var text: String {
    let width = (facts.map(\.name.count) + classes.map(\.name.printable.count)).max().map { $0 + 3 } ?? 0
    func line(_ name: String, _ words: String) -> String { "  \(name.padded(to: width))\(words)" }
    let tables = classes.isEmpty ? [] : [""] + classes.map { line($0.name.printable, "\($0.objects)") }
    return ([file] + facts.map { line($0.name, $0.words) } + tables).joined(separator: "\n")
  }

  /// One class in the output for programs.
  struct Class: Encodable {
    let name: String
    let objects: Int
  }

  /// A record as JSON, for programs that read the output.
  static func json(_ record: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      return String(decoding: try encoder.encode(record), as: UTF8.self)
    } catch {
      fatalError("Numbers and names could not be written as JSON: \(error).")
    }
  }
}
