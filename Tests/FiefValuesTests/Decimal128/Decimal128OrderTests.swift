import FiefValues
import Testing

@Suite struct Decimal128OrderTests {
  /// Ascending rows of numbers; those of one row are equal.
  private static let ranks: [[Decimal128]] = [
    [.nan, -Decimal128.nan, Decimal128(bitPatternHigh: 0x7E00_0000_0000_0000, low: 1)], ["-Infinity"], [.min],
    ["-1E+6111", "-10E+6110", "-1000000000000000000000000000000000E+6078"], ["-10", "-1E+1", "-10.0"],
    ["-1.1", "-1.10"], ["-1", "-1.0", "-1.000000000000000000000000000000000"], ["-1E-6176"],
    [0, "-0", "0.00", "0E+6111", "-0E-6176", Decimal128()], ["1E-6176"], ["2E-6176"], ["1E-6175", "10E-6176"],
    ["0.9999999999999999999999999999999999"], [1, "1.0", "1.00", "1000E-3"],
    ["1.000000000000000000000000000000001"], ["9.99"], [10, "1E+1"], ["1E+6144"], [.max], ["Infinity"],
  ]

  @Test func knownNumbersAreInTheirOrder() {
    for (i, row) in Self.ranks.enumerated() {
      for a in row {
        for (j, other) in Self.ranks.enumerated() {
          for b in other {
            #expect((a < b) == (i < j) && (b > a) == (i < j), "\(a) \(b)")
            #expect((a == b) == (i == j) && (a != b) == (i != j), "\(a) \(b)")
            #expect((a <= b) == (i <= j) && (b >= a) == (i <= j), "\(a) \(b)")
            #expect(i != j || a.hashValue == b.hashValue, "\(a) \(b)")
            #expect(a.isLessThan(b) == (a < b) && a.isLessThanOrEqual(to: b) == (a <= b))
            #expect(a.isGreaterThan(b) == (a > b) && a.isGreaterThanOrEqual(to: b) == (a >= b))
          }
        }
      }
    }
  }

  @Test func powersOfTenAndTheirNeighboursCompareAcrossAllExponents() {
    // Each number of nines is less than each power of ten above it. The loops cover all pairs of lengths and gaps.
    for nines in 1...34 {
      for power in 0...33 {
        let a = Decimal128(value: String(repeating: "9", count: nines))
        let b = Decimal128(value: "1" + String(repeating: "0", count: power))
        #expect((a < b) == (nines <= power))
        #expect((b < a) == (nines > power))
        let c = Decimal128(value: "1E+\(power)")
        #expect(b == c && b.hashValue == c.hashValue && (a < c) == (nines <= power) && !(b < c) && !(c < b))
      }
    }
  }

  @Test func orderIsTotal() {
    var random = SplitMix64(seed: runSeed)
    let specials: [Decimal128] = [.nan, .infinity, -Decimal128.infinity, 0, "-0", .max, .min]
    for _ in 0..<20_000 {
      let three = (0..<3).map { _ in
        Int.random(in: 0..<20, using: &random) == 0
          ? specials.randomElement(using: &random) ?? 0 : Decimal128.randomNearby(using: &random)
      }
      let (a, b, c) = (three[0], three[1], three[2])
      #expect((a < b ? 1 : 0) + (a == b ? 1 : 0) + (b < a ? 1 : 0) == 1, "\(a) \(b), seed \(runSeed)")
      #expect(!(a <= b && b <= c) || a <= c, "\(a) \(b) \(c), seed \(runSeed)")
      #expect(!(a == b && b == c) || a == c, "\(a) \(b) \(c), seed \(runSeed)")
      #expect((a == b) == (b == a))
    }
  }

  @Test func equalNumbersOfAllFormsHashAlike() throws {
    var random = SplitMix64(seed: runSeed)
    for _ in 0..<10_000 {
      let text = Decimal128.randomNearby(using: &random).stringValue
      let number = try Decimal128(validating: text)
      // Multiplying by 1.00… adds zeros as far as 34 digits go, and never changes the value.
      let one = Decimal128(value: "1." + String(repeating: "0", count: Int.random(in: 1...33, using: &random)))
      let longer = number * one
      #expect(longer == number && !(longer < number) && !(number < longer), "\(number) \(longer), seed \(runSeed)")
      #expect(longer.hashValue == number.hashValue, "\(number) \(longer), seed \(runSeed)")
    }
    #expect(Set<Decimal128>(["1.0", "1.00", "1", "10E-1", "2", "NaN", "-NaN", "0", "-0.0"]).count == 4)
  }

  @Test func orderAgreesWithDifferences() {
    var random = SplitMix64(seed: runSeed)
    for _ in 0..<20_000 {
      let (a, b) = (Decimal128.random(using: &random), Decimal128.random(using: &random))
      let difference = a - b
      // With gradual underflow, only equal numbers have the difference zero.
      #expect((difference == 0) == (a == b), "\(a) \(b), seed \(runSeed)")
      #expect((difference < 0) == (a < b), "\(a) \(b), seed \(runSeed)")
    }
  }

  @Test func identityTellsFormsApart() {
    #expect(!Decimal128("1.0").isIdentical(to: "1.00"))
    #expect(!Decimal128("0").isIdentical(to: "-0"))
    #expect(Decimal128("1.0").isIdentical(to: "1.0"))
  }
}
