import FiefCopying
import FiefValues

/// JSON that a command prints, as literals of its members. Names come out in order, whatever the order here is.
///
///     let json: JSON = ["class": .text("Dog"), "objects": .number(5), "time": .null, "object": .tree(tree)]
enum JSON: ExpressibleByDictionaryLiteral {
  case value(DocumentTree.Value)
  case array([JSON])
  case object([(String, JSON)])
  /// A value that a function writes.
  case written((inout DocumentBuilder) -> Void)

  init(dictionaryLiteral members: (String, JSON)...) { self = .object(members) }

  static var null: JSON { .value(.null) }
  static func text(_ text: String?) -> JSON { text.map { .value(.string($0)) } ?? .null }
  static func number(_ number: some BinaryInteger) -> JSON {
    .value(Int64(exactly: number).map { .int($0) } ?? .decimal(Decimal128(stringLiteral: "\(number)")))
  }
  static func flag(_ flag: Bool) -> JSON { .value(.bool(flag)) }
  static func tree(_ tree: DocumentTree) -> JSON { .written { $0.add(tree) } }
  static func texts(_ texts: some Sequence<String>) -> JSON { .array(texts.map { .text($0) }) }

  /// An object without the members that are nil.
  static func members(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(members.compactMap { name, value in value.map { (name, $0) } })
  }

  /// Classes with the numbers of their objects.
  static func counts(_ classes: some Sequence<(name: String, count: Int)>) -> JSON {
    .array(classes.map { ["name": .text($0.name), "objects": .number($0.count)] })
  }

  /// Adds the value to a document. Recursion ends with the literals of the program.
  func add(to builder: inout DocumentBuilder) {
    switch self {
    case .value(let value): builder.add(value)
    case .written(let write): write(&builder)
    case .array(let elements):
      builder.beginArray()
      for element in elements { element.add(to: &builder) }
      builder.endArray()
    case .object(let members):
      builder.beginObject()
      for (name, value) in members {
        builder.name(name)
        value.add(to: &builder)
      }
      _ = builder.endObject()
    }
  }

  var tree: DocumentTree {
    var builder = DocumentBuilder()
    add(to: &builder)
    return builder.finish()
  }

  /// The value in one line.
  var line: String { JSONOutput.text(tree) }

  /// The value with a line for each member.
  var page: String {
    JSONOutput.harmless(String(decoding: DocumentPrinter.print(tree, [.prettyPrinted]), as: UTF8.self))
  }
}
