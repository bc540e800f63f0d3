import FiefValues
import Foundation
import Testing

@Suite struct Decimal128ConversionTests {
  private static let doubles: [(Double, String)] = [
    (0, "0"), (-0.0, "-0"), (1, "1"), (-1, "-1"), (100, "100"), (1.1, "1.1"), (0.1, "0.1"), (-2.5, "-2.5"),
    (1e16, "1E16"), (1e22, "1E22"), (1e-7, "1E-7"), (123456.789, "123456.789"),
    (9_007_199_254_740_991, "9007199254740991"), (9_007_199_254_740_992, "9007199254740992"),
    (-9_007_199_254_740_994, "-9007199254740994"), (.leastNonzeroMagnitude, "4.9E-324"),
    (.greatestFiniteMagnitude, "1.7976931348623157E308"), (.infinity, "Infinity"), (-.infinity, "-Infinity"),
    (.nan, "NaN"), (1.0 / 3, "0.3333333333333333"),
  ]

  @Test(arguments: doubles)
  func aDoubleBecomesItsShortestDigits(double: Double, text: String) {
    // The least double prints as one digit. Any number that reads back as the double is accepted for it.
    if double == .leastNonzeroMagnitude {
      #expect(Decimal128(double).doubleValue == double)
    } else {
      #expect(Decimal128(double).stringValue == text)
    }
    #expect(Decimal128(floatLiteral: double).isIdentical(to: Decimal128(double)))
  }

  @Test func everyDoubleComesBack() {
    var random = SplitMix64(seed: runSeed)
    for _ in 0..<20_000 {
      let double = Double(bitPattern: random.next())
      let back = Decimal128(double).doubleValue
      #expect(back.bitPattern == double.bitPattern || double.isNaN && back.isNaN, "\(double), seed \(runSeed)")
      let short = (Double.random(in: -1e6...1e6, using: &random) * 100).rounded() / 100
      #expect(Decimal128(short).doubleValue == short, "\(short), seed \(runSeed)")
      let exact = Decimal128.exactValue(of: short)
      #expect(exact.doubleValue == short, "\(short), seed \(runSeed)")
    }
  }

  @Test func exactValuesAreInTheOrderOfTheirDoubles() {
    var random = SplitMix64(seed: runSeed)
    for _ in 0..<5_000 {
      let a = Double.random(in: -1e3...1e3, using: &random)
      #expect(Decimal128.exactValue(of: a) < Decimal128.exactValue(of: a.nextUp), "\(a), seed \(runSeed)")
    }
    #expect(Decimal128.exactValue(of: 0.1) > "0.1")
    #expect(Decimal128.exactValue(of: 0.3) < "0.3")
    #expect(Decimal128.exactValue(of: 0.5).stringValue == "0.5")
    #expect(Decimal128.exactValue(of: 1e22).stringValue == "10000000000000000000000")
    #expect(Decimal128.exactValue(of: -0.0).stringValue == "-0")
    #expect(Decimal128.exactValue(of: .infinity) == .infinity && Decimal128.exactValue(of: .nan).isNaN)
  }

  @Test func doublesBeyondTheirRangeAreInfiniteOrZero() {
    #expect(Decimal128.max.doubleValue == .infinity)
    #expect(Decimal128.min.doubleValue == -.infinity)
    #expect(Decimal128("1E-6176").doubleValue == 0)
    #expect(Decimal128("-1E-6176").doubleValue.sign == .minus)
    #expect(Decimal128("-Infinity").doubleValue == -.infinity)
    #expect(Decimal128.nan.doubleValue.isNaN)
    #expect(Decimal128("-0").doubleValue.sign == .minus)
  }

  @Test func integersOfAllTypesAreExactUpTo34Digits() {
    #expect(Decimal128(exactly: UInt64.max)?.stringValue == "18446744073709551615")
    #expect(Decimal128(exactly: Int64.min)?.stringValue == "-9223372036854775808")
    #expect(Decimal128(exactly: Int8(-5))?.stringValue == "-5")
    let limit: Int128 = 9_999_999_999_999_999_999_999_999_999_999_999
    #expect(Decimal128(exactly: limit)?.stringValue == "9999999999999999999999999999999999")
    #expect(Decimal128(exactly: limit + 1)?.stringValue == "1E34")
    #expect(Decimal128(exactly: limit + 2) == nil)
    #expect(Decimal128(exactly: -limit - 2) == nil)
    #expect(Decimal128(limit + 2) == "1E34")
    #expect(Decimal128(exactly: UInt128.max) == nil)
    let literal: Decimal128 = 9_999_999_999_999_999_999_999_999_999_999_999
    #expect(literal.stringValue == "9999999999999999999999999999999999")
    #expect(Decimal128(-7).stringValue == "-7")
  }

