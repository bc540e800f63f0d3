import FiefValues
import Testing

@Suite struct Decimal128ValueTests {
  @Test func textsRoundAsInTheTable() throws {
    for row in DecimalTable.rows(DecimalTable.readings) {
      #expect(try Decimal128(validating: row[0]).stringValue == row[1].replacing("E+", with: "E"), "\(row[0])")
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
