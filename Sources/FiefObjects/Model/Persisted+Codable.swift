import FiefRuntime
import Foundation

// Values go through a single-value container, so that the coder's strategies (for dates, for example) apply to them.

extension Persisted: Encodable where Value: Encodable {
  /// Writes the value.
  ///
  ///     class Toy: Object, Codable {
  ///       @Persisted var color = "red"
  ///     }
  ///     let json = try JSONEncoder().encode(Toy())          // {"color":"red"}
  ///
  /// - Throws: `EncodingError.invalidValue` when the object is managed, since its realm may change the values during
  ///   encoding. Encode `object.detached()` instead.
  public func encode(to encoder: any Encoder) throws {
    if let owner = header.owner?.counted, owner.isManaged {
      throw EncodingError.invalidValue(
        owner,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription:
            "Only unmanaged objects can be encoded, and this one of class '\(type(of: owner).className())' is managed: "
            + "encode object.detached()."))
    }
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension Persisted: Decodable where Value: Decodable {
  /// Reads a value. Null decodes as nil for an optional property, and throws for any other.
  ///
  ///     class Toy: Object, Codable {
  ///       @Persisted var color = "red"
  ///     }
  ///     let toy = try JSONDecoder().decode(Toy.self, from: Data(#"{"color":"blue"}"#.utf8))
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
  }
}

extension KeyedDecodingContainer {
  /// Reads an optional property; a missing key decodes as nil. The compiler synthesizes that only for optional types,
  /// and `Persisted` hides the optional inside itself.
  ///
  ///     class Toy: Object, Codable {
  ///       @Persisted var color: String?
  ///     }
  ///     let toy = try JSONDecoder().decode(Toy.self, from: Data("{}".utf8))          // without a color
  ///
  /// - Throws: `DecodingError` when the value has another type.
  public func decode<Value: Decodable & ExpressibleByNilLiteral>(
    _ type: Persisted<Value>.Type, forKey key: Key
  ) throws -> Persisted<Value> {
    try decodeIfPresent(type, forKey: key) ?? Persisted(wrappedValue: nil)
  }
}
