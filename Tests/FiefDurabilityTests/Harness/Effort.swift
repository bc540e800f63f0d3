import FiefTestSupport
import Foundation

/// The size of the crash tests.
///
/// | variable | meaning |
/// | --- | --- |
/// | `FIEF_NIGHT=1` | the figures of a night |
/// | `FIEF_SEED=n` | the story of this seed alone: replay |
/// | `FIEF_SEED_BASE=n` | stories from this seed on |
///
/// Debug builds are some ten times slower; they try a smaller figure, and print it.
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
