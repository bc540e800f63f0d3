import FiefValues
import Testing

@Suite struct Decimal128EncodingTests {
  /// Strings, their bits, and the strings that the bits print as. The bits are those of the public BSON decimal128
  /// corpus if it has the number, and follow from the standard's formula otherwise.
  private static let known: [(text: String, high: UInt64, low: UInt64, printed: String)] = [
    ("0", 0x3040000000000000, 0x0, "0"),
    ("-0", 0xB040000000000000, 0x0, "-0"),
    ("0E3", 0x3046000000000000, 0x0, "0E3"),
    ("0E-7", 0x3032000000000000, 0x0, "0E-7"),
    ("0E6111", 0x5FFE000000000000, 0x0, "0E6111"),
    ("0E-6176", 0x0000000000000000, 0x0, "0E-6176"),
    ("-0E-6176", 0x8000000000000000, 0x0, "-0E-6176"),
    ("0E8000", 0x5FFE000000000000, 0x0, "0E6111"),
    ("-0E-8000", 0x8000000000000000, 0x0, "-0E-6176"),
    ("1", 0x3040000000000000, 0x1, "1"),
    ("-1", 0xB040000000000000, 0x1, "-1"),
    ("10", 0x3040000000000000, 0xA, "10"),
    ("1.0", 0x303E000000000000, 0xA, "1"),
    ("1E1", 0x3042000000000000, 0x1, "1E1"),
    ("105", 0x3040000000000000, 0x69, "105"),
    ("1.05", 0x303C000000000000, 0x69, "1.05"),
    ("-1.05", 0xB03C000000000000, 0x69, "-1.05"),
    ("0.1", 0x303E000000000000, 0x1, "0.1"),
    ("0.001", 0x303A000000000000, 0x1, "0.001"),
    ("0.000001", 0x3034000000000000, 0x1, "0.000001"),
    ("1E-7", 0x3032000000000000, 0x1, "1E-7"),
    ("0.0001234", 0x3032000000000000, 0x4D2, "0.0001234"),
    ("1.234E5", 0x3044000000000000, 0x4D2, "1.234E5"),
    ("12345678901234567", 0x3040000000000000, 0x2BDC545D6B4B87, "12345678901234567"),
    ("12345689012345789012345", 0x304000000000029D, 0x42DA3A76F9E0D979, "12345689012345789012345"),
    (
      "1234567890123456789012345678901234", 0x30403CDE6FFF9732, 0xDE825CD07E96AFF2, "1234567890123456789012345678901234"
    ),
    (
      "0.1234567890123456789012345678901234", 0x2FFC3CDE6FFF9732, 0xDE825CD07E96AFF2,
      "0.1234567890123456789012345678901234"
    ),
    ("-345678.543", 0xB03A000000000000, 0x149AA2CF, "-345678.543"),
    ("9223372036854775807", 0x3040000000000000, 0x7FFFFFFFFFFFFFFF, "9223372036854775807"),
    ("18446744073709551616", 0x3040000000000001, 0x0, "18446744073709551616"),
    ("1E6111", 0x5FFE000000000000, 0x1, "1E6111"),
    ("1E6112", 0x5FFE000000000000, 0xA, "1E6112"),
    ("1E6144", 0x5FFE314DC6448D93, 0x38C15B0A00000000, "1E6144"),
    ("1E-6143", 0x0042000000000000, 0x1, "1E-6143"),
    ("1E-6176", 0x0000000000000000, 0x1, "1E-6176"),
    ("-1E-6176", 0x8000000000000000, 0x1, "-1E-6176"),
    (
      "9.999999999999999999999999999999999E-6143", 0x0001ED09BEAD87C0, 0x378D8E63FFFFFFFF,
      "9.999999999999999999999999999999999E-6143"
    ),
    (
      "9.999999999999999999999999999999999E6144", 0x5FFFED09BEAD87C0, 0x378D8E63FFFFFFFF,
      "9.999999999999999999999999999999999E6144"
    ),
    (
      "-9.999999999999999999999999999999999E6144", 0xDFFFED09BEAD87C0, 0x378D8E63FFFFFFFF,
      "-9.999999999999999999999999999999999E6144"
    ),
    ("5E-6177", 0x0000000000000000, 0x0, "0E-6176"),
    ("6E-6177", 0x0000000000000000, 0x1, "1E-6176"),
    ("1.5E-6176", 0x0000000000000000, 0x2, "2E-6176"),
    ("2.5E-6176", 0x0000000000000000, 0x2, "2E-6176"),
    ("1E6145", 0x7800000000000000, 0x0, "Infinity"),
    ("-9E6145", 0xF800000000000000, 0x0, "-Infinity"),
    (
      "12345678901234567890123456789012345", 0x30423CDE6FFF9732, 0xDE825CD07E96AFF2,
      "1.234567890123456789012345678901234E34"
    ),
    (
      "12345678901234567890123456789012355", 0x30423CDE6FFF9732, 0xDE825CD07E96AFF4,
      "1.234567890123456789012345678901236E34"
    ),
    (
      "99999999999999999999999999999999995", 0x3044314DC6448D93, 0x38C15B0A00000000,
      "1E35"
    ),
  ]

