import Foundation

/// A format of documents, by the option that names it.
enum DocumentFormat: String {
  case json = "--json"
  case lines = "--ndjson"
  case csv = "--csv"

  /// The format that an option says; nil without one.
  init?(_ arguments: Arguments) throws(UsageError) {
    guard let option = try arguments.choice("--json", "--ndjson", "--csv") else { return nil }
    self.init(rawValue: option)
  }

  /// The format that the name of a file suggests.
  init?(ofFile file: String) {
    if DocumentFile.isFolder(file) {
      self = .csv
      return
    }
    switch URL(fileURLWithPath: file).pathExtension.lowercased() {
    case "json": self = .json
    case "ndjson", "jsonl": self = .lines
    case "csv": self = .csv
    default: return nil
    }
  }
}
