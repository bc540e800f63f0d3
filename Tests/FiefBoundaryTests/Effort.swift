import FiefTestSupport
import Foundation

/// The number of runs of the crash tests.
///
/// | variable | meaning |
/// | --- | --- |
/// | `FIEF_NIGHT=1` | the numbers of a nightly run |
/// | `FIEF_SEED=n` | only the run of this seed: replay |
/// | `FIEF_SEED_BASE=n` | runs from this seed on |
///
/// Debug builds are about ten times slower. They use smaller numbers, and print them.
enum Effort {
  static let isNight = ProcessInfo.processInfo.environment["FIEF_NIGHT"] == "1"

  static func of(debug: Int, release: Int, night: Int) -> Int {
    if isNight { return night }
    #if DEBUG
      return debug
    #else
      return release
    #endif
  }

  /// More seeds than any test needs, or the one to replay.
  static var seeds: [Seed] { Seeds.first(100_000) }

  static var firstSeed: Seed { Seeds.first(1)[0] }
}
