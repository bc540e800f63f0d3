import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// `Value.converted(to:)`: conversions without loss succeed, others are refused.
struct ValueConvertingTests {
  /// One row of the table of conversions.
  struct Line: CustomTestStringConvertible, Sendable {
    let from: Value
    let kind: ValueKind
    let to: Value?

    init(_ from: Value, _ kind: ValueKind, _ to: Value?) {
      self.from = from
      self.kind = kind
      self.to = to
    }

    var testDescription: String { "\(from) to \(kind)" }
  }

  static let date = Timestamp(seconds: 1_700_000_000, nanoseconds: 5)
  static let uuid = "0F000000-0000-0000-0000-00000000000A"
  static let objectId = "0123456789abcdef01234567"

  static let table: [Line] = [
    // Booleans are 0 and 1.
    Line(.bool(true), .int, .int(1)), Line(.bool(false), .double, .double(0)), Line(.bool(true), .float, .float(1)),
    Line(.bool(true), .decimal, SampleValues.decimal("1")), Line(.bool(true), .string, .string("1")),
    Line(.int(0), .bool, .bool(false)), Line(.int(1), .bool, .bool(true)), Line(.int(2), .bool, nil),
    Line(.int(-1), .bool, nil), Line(.double(1), .bool, .bool(true)), Line(.double(0.5), .bool, nil),
    Line(.string("0"), .bool, .bool(false)), Line(.string("true"), .bool, nil),
    // Integers.
    Line(.double(3), .int, .int(3)), Line(.double(3.5), .int, nil), Line(.double(0x1p63), .int, nil),
    Line(.double(-0x1p63), .int, .int(.min)), Line(.double(.nan), .int, nil), Line(.double(.infinity), .int, nil),
    Line(.float(16_777_216), .int, .int(16_777_216)), Line(SampleValues.decimal("7.00"), .int, .int(7)),
    Line(SampleValues.decimal("7.01"), .int, nil), Line(SampleValues.decimal("9223372036854775808"), .int, nil),
    Line(.string("-12"), .int, .int(-12)), Line(.string("12.0"), .int, nil), Line(.string(""), .int, nil),
    Line(.string("9223372036854775808"), .int, nil), Line(.string(" 1"), .int, nil),
    // Floating point.
    Line(.int(9_007_199_254_740_992), .double, .double(0x1p53)), Line(.int(9_007_199_254_740_993), .double, nil),
    Line(.int(16_777_217), .float, nil), Line(.double(0.1), .float, nil), Line(.double(0.5), .float, .float(0.5)),
    Line(.float(0.1), .double, .double(Double(Float(0.1)))), Line(.double(.infinity), .float, .float(.infinity)),
    Line(.double(1e300), .float, nil), Line(SampleValues.decimal("0.1"), .double, .double(0.1)),
    Line(SampleValues.decimal("0.1000000000000000055511151231257827"), .double, nil),
    Line(SampleValues.decimal("1E+6144"), .double, nil),
    Line(SampleValues.decimal("Infinity"), .double, .double(.infinity)),
    Line(.string("0.1"), .double, .double(0.1)), Line(.string("0.1"), .float, .float(0.1)),
    Line(.string("x"), .double, nil), Line(.string("1e400"), .double, nil), Line(.string("-1e39"), .float, nil),
    Line(.string("inf"), .double, .double(.infinity)), Line(.string("-infinity"), .float, .float(-.infinity)),
    // Decimals.
    Line(.double(0.1), .decimal, SampleValues.decimal("0.1")),
    Line(.float(0.1), .decimal, SampleValues.decimal("0.10000000149011612")),
    Line(SampleValues.decimal("0.10000000149011612"), .float, .float(0.1)),
    Line(.int(.max), .decimal, SampleValues.decimal("9223372036854775807")),
    Line(.string("1.50"), .decimal, SampleValues.decimal("1.50")), Line(.string("one"), .decimal, nil),
    Line(.string("1e7000"), .decimal, nil), Line(.string("-1e7000"), .decimal, nil),
    Line(.string("-Infinity"), .decimal, SampleValues.decimal("-Infinity")),
    // Strings.
    Line(.int(-5), .string, .string("-5")), Line(.double(0.1), .string, .string("0.1")),
    Line(SampleValues.decimal("1.50"), .string, .string("1.5")), Line(SampleValues.uuid(uuid), .string, .string(uuid)),
    Line(.string(uuid), .uuid, SampleValues.uuid(uuid)), Line(.string("0F"), .uuid, nil),
    Line(.string(objectId), .objectId, (try? ObjectId(string: objectId)).map(Value.objectId)),
    Line(.string("0123"), .objectId, nil), Line(.string(date.description), .date, .date(date)),
    Line(.date(date), .string, .string(date.description)), Line(.string("tomorrow"), .date, nil),
    // Bytes.
    Line(.string("\u{E9}"), .data, .data(Data([0xC3, 0xA9]))),
    Line(.data(Data([0xC3, 0xA9])), .string, .string("\u{E9}")),
    Line(.data(Data([0xC3])), .string, nil), Line(.data(Data()), .string, .string("")), Line(.int(1), .data, nil),
    Line(.data(Data([0x31])), .int, nil),
    // Values without another form.
    Line(.int(1), .date, nil), Line(.date(date), .int, nil), Line(SampleValues.uuid(uuid), .objectId, nil),
    Line(.int(1), .link, nil), Line(SampleValues.link(2, 1), .int, nil), Line(SampleValues.link(2, 1), .string, nil),
  ]

