import FiefGraph
import FiefValues
import Foundation

/// Values of every kind, including edge cases, in the order that `StoredOrder` must give them: a ladder.
///
/// Values on one rung are equal by meaning and differ in kind or bits; every rung is below the next. The rungs of any
/// two values determine the expected order, so testing it needs no second implementation.
enum SampleValues {
  static let ladder: [[Value]] = [
    [.null], [.bool(false)], [.bool(true)],
    [
      .double(.nan), .double(-.nan), .double(Double(nan: 0x2A, signaling: false)), .float(.nan), .decimal(.nan),
      .decimal(Decimal128(bitPatternHigh: 0xFC00_0000_0000_0000, low: 7)),
    ],
    [.double(-.infinity), .float(-.infinity), decimal("-Infinity")],
    [decimal("-9.999999999999999999999999999999999E+6144")],
    [.double(-.greatestFiniteMagnitude)],
    [.float(-.greatestFiniteMagnitude), .double(Double(-Float.greatestFiniteMagnitude))],
    [.double((-0x1p63).nextDown)],
    [.int(.min), .double(-0x1p63), .float(-0x1p63), decimal("-9223372036854775808")],
    [.int(.min + 1), decimal("-9223372036854775807")],
    [.double((-0x1p63).nextUp)],
    [.int(Int64(Int32.min) - 1)], [.int(Int64(Int32.min))],
    [.int(-32_769)], [.int(-32_768)], [.int(-129)], [.int(-128), decimal("-128.000")],
    [.double(-1.5), .float(-1.5), decimal("-1.5")],
    [.int(-1), .double(-1), .float(-1), decimal("-1"), decimal("-1.0"), decimal("-100E-2")],
    [.float(-.leastNonzeroMagnitude)], [.double(-.leastNonzeroMagnitude)],
    [decimal("-1E-6176")],
    [
      .int(0), .double(0), .double(-0.0), .float(0), .float(-0.0), decimal("0"), decimal("-0"), decimal("0.00"),
      decimal("0E+6000"),
    ],
    [decimal("1E-6176")],
    [.double(.leastNonzeroMagnitude)], [.float(.leastNonzeroMagnitude)],
    [decimal("0.1"), decimal("0.10")], [decimal("0.1000000000000000055")], [.double(0.1)], [.float(0.1)],
    [.int(1), .double(1), .float(1), decimal("1"), decimal("1.00"), decimal("1.000000000000000000000000000000000")],
    [decimal("1.000000000000000000000000000000001")],
    [.double(1.0.nextUp)], [.float(Float(1).nextUp)],
    [.int(2), .double(2), .float(2)],
    [.int(127)], [.int(128)], [.int(255)], [.int(32_767)], [.int(32_768)],
    [.int(16_777_216), .float(16_777_216)], [.int(16_777_217), .double(16_777_217)], [.float(16_777_218)],
    [.int(Int64(Int32.max))], [.int(Int64(Int32.max) + 1), .float(0x1p31)],
    [.double(0x1p53 - 1), .int(9_007_199_254_740_991)],
    [.double(0x1p53), .int(9_007_199_254_740_992), .float(0x1p53), decimal("9007199254740992")],
    [.int(9_007_199_254_740_993), decimal("9007199254740993")],
    [.double(0x1p53 + 2), .int(9_007_199_254_740_994)],
    [.double(0x1p63.nextDown), .int(9_223_372_036_854_774_784)],
    [.int(.max - 1)], [.int(.max), decimal("9223372036854775807")],
    [.double(0x1p63), .float(0x1p63), decimal("9223372036854775808")],
    [.float(.greatestFiniteMagnitude), .double(Double(Float.greatestFiniteMagnitude))],
    [.double(.greatestFiniteMagnitude)],
    [decimal("1E+6144")],
    [.double(.infinity), .float(.infinity), decimal("Infinity")],
    [.string("")], [.string("\0")], [.string("1")], [.string("A")], [.string("a")], [.string("a\0")],
    [.string("aa")], [.string("abcdefghijklmno")], [.string("abcdefghijklmnop")], [.string("b")],
    [.string("e\u{301}")], [.string("\u{E9}")], [.string("\u{212B}")], [.string("\u{FF5E}")], [.string("\u{FFFD}")],
    [.string("\u{10000}")], [.string("\u{1F600}")],
    [.data(Data())], [.data(Data([0]))], [.data(Data([0, 0]))], [.data(Data([1])), .data(Data([9, 1]).dropFirst())],
    [.data(Data(repeating: 7, count: 40))], [.data(Data([0x80]))], [.data(Data([0xFF]))],
    [.date(.min)], [.date(Timestamp(seconds: -1))], [.date(Timestamp(seconds: -1, nanoseconds: 999_999_999))],
    [.date(Timestamp(seconds: 0))], [.date(Timestamp(seconds: 0, nanoseconds: 1))],
    [.date(Timestamp(seconds: 1_700_000_000, nanoseconds: 5))], [.date(.max)],
    [.objectId(ObjectId())], [.objectId(ObjectId(words: 0, 0, 1))], [.objectId(ObjectId(words: 0, 0x8000_0000, 0))],
    [.objectId(ObjectId(words: 0x8000_0000, 0, 0))], [.objectId(ObjectId(words: .max, .max, .max))],
    [uuid("00000000-0000-0000-0000-000000000000")], [uuid("00000000-0000-0000-0000-000000000001")],
    [uuid("7F000000-0000-0000-0000-000000000000")], [uuid("80000000-0000-0000-0000-000000000000")],
    [link(2, 0)], [link(2, 1)], [link(2, 300)], [link(3, 0)], [link(0, 5)], [link(1, 0)],
  ]

  /// Every sample with the number of its rung.
  static let all: [(rung: Int, value: Value)] = ladder.enumerated().flatMap { rung, values in
    values.map { (rung, $0) }
  }

  /// The samples of a kind, without null and links.
  static func of(_ kind: ValueKind) -> [Value] {
    all.map(\.value).filter { kind == .any ? !$0.isNull && $0.linked == nil : $0.kind == kind }
  }

  static func decimal(_ text: String) -> Value {
    guard let number = try? Decimal128(validating: text) else { fatalError("'\(text)' is no decimal.") }
    return .decimal(number)
  }

  static func uuid(_ text: String) -> Value {
    guard let uuid = UUID(uuidString: text) else { fatalError("'\(text)' is no UUID.") }
    return .uuid(uuid)
  }

  static func link(_ table: UInt32, _ key: Int64) -> Value {
    .link(ObjectLink(TableKey(rawValue: table), ObjectKey(key)))
  }
}
