import FiefValues
import Testing

@Suite struct Decimal128ArithmeticTests {
  @Test func sumsAreThoseOfTheTable() throws {
    try DecimalTable.check(DecimalTable.additions, rows: 500) { $0 + $1 }
  }

  @Test func differencesAreThoseOfTheTable() throws {
    try DecimalTable.check(DecimalTable.subtractions, rows: 500) { $0 - $1 }
  }

  @Test func productsAreThoseOfTheTable() throws {
    try DecimalTable.check(DecimalTable.multiplications, rows: 800) { $0 * $1 }
  }

  @Test func quotientsAreThoseOfTheTable() throws {
    try DecimalTable.check(DecimalTable.divisions, rows: 800) { $0 / $1 }
  }

  /// Two 64-bit coefficients can make 39 digits; the greatest power of ten in 128 bits is 10^38.
  @Test func productsOf39DigitsUnderflowToo() {
    let a: Decimal128 = "18446744073709551615E-3107"
    #expect((a * "18446744073709551615E-3106").stringValue == "3.4E-6175")
    #expect((a * "18446744073709551615E-3107").stringValue == "3E-6176")
    #expect((a * "18446744073709551615E-3108").stringValue == "0")
    #expect((a * "18446744073709551615E-3109").stringValue == "0")
  }
}
