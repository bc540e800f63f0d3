/// A random number generator that gives the same numbers for a seed on every platform and in every release.
///
/// The standard library's own functions (`Int.random(in:using:)`, `shuffle(using:)`) may draw another number of values
/// in another toolchain. The functions here do not, so a seed replays the same run later. The generator is not secure.
///
/// The algorithm is SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
public struct SeededRandom: RandomNumberGenerator, Choices, Sendable {
  private var state: UInt64

  /// A generator at the start of the stream of `seed`. Neighbouring seeds give unrelated streams.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from `0` to `bound - 1`, without bias (Lemire, "Fast Random Integer Generation in an Interval", 2019).
  ///
  /// - Parameter bound: The number of outcomes, at least 1. Traps otherwise.
  public mutating func below(_ bound: Int) -> Int {
    guard bound > 0 else { fatalError("A random number below \(bound) does not exist.") }
    let bound = UInt64(bound)
    var product = next().multipliedFullWidth(by: bound)
    if product.low < bound {
      let rejected = (0 &- bound) % bound
      while product.low < rejected {
        product = next().multipliedFullWidth(by: bound)
      }
    }
    return Int(product.high)
  }

  /// `true` with the given probability.
  ///
  /// - Parameter probability: From 0 (never) to 1 (always).
  public mutating func bool(_ probability: Double) -> Bool {
    unit() < probability
  }

  /// A number from 0 up to, but not including, 1.
  public mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// An independent generator, for a part of a test that must not change the numbers of the rest.
  public mutating func split() -> SeededRandom {
    SeededRandom(seed: next())
  }
}
