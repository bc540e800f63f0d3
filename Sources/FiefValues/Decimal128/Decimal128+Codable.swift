import Foundation

extension Decimal128: Codable {
  /// Writes `stringValue` as a single string, which keeps every digit.
  ///
  ///     let json = try JSONEncoder().encode([Decimal128("19.99")])          // ["19.99"]
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }

  /// Reads a single string or number: an integer or decimal exactly, a double as the number with its shortest digits.
  ///
  ///     let prices = try JSONDecoder().decode([Decimal128].self, from: Data(#"["19.99", 5]"#.utf8))
  ///
  /// - Throws: `DecodingError.dataCorrupted` for a string that is not a number, and the decoder's error for anything
  ///   that is neither a string nor a number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      guard let number = Decimal128.parse(text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: ValueError.invalidDecimal128(text).description)
      }
      self = number
    } else if let integer = try? container.decode(Int64.self) {
      self.init(integer)
    } else if let decimal = try? container.decode(Decimal.self), let double = try? container.decode(Double.self),
      Decimal128(decimal).doubleValue == double
    {
      // The number may exceed the precision of a double, so `Decimal` is tried first. A number that is too small for
      // `Decimal` would become zero; the comparison rejects it.
      self.init(decimal)
    } else {
      self.init(try container.decode(Double.self))
    }
  }
}
