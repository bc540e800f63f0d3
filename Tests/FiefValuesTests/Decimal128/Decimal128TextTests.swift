import FiefValues
import Foundation
import Testing

@Suite struct Decimal128TextTests {
  private static let readings: [(text: String, printed: String)] = [
    // The specification's examples of to-scientific-string.
    ("123", "123"), ("-123", "-123"), ("1.23E3", "1.23E3"), ("123E3", "1.23E5"), ("12.3", "12.3"),
    ("0.00123", "0.00123"), ("1.23E-8", "1.23E-8"), ("-1.23E-10", "-1.23E-10"), ("0E2", "0E2"), ("0.00", "0"),
    ("0.000001", "0.000001"), ("0.0000001", "1E-7"), ("0.0000000", "0E-7"), ("5E-6", "0.000005"),
    ("50E-7", "0.000005"), ("5E-7", "5E-7"), ("1E3", "1E3"), ("1000", "1000"),
    // Zeros behind the point.
    ("1.10", "1.1"), ("-2.00", "-2"), ("1234567890e123", "1.23456789E132"), ("1000E-9", "0.000001"), ("10E7", "1E8"),
    ("100E-10", "1E-8"), ("-0.00", "-0"), ("100.0010", "100.001"),
    // Forms of input.
    ("+1", "1"), ("1.", "1"), (".5", "0.5"), ("-.5e1", "-5"), ("1e3", "1E3"), ("1E03", "1E3"), ("007", "7"),
    ("00.10", "0.1"), ("-0", "-0"), ("+0.0", "0"), ("1e-0", "1"),
    ("inf", "Infinity"), ("-Inf", "-Infinity"), ("+INFINITY", "Infinity"), ("nan", "NaN"), ("-NaN", "NaN"),
    ("sNaN", "sNaN"),
    // Exponents out of range, and digits that compensate for them.
    ("1e99999999999999999999999", "Infinity"), ("-1e99999999999999999999999", "-Infinity"),
    ("1e-99999999999999999999999", "0E-6176"), ("-1e-99999999999999999999999", "-0E-6176"),
    ("0e99999999999999999999999", "0E6111"), ("0e-99999999999999999999999", "0E-6176"),
  ]

  @Test(arguments: readings)
  func aTextIsReadAndPrinted(text: String, printed: String) throws {
    #expect(try Decimal128(validating: text).stringValue == printed)
    #expect(try Decimal128(string: text).description == printed)
  }

  private static let malformed = [
    "", " ", "+", "-", ".", "-.", "e5", ".e5", "1e", "1e+", "1e5.0", "1.2.3", "1 ", " 1", "1_000", "1,5", "--1", "+-1",
    "0x10", "1e5e5", "infi", "infinit", "infinityy", "na", "nanx", "nan1", "in", "½", "１", "1\u{0}", "٣", "1e٣",
    "IN\u{0}",
    "i nf", "\u{49}\u{4E}\u{26}",
  ]

  @Test(arguments: malformed)
  func anythingElseIsNaNOrAnError(text: String) throws {
    #expect(try Decimal128(string: text).isNaN)
    #expect(Decimal128(value: text).isNaN)
    #expect(throws: ValueError.invalidDecimal128(text)) { try Decimal128(validating: text) }
  }

  @Test func textsOfAnyLengthAreRoundedByAllTheirDigits() throws {
    let zeros = String(repeating: "0", count: 100_000)
    #expect(try Decimal128(validating: "0.\(zeros)1e100001").stringValue == "1")
    #expect(try Decimal128(validating: "1\(zeros)e-100000").stringValue == "1")
    #expect(try Decimal128(validating: "\(zeros)12").stringValue == "12")
    #expect(try Decimal128(validating: "0.\(zeros)").stringValue == "0E-6176")
    // Half a unit of the last place, exactly and with one more digit far behind.
    let half = "12345678901234567890123456789012345"
    #expect(try Decimal128(validating: half).stringValue == "1.234567890123456789012345678901234E34")
    #expect(try Decimal128(validating: "\(half).\(zeros)").stringValue == "1.234567890123456789012345678901234E34")
    #expect(try Decimal128(validating: "\(half).\(zeros)1").stringValue == "1.234567890123456789012345678901235E34")
  }

  @Test func substringsAndBridgedStringsAreReadToo() throws {
    #expect(try Decimal128(validating: String("xx1.5yy".dropFirst(2).dropLast(2))) == 1.5)
    #expect(try Decimal128(validating: NSString(string: "1.5") as String) == 1.5)
    #expect(try Decimal128(validating: String(UnicodeScalar(55))) == 7)
  }

  @Test func printingAndReadingGivesTheSameNumber() throws {
    var random = SplitMix64(seed: runSeed)
    for _ in 0..<20_000 {
      let number = Decimal128.random(using: &random)
      let printed = number.stringValue
      #expect(try Decimal128(validating: printed) == number, "\(printed), seed \(runSeed)")
      #expect(try Decimal128(validating: printed).stringValue == printed, "seed \(runSeed)")
      #expect(!printed.contains(".") || printed.contains(/[1-9]($|E)/), "\(printed), seed \(runSeed)")
    }
  }

  @Test func everyPlaceOfThePointIsPrintedAndReadBack() throws {
    for digits in 1...34 {
      let text = String("1234567890123456789012345678901234".prefix(digits))
      for exponent in -50...10 {
        let number = try Decimal128(validating: "\(text)E\(exponent)")
        let printed = number.stringValue
        let adjusted = exponent + digits - 1
        #expect(printed.contains("E") == (exponent > 0 || adjusted < -6))
        #expect(try Decimal128(validating: printed) == number)
        // The tenth and the twentieth and the thirtieth digit are zeros.
        let shown = exponent < 0 || adjusted != exponent ? text.replacing(/0+$/, with: "") : text
        #expect(printed.filter { $0.isNumber }.contains(exponent == 0 ? text : shown))
      }
    }
  }

  @Test func itIsCodedAsItsTextAndReadFromNumbersToo() throws {
    let numbers: [Decimal128] = ["1.50", "-0", "1E6000", "NaN", "-Infinity"]
    let data = try JSONEncoder().encode(numbers)
    #expect(String(decoding: data, as: UTF8.self) == #"["1.5","-0","1E6000","NaN","-Infinity"]"#)
    let back = try JSONDecoder().decode([Decimal128].self, from: data)
    #expect(back == numbers)
    let mixed = try JSONDecoder().decode([Decimal128].self, from: Data("[1, -9223372036854775808, 0.1, 1e300]".utf8))
    #expect(mixed.map(\.stringValue) == ["1", "-9223372036854775808", "0.1", "1E300"])
    for bad in [#"["1,5"]"#, "[true]", "[null]", "[[]]", #"[""]"#] {
      #expect(throws: DecodingError.self, "\(bad)") {
        try JSONDecoder().decode([Decimal128].self, from: Data(bad.utf8))
      }
    }
  }
}
