import FiefValues
import Testing

@Suite struct Decimal128ValueTests {
  /// A string of the standard without the plus sign of the exponent, and without zeros at the end of a fraction.
  private static func trimmed(_ text: String) -> String {
    let plain = text.replacing("E+", with: "E")
    guard let point = plain.firstIndex(of: ".") else { return plain }
    let exponent = plain[point...].drop { $0 != "E" }
    let fraction = plain[point..<exponent.startIndex].reversed().drop { $0 == "0" }.reversed()
    return plain[..<point] + (fraction.count > 1 ? String(fraction) : "") + exponent
  }

  @Test func textsRoundAsInTheTable() throws {
    for row in DecimalTable.rows(DecimalTable.readings) {
      #expect(try Decimal128(validating: row[0]).stringValue == Self.trimmed(row[1]), "\(row[0])")
    }
  }

  @Test func comparisonsAreThoseOfTheTable() throws {
    for row in DecimalTable.rows(DecimalTable.comparisons) {
      let (a, b) = (try Decimal128(validating: row[0]), try Decimal128(validating: row[1]))
      #expect((a < b) == (row[2] == "-1"), "\(row)")
      #expect((a == b) == (row[2] == "0"), "\(row)")
      #expect((a > b) == (row[2] == "1"), "\(row)")
      #expect((b < a) == (row[2] == "1"), "\(row)")
    }
  }

  @Test func exactValuesOfDoublesAreThoseOfTheTable() throws {
    for row in DecimalTable.rows(DecimalTable.exactDoubles) {
      let double = Double(bitPattern: try #require(UInt64(row[0], radix: 16)))
      let expected = try Decimal128(validating: row[1])
      #expect(Decimal128.exactValue(of: double) == expected, "\(row)")
    }
  }

  @Test func nearestDoublesAreThoseOfTheTable() throws {
    for row in DecimalTable.rows(DecimalTable.nearestDoubles) {
      let bits = try #require(UInt64(row[1], radix: 16))
      #expect(try Decimal128(validating: row[0]).doubleValue.bitPattern == bits, "\(row)")
    }
  }
}
