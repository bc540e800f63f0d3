import Foundation

// Values go through a container of one value, so that the coder's own ways (of writing dates, for example) apply to
// them.

extension Persisted: Encodable where Value: Encodable {
  /// Writes the value.
  ///
  /// - Throws: `EncodingError.invalidValue` when the object is managed: what a realm shows may change while it is
  ///   written. Encode `object.detached()` instead.
  public func encode(to encoder: any Encoder) throws {
    if let owner = header.owner?._withUnsafeGuaranteedRef({ $0 }), owner.isManaged {
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
  /// Reads a value. Null is read as nil where the property is optional, and is an error where it is not.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
  }
}

extension KeyedDecodingContainer {
  /// Reads an optional property; a missing key is nil. Declared with `@Persisted`, the optional is inside the wrapper,
  /// where the compiler does not look for it.
  public func decode<Value: Decodable & ExpressibleByNilLiteral>(
    _ type: Persisted<Value>.Type, forKey key: Key
  ) throws -> Persisted<Value> {
    try decodeIfPresent(type, forKey: key) ?? Persisted(wrappedValue: nil)
  }
}
