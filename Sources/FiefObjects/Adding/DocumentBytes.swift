import FiefCopying
import FiefValues
import Foundation

/// The stored form of a document's values. Reading returns values of the same types that were written.
///
///     value      = tag, contents
///     int        = 8 bytes; double and date 8, float 4, identifier 12, UUID 16, decimal 16; all little-endian
///     string     = count of its bytes (8 bytes), bytes; data alike
///     array      = count (8 bytes), values
///     dictionary = count (8 bytes), and for each member a string without its tag, and a value
///
/// Both directions recurse, at most `DocumentTree.deepest` levels deep: the planner refuses deeper documents, and so
/// does the reader.
enum DocumentBytes {
  private enum Tag: UInt8 {
    case null, no, yes, int, float, double, string, data, date, objectId, uuid, decimal, array, dictionary
  }

  /// The bytes of a document's values.
  static func encode(_ values: [String: any Sendable]) -> Data {
    var bytes = Data()
    append(values, to: &bytes)
    return bytes
  }

  /// The values of a document; nil for bytes that `encode` never writes.
  static func decode(_ bytes: Data) -> [String: any Sendable]? {
    var reader = Reader(bytes: bytes)
    guard let value = reader.value(level: 0), reader.isAtEnd else { return nil }
    return value as? [String: any Sendable]
  }

  // MARK: Writing

  private static func append(_ value: any Sendable, to bytes: inout Data) {
    switch value {
    case let value as Bool: tag(value ? .yes : .no, &bytes)
    case let value as Int: fixed(.int, Int64(value), to: &bytes)
    case let value as Float: fixed(.float, value.bitPattern, to: &bytes)
    case let value as Double: fixed(.double, value.bitPattern, to: &bytes)
    case let value as Date: fixed(.date, value.timeIntervalSinceReferenceDate.bitPattern, to: &bytes)
    case let value as String:
      tag(.string, &bytes)
      counted(value, &bytes)
    case let value as Data:
      fixed(.data, Int64(value.count), to: &bytes)
      bytes.append(value)
    case let value as ObjectId:
      tag(.objectId, &bytes)
      bytes.append(contentsOf: value.bytes)
    case let value as UUID:
      tag(.uuid, &bytes)
      let (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) = value.uuid
      bytes.append(contentsOf: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p])
    case let value as Decimal128:
      fixed(.decimal, value.high, to: &bytes)
      number(value.low, &bytes)
    case let values as [any Sendable]:
      fixed(.array, Int64(values.count), to: &bytes)
      for value in values { append(value, to: &bytes) }
    case let values as [String: any Sendable]:
      fixed(.dictionary, Int64(values.count), to: &bytes)
      for (name, value) in values {
        counted(name, &bytes)
        append(value, to: &bytes)
      }
    default:
      assert(flattened(value) == nil, "A document has values of the stored types and null.")
      tag(.null, &bytes)
    }
  }

  private static func tag(_ tag: Tag, _ bytes: inout Data) { bytes.append(tag.rawValue) }

  private static func fixed(_ tag: Tag, _ value: some FixedWidthInteger, to bytes: inout Data) {
    bytes.append(tag.rawValue)
    number(value, &bytes)
  }

  private static func number(_ value: some FixedWidthInteger, _ bytes: inout Data) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  private static func counted(_ string: String, _ bytes: inout Data) {
    number(Int64(string.utf8.count), &bytes)
    bytes.append(contentsOf: string.utf8)
  }

  // MARK: Reading

  private struct Reader {
    var bytes: Data
    private var offset = 0

    init(bytes: Data) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func value(level: Int) -> (any Sendable)? {
      guard level <= DocumentTree.deepest + 1, let tag = take(1)?.first.flatMap(Tag.init(rawValue:)) else { return nil }
      switch tag {
      case .null: return Optional<Int>.none as any Sendable
      case .no: return false
      case .yes: return true
      case .int: return number(Int64.self).map { Int(truncatingIfNeeded: $0) }
      case .float: return number(UInt32.self).map { Float(bitPattern: $0) }
      case .double: return number(UInt64.self).map { Double(bitPattern: $0) }
      case .date:
        return number(UInt64.self).map { Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0)) }
      case .string: return string()
      case .data: return number(Int64.self).flatMap { take($0) }
      case .objectId: return take(12).flatMap { ObjectId(bytes: $0) }
      case .uuid: return uuid()
      case .decimal:
        guard let high = number(UInt64.self), let low = number(UInt64.self) else { return nil }
        return Decimal128(bitPatternHigh: high, low: low)
      case .array: return array(level)
      case .dictionary: return dictionary(level)
      }
    }

    private mutating func array(_ level: Int) -> (any Sendable)? {
      guard let count = number(Int64.self), count >= 0 else { return nil }
      var values: [any Sendable] = []
      for _ in 0..<count {
        guard let value = value(level: level + 1) else { return nil }
        values.append(value)
      }
      return values
    }

    private mutating func dictionary(_ level: Int) -> (any Sendable)? {
      guard let count = number(Int64.self), count >= 0 else { return nil }
      var values: [String: any Sendable] = [:]
      for _ in 0..<count {
        guard let name = string(), let value = value(level: level + 1) else { return nil }
        values[name] = value
      }
      return values
    }

    private mutating func string() -> String? {
      number(Int64.self).flatMap { take($0) }.flatMap { String(validating: $0, as: UTF8.self) }
    }

    private mutating func uuid() -> UUID? {
      guard let b = take(16).map([UInt8].init) else { return nil }
      return UUID(
        uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]))
    }

    private mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
      take(Int64(Number.bitWidth / 8))?.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    private mutating func take(_ count: Int64) -> Data? {
      guard count >= 0, count <= Int64(bytes.count - offset) else { return nil }
      let start = bytes.startIndex + offset
      offset += Int(count)
      return Data(bytes[start..<start + Int(count)])
    }
  }
}
