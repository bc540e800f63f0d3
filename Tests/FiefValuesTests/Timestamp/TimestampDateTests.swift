import FiefValues
import Foundation
import Testing

@Suite struct TimestampDateTests {
  private let from1970To2001: Int64 = 978_307_200

  /// The double nearest to the moment, by way of the exact decimal string and the standard library's parser.
  private func nearestInterval(_ moment: Timestamp) -> Double {
    let total = (Int128(moment.seconds) - Int128(from1970To2001)) * 1_000_000_000 + Int128(moment.nanoseconds)
    return Double("\(total)e-9") ?? .nan
  }

  @Test(arguments: [
    Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -0.5),
    Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 0.5),
    Date(timeIntervalSinceReferenceDate: -0.5), Date(timeIntervalSinceReferenceDate: 1e-9),
    Date(timeIntervalSinceReferenceDate: -1e-9), Date(timeIntervalSinceReferenceDate: 0.999999999),
    Date(timeIntervalSinceReferenceDate: -0.999999999), Date(timeIntervalSinceReferenceDate: 123.456789012),
    Date(timeIntervalSinceReferenceDate: 0x1p23), Date(timeIntervalSinceReferenceDate: (-0x1p23).nextDown),
    Date(timeIntervalSinceReferenceDate: 0x1p52 - 0.5), Date(timeIntervalSinceReferenceDate: 0x1p53 + 2),
    Date(timeIntervalSinceReferenceDate: -0x1p62), Date(timeIntervalSinceReferenceDate: 0x1p62),
    Date(timeIntervalSinceReferenceDate: -0x1p63), Date(timeIntervalSinceReferenceDate: 0x1p63 - 0x1p31),
  ])
  func aDateComesBackBitForBit(date: Date) throws {
    let back = try #require(Timestamp(date)).date
    #expect(
      back.timeIntervalSinceReferenceDate.bitPattern == date.timeIntervalSinceReferenceDate.bitPattern)
  }

  @Test func everyDateFarFrom2001ComesBackBitForBit() throws {
    var random = SplitMix64(seed: runSeed)
    for _ in 0..<50_000 {
      // Any mantissa, any binade from 2^23 to 2^62, both signs.
      let exponent = UInt64.random(in: 23...61, using: &random) + 1023
      let interval = Double(bitPattern: random.next() & 0x800F_FFFF_FFFF_FFFF | exponent << 52)
      let date = Date(timeIntervalSinceReferenceDate: interval)
      let back = try #require(Timestamp(date)).date.timeIntervalSinceReferenceDate
      #expect(back.bitPattern == interval.bitPattern, "\(interval), seed \(runSeed)")
    }
  }

  @Test func everyDateNearestToANanosecondComesBackBitForBit() throws {
    var random = SplitMix64(seed: runSeed)
    for _ in 0..<50_000 {
      let reach = Int64(1) << Int64.random(in: 0...62, using: &random)
      let seconds = Int64.random(in: -reach...reach, using: &random)
      let moment = Timestamp(
        seconds: seconds, nanoseconds: Bool.random(using: &random) ? 0 : .random(in: 0..<1_000_000_000, using: &random))
      // Relative to 2001, so that the small ones are near the origin of dates.
      let shifted = Timestamp(seconds: seconds + from1970To2001, nanoseconds: Int64(moment.nanoseconds))
      let interval = nearestInterval(shifted)
      #expect(
        shifted.date.timeIntervalSinceReferenceDate.bitPattern == interval.bitPattern, "\(shifted), seed \(runSeed)")
      let back = try #require(Timestamp(Date(timeIntervalSinceReferenceDate: interval)))
      #expect(back.date.timeIntervalSinceReferenceDate.bitPattern == interval.bitPattern, "\(shifted), seed \(runSeed)")
    }
  }

  @Test func theMiddleBetweenTwoDoublesIsRoundedToTheEvenOne() {
    // 2^-9 s is a whole number of nanoseconds, 1953125; from 2^44 on it is half the distance of two doubles.
    let seconds: [Int64] = [
      0x1000_0000_0000, 0x1000_0000_0001, -0x1000_0000_0000, 0x1FFF_FFFF_FFF9, 0x4000_0000_0000, 0x10_0000_0000_0000,
      0x20_0000_0000_0001, 0x1000_0000_0000_0000,
    ]
    for whole in seconds {
      for nanoseconds: Int64 in [
        1_953_125, 1_953_124, 1_953_126, 3_906_250, 5_859_375, 250_000_000, 500_000_000, 750_000_000,
      ] {
        let moment = Timestamp(seconds: whole + from1970To2001, nanoseconds: nanoseconds)
        #expect(moment.date.timeIntervalSinceReferenceDate == nearestInterval(moment), "\(moment)")
      }
    }
  }

  @Test func aFractionGoesToTheNearestNanosecond() throws {
    var random = SplitMix64(seed: runSeed)
    var intervals = (0..<20_000).map { _ in Double.random(in: -4...4, using: &random) }
    // 2^-10 s = 976562.5 ns, and its odd multiples: exact halves, also with the neighbours that are nearly halves.
    for odd in stride(from: -2047.0, through: 2047, by: 2) {
      intervals += [odd / 1024, (odd / 1024).nextUp, (odd / 1024).nextDown]
    }
    // The doubles nearest to a half: their product with 10^9 rounds to that half, and is a little off it.
    intervals += (0..<20_000).map { _ in
      (Double(Int.random(in: -500_000_000..<500_000_000, using: &random)) + 0.5) / 1e9
    }
    for interval in intervals {
      let moment = try #require(Timestamp(Date(timeIntervalSinceReferenceDate: interval)))
      let seconds = Int128(moment.seconds) - Int128(from1970To2001)
      let nanoseconds = seconds * 1_000_000_000 + Int128(moment.nanoseconds)
      // interval = n / 2^60 or finer only below 2^-7; there the shift drops bits that a comparison with half ignores.
      let scaled = (interval * 0x1p60).rounded(.towardZero)
      let (quotient, rest) = (Int128(scaled) * 1_000_000_000).quotientAndRemainder(dividingBy: 1 << 60)
      guard scaled == interval * 0x1p60 else { continue }
      let half = Int128(1) << 59
      let up = rest.magnitude > half.magnitude || rest.magnitude == half.magnitude && quotient & 1 != 0
      #expect(nanoseconds == quotient + (up ? rest.signum() : 0), "\(interval), seed \(runSeed)")
    }
  }

  @Test func nanIsNoMoment() {
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: .nan)) == nil)
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: -.signalingNaN)) == nil)
  }

  @Test func datesOutOfRangeBecomeItsEnds() {
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: .infinity)) == .max)
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: -.infinity)) == .min)
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: .greatestFiniteMagnitude)) == .max)
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: -1e300)) == .min)
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: 0x1p63)) == .max)
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: -0x1p63 - 0x1p31)) == .min)
    // The range is that of seconds since 1970: 31 years further down, seen from 2001.
    let lowest = Date(timeIntervalSinceReferenceDate: -0x1p63 - 2048)
    #expect(Timestamp(lowest) == Timestamp(seconds: .min + from1970To2001 - 2048))
    #expect(Timestamp.max.date.timeIntervalSinceReferenceDate == nearestInterval(.max))
    #expect(Timestamp.min.date.timeIntervalSinceReferenceDate == nearestInterval(.min))
  }

  @Test func theOriginsAgreeWithFoundation() {
    #expect(Timestamp(Date(timeIntervalSince1970: 0)) == Timestamp(seconds: 0))
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: 0)) == Timestamp(seconds: from1970To2001))
    #expect(Timestamp(Date(timeIntervalSince1970: -0.25)) == Timestamp(seconds: -1, nanoseconds: 750_000_000))
    #expect(Timestamp(seconds: 1, nanoseconds: 500_000_000).date == Date(timeIntervalSince1970: 1.5))
  }
}
