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
}
