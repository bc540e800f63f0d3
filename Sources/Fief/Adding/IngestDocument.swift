import FiefGraph
import Foundation

/// What one asymmetric object says, as `Realm.Configuration.ingestHandler` gets it.
///
/// It is a value, and may be kept, sent and encoded anywhere.
public struct IngestDocument: Sendable {
  /// The class of the object.
  public let className: String
  /// The values by the names of properties: scalars as they are, enums and custom types as they are stored, embedded objects and maps as
  /// dictionaries, lists and sets as arrays. What is null is left out; among elements it is an empty optional.
  public let values: [String: any Sendable]

  /// The value of a property; nil for null, and for names that are no property.
  public subscript(name: String) -> (any Sendable)? {
    guard let value = values[name] else { return nil }
    return flattened(value) == nil ? nil : value
  }
}

extension IngestDocument: Encodable {
  /// Writes the values as an object: dates, data, identifiers and decimals as texts.
  ///
  /// - Throws: `EncodingError` when any-values are nested deeper than 512 levels.
  public func encode(to encoder: any Encoder) throws {
    do {
      try Self.tree(values, depth: 0).encode(to: encoder)
    } catch let error as Realm.Error {
      throw EncodingError.invalidValue(
        self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: error.localizedDescription))
    }
  }

  private static func tree(_ value: Any, depth: Int) throws -> DocumentTree {
    guard depth <= DocumentTree.deepest else {
      throw Realm.Error(.invalidValue, "A document is nested deeper than \(DocumentTree.deepest) levels.")
    }
    switch value {
    case let values as [String: any Sendable]: return .object(try values.mapValues { try tree($0, depth: depth + 1) })
    case let values as [any Sendable]: return .array(try values.map { try tree($0, depth: depth + 1) })
    default:
      guard let inner = flattened(value) else { return .null }
      return Untyped.storedAny(inner).map { DocumentWriter.scalar($0, isAny: false) } ?? .null
    }
  }
}
