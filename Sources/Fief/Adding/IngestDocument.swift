import FiefGraph
import Foundation

/// What one asymmetric object says, as `Realm.Configuration.ingestHandler` gets it.
///
/// It is a value, and may be kept, sent and encoded anywhere.
public struct IngestDocument: Sendable {
  /// The class of the object.
  public let className: String
  /// The values by the names of properties: scalars as they are, enums and custom types as they are stored, embedded
  /// objects and maps as dictionaries, lists and sets as arrays. What is null is left out; among elements it is an
  /// empty optional.
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
    var builder = DocumentBuilder()
    guard Self.add(values, to: &builder) else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "A document is nested deeper than \(DocumentTree.deepest) levels."))
    }
    try builder.finish().encode(to: encoder)
  }

  /// - Returns: false when it is nested too deep.
  private static func add(_ value: Any, to builder: inout DocumentBuilder) -> Bool {
    guard builder.depth <= DocumentTree.deepest else { return false }
    switch value {
    case let values as [String: any Sendable]:
      builder.beginObject()
      for (name, value) in values {
        builder.name(name)
        guard add(value, to: &builder) else { return false }
      }
      _ = builder.endObject()
    case let values as [any Sendable]:
      builder.beginArray()
      for value in values { guard add(value, to: &builder) else { return false } }
      builder.endArray()
    default:
      if let value = flattened(value).flatMap({ Untyped.storedAny($0) }) {
        builder.scalar(value, isAny: false)
      } else {
        builder.add(.null)
      }
    }
    return true
  }
}