  @Test(arguments: known)
  func aNumberHasItsPublishedBits(text: String, high: UInt64, low: UInt64, printed: String) throws {
    let number = try Decimal128(validating: text)
    #expect(number.isIdentical(to: Decimal128(bitPatternHigh: high, low: low)))
    #expect(number.stringValue == printed)
    #expect(try Decimal128(validating: printed) == number)
  }

  @Test func itIsTwoWords() {
    #expect(MemoryLayout<Decimal128>.size == 16)
    #expect(MemoryLayout<Decimal128>.stride == 16)
    #expect(MemoryLayout<Decimal128>.alignment == 8)
    #expect(Decimal128().isIdentical(to: Decimal128(bitPatternHigh: 0x3040_0000_0000_0000, low: 0)))
  }

  @Test func theEndsOfTheRangeAreTheGreatestCoefficients() {
    #expect(Decimal128.max.stringValue == "9.999999999999999999999999999999999E6144")
    #expect(Decimal128.min.stringValue == "-9.999999999999999999999999999999999E6144")
    #expect(Decimal128.min.isIdentical(to: -Decimal128.max))
  }

  /// Bits that no operation makes, each with the number that they represent.
  private static let nonCanonical: [(high: UInt64, low: UInt64, like: String)] = [
    // 10^34, and the greatest 113-bit coefficient.
    (0x3041_ED09_BEAD_87C0, 0x378D_8E64_0000_0000, "0"), (0xB041_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, "-0"),
    // The longer exponent form: 01 + 14 bits of exponent + implied 100.
    (0x6C10_0000_0000_0000, 0, "0"), (0x6C11_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, "0E3"),
    (0xE000_0000_0000_0000, 1, "-0E-6176"),
  ]

  @Test(arguments: nonCanonical)
  func nonCanonicalBitsAreZero(high: UInt64, low: UInt64, like: String) throws {
    let number = Decimal128(bitPatternHigh: high, low: low)
    let zero = try Decimal128(validating: like)
    #expect(number.isZero && number.isFinite && !number.isNaN)
    #expect(number == 0 && zero == number && !(number < 0) && !(0 < number))
    #expect(number.hashValue == zero.hashValue)
    #expect(number.stringValue.hasPrefix(like.prefix(1)))
    #expect(number + 5 == 5)
    #expect(5 - number == 5)
    #expect((number * 5).isZero)
    #expect((number / 5).isZero)
    #expect((5 / number).isInfinite)
    #expect(number.doubleValue == 0)
    #expect(number.decimalValue == 0)
    #expect(Int64(exactly: number) == 0)
    #expect(!number.isIdentical(to: zero))
  }

  @Test func coefficientsAtTheLimitAreCanonicalBelowIt() {
    let greatest = Decimal128(bitPatternHigh: 0x3041_ED09_BEAD_87C0, low: 0x378D_8E63_FFFF_FFFF)
    let next = Decimal128(bitPatternHigh: 0x3041_ED09_BEAD_87C0, low: 0x378D_8E63_FFFF_FFFE)
    #expect(greatest.stringValue == "9999999999999999999999999999999999")
    #expect(next < greatest && greatest > next && next != greatest)
    #expect(greatest - next == 1)
    #expect(-greatest < -next)
  }

  @Test func everyNaNCountsAsSignalling() throws {
    for number in [.nan, "x", "snan", Decimal128(bitPatternHigh: 0xFC00_0000_0000_0000, low: 5)] as [Decimal128] {
      #expect(number.isNaN && number.isSignaling && number.isSignalingNaN)
    }
    for number in [0, 1.5, .infinity, "-Infinity"] as [Decimal128] {
      #expect(!number.isNaN && !number.isSignaling && !number.isSignalingNaN)
    }
  }

  @Test func specialsAreDistinguished() {
    let signalling = Decimal128(bitPatternHigh: 0x7E00_0000_0000_0000, low: 5)
    let payload = Decimal128(bitPatternHigh: 0xFC00_0000_0000_0000, low: 5)
    #expect(signalling.isNaN && !signalling.isFinite && payload.isNaN && !payload.isInfinite && Decimal128.nan.isNaN)
    #expect(Decimal128.infinity.isInfinite && !Decimal128.infinity.isNaN && !Decimal128.infinity.isFinite)
    #expect(signalling.stringValue == "sNaN" && payload.stringValue == "NaN")
    #expect(Decimal128(bitPatternHigh: 0x7800_1234_0000_0000, low: 9) == .infinity)
    #expect(payload.sign == .minus && Decimal128(value: "-0").sign == .minus && Decimal128().sign == .plus)
  }
}
