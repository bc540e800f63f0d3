/// A random number generator with the same sequence in every run. The algorithm is that of Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators" (2014), in the form that Vigna published.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// The random input of workloads, made before the clock starts.
enum Random {
  /// `count` numbers in 0..<limit.
  static func numbers(_ count: Int, below limit: Int, seed: UInt64) -> [Int] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in Int.random(in: 0..<limit, using: &generator) }
  }

  /// The numbers 0..<count in a random order.
  static func order(_ count: Int, seed: UInt64) -> [Int] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).shuffled(using: &generator)
  }
}
