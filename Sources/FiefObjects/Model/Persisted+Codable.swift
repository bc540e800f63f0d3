import FiefRuntime
import Foundation

// Values go through a single-value container, so that the coder's strategies (for dates, for example) apply to them.

extension Persisted: Encodable where Value: Encodable {
  /// Writes the value, also that of a managed object, which is read where the object may be read.
  ///
  ///     class Toy: Object, Codable {
  ///       @Persisted var color = "red"
  ///     }
  ///     let json = try JSONEncoder().encode(Toy())          // {"color":"red"}
  ///
  /// An encoder writes a linked object inside of the object that links to it, so it writes an object twice that is
  /// linked to twice, and cannot write objects that link to each other in a circle. `ObjectDocument` can.
  ///
  /// - Throws: `EncodingError.invalidValue` for objects that are nested more than 100 deep, as those of a circle are.
  public func encode(to encoder: any Encoder) throws {
    let depth = 100  // Encoders use the stack, of which threads of the system have half a megabyte.
    if encoder.codingPath.count > depth {
      throw EncodingError.invalidValue(
        Value.self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription:
            "The objects link to each other in a circle, or in a chain of more than \(depth): an encoder cannot write "
            + "them. Make an ObjectDocument of them."))
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
    self.init(.unknown, Value._wrap(try decoder.singleValueContainer().decode(Value.self)))
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
    try decodeIfPresent(type, forKey: key) ?? Persisted(.unknown, Value._wrap(nil))
  }
}