  @Test(arguments: table) func aConversionIsExactOrRefused(line: Line) {
    #expect(line.from.converted(to: line.kind) == line.to)
  }

  @Test func nullStaysNullOfEveryKind() {
    for kind in ValueKind.allCases { #expect(Value.null.converted(to: kind) == .null) }
  }

  @Test func everythingBecomesAnAnyValueAndItself() {
    for (_, value) in SampleValues.all {
      #expect(value.converted(to: .any) == value)
      if let kind = value.kind { #expect(value.converted(to: kind) == value) }
    }
  }

  @Test func conversionsCanBeReversed() {
    for (_, value) in SampleValues.all {
      // Different strings may represent one number: "007" becomes 7, and 7 becomes "7".
      guard let kind = value.kind, kind != .string else { continue }
      for other in ValueKind.allCases {
        guard let converted = value.converted(to: other) else { continue }
        guard let back = converted.converted(to: kind) else {
          Issue.record("\(value) becomes the \(other) \(converted), which does not become a \(kind)")
          continue
        }
        if StoredOrder.compare(value, back) != 0 { Issue.record("\(value), \(converted), \(back)") }
      }
    }
  }

  @Test func randomNumbersComeBackFromTextAsTheyWere() {
    Seeds.run(count: 50) { _, random in
      let double = random.double()
      for value in [Value.double(double), .float(Float(double)), .int(random.int64()), .decimal(Decimal128(double))] {
        guard let kind = value.kind, let text = value.converted(to: .string) else {
          Issue.record("\(value) has no text")
          continue
        }
        guard let back = text.converted(to: kind) else {
          Issue.record("\(text) is no \(kind)")
          continue
        }
        let isNaN = StoredOrder.compare(value, .double(.nan)) == 0
        #expect(isNaN ? StoredOrder.compare(back, value) == 0 : back == value, "\(value)")
      }
    }
  }

  @Test func numbersConvertedBetweenBinaryKindsKeepTheirValue() {
    for kind in [ValueKind.bool, .int, .float, .double] {
      for value in [ValueKind.int, .float, .double].flatMap(SampleValues.of) {
        guard let converted = value.converted(to: kind), kind != .bool else { continue }
        #expect(StoredOrder.compare(value, converted) == 0, "\(value) as \(kind)")
      }
    }
  }
}
