import FiefValues
import Foundation
import Testing

/// How decimals print, and the types that they can be made from.
@Suite struct Decimal128FormTests {
  @Test func anExponentHasNoPlusSign() throws {
    #expect(try Decimal128(validating: "1.5E2").description == "1.5E2")
    #expect(try Decimal128(validating: "1.5E+2").stringValue == "1.5E2")
    #expect(try Decimal128(validating: "1E-10").description == "1E-10")
    #expect(Decimal128(150 as Int64).description == "150")
  }

  @Test func arithmeticLeavesNoZerosAtTheEndOfAFraction() throws {
    let a: Decimal128 = 2.5
    let b: Decimal128 = 3.5
    #expect("\(a - b)" == "-1" && "\(a + b)" == "6" && "\(a * 2)" == "5" && "\(b - b)" == "0")
    #expect("\(Decimal128("1.20") + Decimal128("1.30"))" == "2.5")
    #expect("\(Decimal128("2.40") / 2)" == "1.2")
    #expect("\(Decimal128(100 as Int64) + 100)" == "200")
    #expect("\(Decimal128("1.50"))" == "1.5")
    let wide = Decimal128("9999999999999999999999999999999999")
    #expect("\(wide + 1)" == "1E34")
  }

  @Test func valuesThatAreNoNumbersMakeNaN() throws {
    var deep: [Any] = []
    for _ in 0..<10_000 { deep = [deep] }
    for value in [NSNull(), Optional<Int>.none as Any, [1], deep, NSObject(), "x"] as [Any] {
      #expect(Decimal128(value: value).isNaN)
    }
    while let inner = deep.popLast() as? [Any] { deep = inner }
    #expect(Decimal128(value: NSNumber(value: UInt64.max)) == Decimal128(UInt64.max))
    #expect(Decimal128(value: Optional(NSNumber(value: 1.5)) as Any) == 1.5)
    #expect(
      Decimal128(value: NSDecimalNumber(string: "123456789012345678901234567")).description
        == "123456789012345678901234567")
    #expect(Decimal128(value: NSString(string: "1.5")) == 1.5)
  }

  @Test func theInitialiserOfLiteralsTakesAnInt64() {
    let number: Int64 = 7
    #expect(Decimal128(integerLiteral: number) == 7)
    #expect(Decimal128(integerLiteral: 7) == 7)
    let wide: Decimal128 = 12_345_678_901_234_567_890_123_456_789_012
    #expect("\(wide)" == "12345678901234567890123456789012")
  }

  @Test func aNumberOfADocumentKeepsItsDigits() throws {
    let json = Data("[18446744073709551615, 0.12345678901234567890123, 0.1, 1e300, 5]".utf8)
    let numbers = try JSONDecoder().decode([Decimal128].self, from: json)
    #expect(
      numbers.map(\.description) == ["18446744073709551615", "0.12345678901234567890123", "0.1", "1E300", "5"])
  }
}
