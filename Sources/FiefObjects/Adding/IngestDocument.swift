import FiefCopying
import FiefGraph
import FiefSessions
import Foundation

/// The content of one asymmetric object, as `Realm.Configuration.ingestHandler` receives it.
///
///     configuration.ingestHandler = { documents in
///       for document in documents { print(document.className, document["place"] ?? "") }
///     }
///
/// It is a value type, and may be stored, sent and encoded anywhere.
public struct IngestDocument: Sendable {
  /// The number of the document in its store. It increases from document to document, no other document of the store
  /// gets it, and a document that is passed again has the same one.
  ///
  ///     configuration.ingestHandler = { documents in
  ///       for document in documents where !isKnown(document.number) { try await send(document) }
  ///     }
  public let number: UInt64
  /// The moment of the document's creation.
  ///
  ///     let age = Date().timeIntervalSince(document.created)
  public let created: Date
  /// The stored name of the object's class.
  ///
  ///     let sightings = documents.filter { $0.className == "Sighting" }
  public let className: String
  /// The values by property name. Scalars keep their type, enums and custom types have their stored form, embedded
  /// objects and maps are dictionaries, lists and sets are arrays. A null property is missing or an empty optional; a
  /// null element is an empty optional.
  ///
  ///     for (name, value) in document.values { print(name, value) }
  public let values: [String: any Sendable]

  /// The value of a property; nil for null, and for unknown names.
  ///
  ///     let place = document["place"] as? String
  public subscript(name: String) -> (any Sendable)? {
    guard let value = values[name] else { return nil }
    return flattened(value) == nil ? nil : value
  }
}

extension IngestDocument {
  /// Reads the stored form.
  package init(_ message: OutboxMessage) throws {
    guard let tree = try? DocumentParser.parse([UInt8](message.payload)), tree.nesting <= DocumentTree.deepest + 2,
      let values = Self.value(tree.root, in: tree) as? [String: any Sendable]
    else {
      throw Realm.Error(
        .invalidDatabase,
        "Document \(message.key.rawValue) of class '\(message.className)' is not readable: a later version of the "
          + "library wrote it, or the file was changed by other means.")
    }
    self.init(
      number: UInt64(message.key.rawValue + 1), created: message.created.date, className: message.className,
      values: values)
  }

  /// A value of a document in the type with which it was written.
  private static func value(_ value: DocumentTree.Value, in tree: DocumentTree) -> any Sendable {
    switch value {
    case .null: return Optional<Int>.none
    case .bool(let value): return value
    case .int(let value): return Int(truncatingIfNeeded: value)
    case .double(let value): return value
    case .decimal(let value): return value
    case .string(let value): return value
    case .array(let span): return tree.elements(span).map { self.value($0, in: tree) }
    case .object(let span):
      if let value = DocumentScalar.marked(span, in: tree)?.plain { return value }
      return Dictionary(tree.members(span).map { ($0, self.value($1, in: tree)) }) { $1 }
    }
  }
}

extension IngestDocument: Encodable {
  /// Encodes the values as an object; dates, data, identifiers and decimals become strings.
  ///
  ///     let json = try JSONEncoder().encode(documents)
  ///
  /// - Throws: the encoder's errors, and `EncodingError` when any-values are nested deeper than 512 levels.
  public func encode(to encoder: any Encoder) throws {
    let tree: DocumentTree
    do {
      tree = try DocumentTree(plainValue: values)
    } catch {
      throw EncodingError.invalidValue(
        self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "\(error)"))
    }
    try tree.encode(to: encoder)
  }
}
