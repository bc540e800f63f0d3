import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation

/// Few values of each kind, so that equal values often meet, including values that break code.
enum ValuePool {
  static let ints: [Int64] = [
    0, 1, 2, 3, -1, 7, 127, 128, -128, -129, 255, 32767, 32768, -32769, 2_147_483_647, 2_147_483_648, -2_147_483_649,
    9_007_199_254_740_993, .max, .min,
  ]
  static let doubles: [Double] = [
    0, -0.0, 1, 2, 1.5, 0.1, -1, .infinity, -.infinity, .nan, Double(bitPattern: 0x7FF8_0000_0000_0123),
    Double(bitPattern: 0xFFF8_0000_0000_0000), 9_007_199_254_740_992, 0x1p63, -0x1p63, 1e300, .leastNonzeroMagnitude,
  ]
  static let floats: [Float] = [
    0, -0.0, 1, 2, 1.5, 0.1, .infinity, -.infinity, .nan, Float(bitPattern: 0x7FC0_1234), 16_777_216,
    .leastNonzeroMagnitude, .greatestFiniteMagnitude,
  ]
  static let strings: [String] = [
    "", "a", "b", "A", "aa", "\u{E9}", "e\u{301}", "\0", "a\0b", "fifteen bytes!!", "sixteen bytes!!!",
    "a text that does not fit into the small form", "1", "1.0", "true", "\u{1F600}", "\u{FB00}",
    "00000000000000000000000a", "00000000-0000-0000-0000-00000000000A",
  ]
  static let datas: [Data] = [
    Data(), Data([0]), Data([0xFF]), Data([0x61]), Data([0x31]), Data(repeating: 7, count: 20), Data([0x61, 0]),
  ]
  static let dates: [Timestamp] = [
    Timestamp(seconds: 0), Timestamp(seconds: 0, nanoseconds: 1), Timestamp(seconds: -1, nanoseconds: 999_999_999),
    Timestamp(seconds: 1_700_000_000), .min, .max,
  ]
  static let objectIds: [ObjectId] = [
    ObjectId(), ObjectId(words: 0, 0, 10), ObjectId(words: 1, 2, 3), ObjectId(words: .max, .max, .max),
  ]
  static let uuids: [UUID] =
    ["00000000-0000-0000-0000-00000000000A", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"]
    .compactMap { UUID(uuidString: $0) } + [UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))]
  static let decimals: [Decimal128] = [
    "0", "-0", "0E+3", "1", "1.0", "1.00", "-1", "1.5", "0.1", "1E+20", "NaN", "-Infinity", "Infinity",
    "9.999999999999999999999999999999999E+6144", "9223372036854775807",
  ]
  /// Keys of dictionaries. The kernel does not restrict the keys that applications may use.
  static let keys: [String] = [
    "", "a", "b", "c", "\u{E9}", "e\u{301}", "$a", "a.b", "\0", "a key that is longer than sixteen bytes", "zz",
  ]

  /// A value of the kind. The callers that know the rows make links and any-values.
  static func value(_ kind: ValueKind, _ random: inout SeededRandom) -> Value {
    switch kind {
    case .bool: .bool(random.bool())
    case .int: .int(random.element(of: ints))
    case .float: .float(random.element(of: floats))
    case .double: .double(random.element(of: doubles))
    case .string: .string(random.element(of: strings))
    case .data: .data(random.element(of: datas))
    case .date: .date(random.element(of: dates))
    case .objectId: .objectId(random.element(of: objectIds))
    case .uuid: .uuid(random.element(of: uuids))
    case .decimal: .decimal(random.element(of: decimals))
    case .link, .any: .null
    }
  }
}
