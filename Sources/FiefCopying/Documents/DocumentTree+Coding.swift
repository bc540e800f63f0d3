import FiefValues
import Foundation

/// Encoding and decoding with coders of any format. Coders use recursion, so the depth is limited.
extension DocumentTree: Codable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }

  /// Encodes the tree. Throws `EncodingError` for trees deeper than `deepest`.
  @usableFromInline
  package func encode(to encoder: any Encoder) throws {
    guard nesting <= Self.deepest else {
      throw EncodingError.invalidValue(
        self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: Self.tooDeep))
    }
    assert(count > 0, "A tree has a root.")
    try Part(tree: self, value: root).encode(to: encoder)
  }

  private struct Part: Encodable {
    let tree: DocumentTree
    let value: Value

    func encode(to encoder: any Encoder) throws {
      switch value {
      case .array(let span):
        var container = encoder.unkeyedContainer()
        for value in tree.elements(span) { try container.encode(Part(tree: tree, value: value)) }
      case .object(let span):
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in tree.members(span) {
          try container.encode(Part(tree: tree, value: value), forKey: Name(stringValue: name))
        }
      case .null:
        var container = encoder.singleValueContainer()
        try container.encodeNil()
      case .bool(let value): try encode(value, encoder)
      case .int(let value): try encode(value, encoder)
      case .double(let value): try encode(value, encoder)
      case .decimal(let value):
        guard let decimal = value.foundation else {
          throw EncodingError.invalidValue(
            value,
            EncodingError.Context(
              codingPath: encoder.codingPath,
              debugDescription: "\(value) is beyond the numbers of Foundation's Decimal."))
        }
        try encode(decimal, encoder)
      case .string(let value): try encode(value, encoder)
      }
    }

    private func encode(_ value: some Encodable, _ encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  private static let tooDeep = "A document is nested deeper than \(deepest) levels."

  /// Decodes a tree. Throws `DecodingError` for what is no JSON, and for documents deeper than `deepest`.
  @usableFromInline
  package init(from decoder: any Decoder) throws {
    var reader = Reader()
    try reader.read(decoder)
    self = reader.builder.finish()
  }

  private struct Reader {
    var builder = DocumentBuilder()

    mutating func read(_ decoder: any Decoder) throws {
      guard builder.depth <= deepest else {
        throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: tooDeep))
      }
      if let container = try? decoder.container(keyedBy: Name.self) {
        builder.beginObject()
        for name in container.allKeys {
          builder.name(name.stringValue)
          try read(container.superDecoder(forKey: name))
        }
        if let name = builder.endObject() {
          throw DecodingError.dataCorrupted(
            DecodingError.Context(
              codingPath: decoder.codingPath,
              debugDescription: "The name '\(PlanPath.shortened(name))' stands twice in an object."))
        }
      } else if var container = try? decoder.unkeyedContainer() {
        builder.beginArray()
        while !container.isAtEnd { try read(container.superDecoder()) }
        builder.endArray()
      } else {
        builder.add(try scalar(decoder.singleValueContainer()))
      }
    }

    private func scalar(_ container: any SingleValueDecodingContainer) throws -> Value {
      if container.decodeNil() { return .null }
      if let value = try? container.decode(Bool.self) { return .bool(value) }
      if let value = try? container.decode(Int64.self) { return .int(value) }
      guard let value = try? container.decode(Double.self) else { return .string(try container.decode(String.self)) }
      // The document may have more digits than a double holds.
      let exact = (try? container.decode(Decimal.self)).map { Decimal128($0) }
      if let exact, exact.doubleValue == value, let number = DocumentNumber.value(of: exact) { return number }
      guard let number = DocumentNumber.value(of: value) else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(codingPath: container.codingPath, debugDescription: "JSON has no number '\(value)'."))
      }
      return number
    }
  }
}
