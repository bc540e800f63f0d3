import FiefValues
import Testing

/// Laws that hold for all numbers, tested on random ones. They need no oracle, so any numbers can be used.
@Suite struct Decimal128LawTests {
  @Test func additionAndMultiplicationCommute() {
    var random = SplitMix64(seed: runSeed)
    for _ in 0..<20_000 {
      let (a, b) = (Decimal128.random(using: &random), Decimal128.random(using: &random))
      let (c, d) = (Decimal128.randomNearby(using: &random), Decimal128.randomNearby(using: &random))
      #expect((a + b).isIdentical(to: b + a), "\(a) \(b), seed \(runSeed)")
      #expect((c + d).isIdentical(to: d + c), "\(c) \(d), seed \(runSeed)")
      #expect((a * b).isIdentical(to: b * a), "\(a) \(b), seed \(runSeed)")
      #expect((c * d).isIdentical(to: d * c), "\(c) \(d), seed \(runSeed)")
    }
  }

  @Test func signsGoThroughSymmetrically() {
    var random = SplitMix64(seed: runSeed)
    for _ in 0..<20_000 {
      let (a, b) = (Decimal128.randomNearby(using: &random), Decimal128.randomNearby(using: &random))
      #expect(-(a - b) == b - a, "\(a) \(b), seed \(runSeed)")
      #expect((-a + -b) == -(a + b), "\(a) \(b), seed \(runSeed)")
      #expect((-a * b).isIdentical(to: -(a * b)), "\(a) \(b), seed \(runSeed)")
      #expect(b == 0 || (-a / b).isIdentical(to: -(a / b)), "\(a) \(b), seed \(runSeed)")
      #expect(a.magnitude == (a < 0 ? -a : a), "\(a), seed \(runSeed)")
    }
  }

  @Test func neutralElementsChangeNothing() {
    var random = SplitMix64(seed: runSeed)
    for _ in 0..<20_000 {
      let a = Decimal128.random(using: &random)
      #expect(a + 0 == a && a - 0 == a && a * 1 == a && a / 1 == a, "\(a), seed \(runSeed)")
      #expect((a - a).isZero && (a - a).sign == .plus, "\(a), seed \(runSeed)")
      #expect(a.isZero || a / a == 1, "\(a), seed \(runSeed)")
    }
  }

  @Test func sumsAndProductsGrowWithTheirOperands() {
    var random = SplitMix64(seed: runSeed)
    for _ in 0..<20_000 {
      let (a, b, c) = (
        Decimal128.randomNearby(using: &random), Decimal128.randomNearby(using: &random),
        Decimal128.randomNearby(using: &random)
      )
      let (less, more) = a < b ? (a, b) : (b, a)
      // Rounding is monotonic, so ordered numbers stay ordered or become equal.
      #expect(less + c <= more + c, "\(less) \(more) \(c), seed \(runSeed)")
      let factor = c.magnitude
      #expect(less * factor <= more * factor, "\(less) \(more) \(c), seed \(runSeed)")
      #expect(factor == 0 || less / factor <= more / factor, "\(less) \(more) \(c), seed \(runSeed)")
    }
  }

  @Test func compoundAndNamedOperationsAreTheOperators() {
    var random = SplitMix64(seed: runSeed)
    for _ in 0..<1_000 {
      let (a, b) = (Decimal128.randomNearby(using: &random), Decimal128.randomNearby(using: &random))
      var (sum, difference, product, quotient, negative) = (a, a, a, a, a)
      sum += b
      difference -= b
      product *= b
      quotient /= b
      negative.negate()
      #expect(sum.isIdentical(to: a + b) && a.decimalNumber(byAdding: b).isIdentical(to: a + b))
      #expect(difference.isIdentical(to: a - b) && a.decimalNumber(bySubtracting: b).isIdentical(to: a - b))
      #expect(product.isIdentical(to: a * b) && a.decimalNumberByMultiplying(by: b).isIdentical(to: a * b))
      #expect(quotient.isIdentical(to: a / b) && a.decimalNumberByDividing(by: b).isIdentical(to: a / b))
      #expect(negative.isIdentical(to: -a))
      #expect(a.distance(to: b).isIdentical(to: b - a) && a.advanced(by: b).isIdentical(to: a + b))
    }
  }

  @Test func stridesGoByDecimalSteps() {
    #expect(
      stride(from: Decimal128(0), through: 1, by: "0.25").map(\.stringValue) == ["0", "0.25", "0.5", "0.75", "1"])
    #expect([1.5, 2.5, -1 as Decimal128].reduce(0, +) == 3)
  }
}
