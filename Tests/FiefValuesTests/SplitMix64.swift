import Foundation

/// A small random generator with a seed that can be printed and reused (Steele, Lea, Flood 2014).
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

/// The seed of this run: `FIEF_SEED` in the environment, or a new one. Tests print it in the comments of failures.
let runSeed: UInt64 = {
  let given = ProcessInfo.processInfo.environment["FIEF_SEED"].flatMap { UInt64($0) }
  return given ?? UInt64.random(in: .min ... .max)
}()
