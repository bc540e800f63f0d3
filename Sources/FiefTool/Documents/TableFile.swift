import FiefCopying
import FiefGraph
import Foundation

/// The objects of a class as a file of comma-separated values.
///
/// | a cell | is |
/// | --- | --- |
/// | empty | null |
/// | of a scalar | its text: a number, `true`, a date as `2024-02-29T12:00:00Z`, data as Base64 |
/// | of a link | JSON, as in a document: `{"id":7}`, `{"$ref":3}` |
/// | of a collection, an embedded object, an any-value | JSON |
/// | `$id` | the number of an object of a class without a primary key |
enum TableFile {
  /// The file of the schema, beside the files of the classes.
  static let schemaName = "schema.json"

  /// The names of the files of classes, in their order. Characters that a file's name cannot have are percent-encoded.
  ///
  /// Where names of files ignore case, `Dog.csv` is `dog.csv`. Classes whose names differ in case alone therefore get
  /// names that do not: all but small ASCII letters is percent-encoded in these, so `Dog` is `%44og.csv`.
  static func fileNames(ofClasses names: [String]) -> [String] {
    let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "_- "))
    let small = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyz0123456789_- ")
    // Strings of one canonical form are equal, in Swift as in such names.
    func folded(_ name: String) -> String { name.uppercased().lowercased() }
    let counts = names.reduce(into: [:]) { $0[folded($1), default: 0] += 1 }
    return names.map { name in
      let allowed = counts[folded(name), default: 1] > 1 ? small : plain
      return (name.addingPercentEncoding(withAllowedCharacters: allowed) ?? name) + ".csv"
    }
  }

  /// The class of a file.
  static func className(ofFile file: String) -> String {
    let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    return name.removingPercentEncoding ?? name
  }

  /// Whether cells of a type are JSON.
  static func isJSON(_ type: ColumnType) -> Bool { type.isCollection || type.kind == .link || type.kind == .any }

  /// The cell of a property; nil for null.
  static func field(
    of key: ObjectKey, in table: Table, leaf: Int, _ type: ColumnType, _ documents: RowDocuments
  ) -> String? {
    let value = type.isCollection ? .null : table.value(key, leaf: leaf) ?? .null
    if isJSON(type) {
      if value.isNull && !type.isCollection { return nil }
      let json = JSON.written {
        if type.isCollection {
          documents.add(table.collection(key, leaf: leaf), of: type, to: &$0)
        } else {
          documents.add(value, of: type, to: &$0)
        }
      }
      let tree = json.tree
      if case .null = tree.root { return nil }
      return JSONOutput.text(tree)
    }
    return switch value {
    case .null, .link: nil
    case .string(let value): value
    case .data(let value): value.base64EncodedString()
    default: "\(value)"
    }
  }
}
