import FiefValues
import Foundation

/// What JSON can say, and nothing else.
///
/// It is never nested deeper than `deepest`: what would be is refused where it comes in, as parsers of JSON do. So walking a tree may
/// use the stack.
indirect enum DocumentTree: Equatable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  /// A number that neither of the two is, to the last digit.
  case decimal(Decimal128)
  case string(String)
  case array([DocumentTree])
  case object([String: DocumentTree])

  /// How many arrays and objects may stand inside one another: what Foundation's parser allows.
  static let deepest = 512

  /// The text, if it is one.
  var text: String? {
    if case .string(let text) = self { return text }
    return nil
  }

  /// The members, if it is an object.
  var members: [String: DocumentTree]? {
    if case .object(let members) = self { return members }
    return nil
  }
}

// MARK: - Plain values

extension DocumentTree {
  /// The tree as Foundation's JSON knows it: `NSNull`, `Bool`, `Int`, `Double`, `String`, arrays and dictionaries.
  var plain: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .int(let value): Int(exactly: value) ?? Double(value)
    case .double(let value): value
    case .decimal(let value): NSDecimalNumber(decimal: value.decimalValue)
    case .string(let value): value
    case .array(let values): values.map(\.plain)
    case .object(let members): members.mapValues(\.plain)
    }
  }

  /// The tree of something untyped.
  ///
  /// - Throws: `.invalidValue` for what JSON cannot say, and for what is nested too deep.
  init(plain value: Any, depth: Int = 0) throws {
    guard depth <= Self.deepest else {
      throw Realm.Error(.invalidValue, "A document is nested deeper than \(Self.deepest) levels.")
    }
    guard let value = Untyped.present(value) else {
      self = .null
      return
    }
    if let stored = Untyped.storedAny(value) {
      switch stored {
      case .bool(let value): self = .bool(value)
      case .int(let value): self = .int(value)
      case .double(let value): self = .double(value)
      case .float(let value): self = .double(Double(value))
      case .decimal(let value): self = .decimal(value)
      case .string(let value): self = .string(value)
      default:
        throw Realm.Error(.invalidValue, "A document cannot hold \(Untyped.words(value)): JSON has no such value.")
      }
    } else {
      switch UntypedContainer.of(value) {
      case .array(let values, _): self = .array(try values.map { try DocumentTree(plain: $0, depth: depth + 1) })
      case .dictionary(let members, _):
        self = .object(try members.mapValues { try DocumentTree(plain: $0, depth: depth + 1) })
      case nil:
        throw Realm.Error(.invalidValue, "A document cannot hold \(Untyped.words(value)): JSON has no such value.")
      }
    }
  }
}

// MARK: - Coding

extension DocumentTree: Codable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try Self.encode(value, encoder)
    case .int(let value): try Self.encode(value, encoder)
    case .double(let value): try Self.encode(value, encoder)
    case .decimal(let value): try Self.encode(value.decimalValue, encoder)
    case .string(let value): try Self.encode(value, encoder)
    }
  }

  private static func encode(_ value: some Encodable, _ encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }

  init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= Self.deepest else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: "A document is nested deeper than \(Self.deepest) levels."))
    }
    if let container = try? decoder.container(keyedBy: Name.self) {
      var members: [String: DocumentTree] = [:]
      for name in container.allKeys {
        members[name.stringValue] = try container.decode(DocumentTree.self, forKey: name)
      }
      self = .object(members)
    } else if var container = try? decoder.unkeyedContainer() {
      var values: [DocumentTree] = []
      while !container.isAtEnd { values.append(try container.decode(DocumentTree.self)) }
      self = .array(values)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Int64.self) {
        self = .int(value)
      } else if let value = try? container.decode(Double.self) {
        // The document may say more than a double holds.
        let exact = (try? container.decode(Decimal.self)).map { Decimal128($0) }
        if let exact, exact.doubleValue == value, exact != Decimal128(value) {
          self = .decimal(exact)
        } else {
          self = .double(value)
        }
      } else {
        self = .string(try container.decode(String.self))
      }
    }
  }
}