  private static let whole: [(text: String, integer: Int64?)] = [
    ("0", 0), ("-0.00", 0), ("5", 5), ("-5.0", -5), ("5E+3", 5000), ("5.5", nil), ("1E-1", nil), ("1E-40", nil),
    ("9223372036854775807", .max), ("9223372036854775808", nil), ("-9223372036854775808", .min),
    ("-9223372036854775809", nil), ("9.223372036854775807E+18", .max), ("9223372036854775807.000", .max),
    ("1E+18", 1_000_000_000_000_000_000), ("1E+19", nil), ("10E+18", nil), ("9E+18", 9_000_000_000_000_000_000),
    ("1E+6111", nil), ("0E+6111", 0), ("0E-6176", 0), ("1000000000000000000000000000000000E-33", 1),
    ("NaN", nil), ("Infinity", nil), ("-Infinity", nil),
  ]

  @Test(arguments: whole)
  func onlyWholeNumbersInRangeAreIntegers(text: String, integer: Int64?) throws {
    #expect(Int64(exactly: try Decimal128(validating: text)) == integer)
  }

  @Test func integersComeBack() {
    var random = SplitMix64(seed: runSeed)
    for _ in 0..<5_000 {
      let integer = Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random)
      #expect(Int64(exactly: Decimal128(integer)) == integer, "\(integer), seed \(runSeed)")
      #expect(Decimal128(integer).stringValue == String(integer))
    }
  }

  @Test func anyKindOfNumberIsANumber() {
    let values: [(Any, String)] = [
      (1, "1"), (Int8(-1), "-1"), (UInt64.max, "18446744073709551615"), ("2.50", "2.5"), (3.5, "3.5"),
      (Float(0.1), "0.1"), (true, "1"), (false, "0"), (Decimal128("1.0"), "1"),
      (Decimal(string: "12.25") ?? 0, "12.25"), (NSNumber(value: 1.5), "1.5"), (NSNumber(value: 7), "7"),
      (NSNumber(value: UInt64.max), "18446744073709551615"), (NSNumber(value: Float(0.1)), "0.1"),
      (NSNumber(value: true), "1"), (NSDecimalNumber(string: "1.25"), "1.25"), (Int?.some(4) as Any, "4"),
      (Int128.max / 1_000_000, "170141183460469231731687303715884"), ("junk", "NaN"), ([1], "NaN"),
      (Int?.none as Any, "NaN"), (Double.nan, "NaN"), (-Double.infinity, "-Infinity"), (NSObject(), "NaN"),
    ]
    for (value, text) in values {
      #expect(Decimal128(value: value).stringValue == text, "\(value)")
    }
    #expect(Decimal128(number: NSNumber(value: -1.5)).stringValue == "-1.5")
    #expect(Decimal128(number: NSNumber(value: Int64.min)).stringValue == "-9223372036854775808")
  }

  private static let decimals = [
    "0", "1", "-1", "0.1", "1234567890.123456789", "9999999999999999999999999999999999",
    "-9999999999999999999999999999999999E+120", "1E+127", "1E-128", "-1234567890123456789012345678901234E-128", "5E+50",
    "1000000000000000000000000000000001E-20",
  ]

  @Test(arguments: decimals)
  func aDecimalOfFoundationComesBack(text: String) throws {
    let number = try Decimal128(validating: text)
    #expect(Decimal128(number.decimalValue) == number)
    #expect(number.decimalValue == Decimal(string: text))
  }

  @Test func decimalsOfFoundationAreTheNearestOrNaN() {
    #expect(Decimal128("10E+126").decimalValue == Decimal(string: "1E+127"))
    #expect(Decimal128("1E+128").decimalValue.isNaN)
    #expect(Decimal128.max.decimalValue.isNaN && Decimal128.infinity.decimalValue.isNaN)
    #expect(Decimal128.nan.decimalValue.isNaN)
    let least = Decimal(sign: .plus, exponent: -128, significand: 1)
    #expect(Decimal128("15E-129").decimalValue == least + least)
    #expect(Decimal128("25E-129").decimalValue == least + least)
    #expect(Decimal128("26E-129").decimalValue == least + least + least)
    #expect(Decimal128("5E-129").decimalValue == 0)
    #expect(Decimal128("51E-130").decimalValue == least)
    #expect(Decimal128("1E-6000").decimalValue == 0)
    // 38 digits become 34, half to even.
    let long = Decimal(string: "12345678901234567890123456789012345678") ?? 0
    #expect(Decimal128(long).stringValue == "1.234567890123456789012345678901235E37")
  }

  @Test func literalsAreWhatTheySay() {
    let literals: [Decimal128] = [1, -1, 1.5, 0.1, "1e6000", "1.50", "junk"]
    #expect(literals.map(\.description) == ["1", "-1", "1.5", "0.1", "1E6000", "1.5", "NaN"])
  }
}
