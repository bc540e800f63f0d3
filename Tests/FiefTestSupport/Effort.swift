#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How much a test tries: rounds of a random test, the length of a chain, the share of all crashes.
///
/// | variable | meaning |
/// | --- | --- |
/// | `FIEF_EFFORT=short` | the numbers of a debug build, in any build |
/// | `FIEF_NIGHT=1` | the numbers of a nightly run |
///
/// Code of a debug build is some ten times slower, so it tries less. A release build runs the long tests.
public enum Effort: Sendable {
  /// The numbers of a debug build.
  case short
  /// The numbers of a release build.
  case full
  /// The numbers of a nightly run.
  case night

  /// The effort of this process.
  public static let current = effort(isDebug: isDebug, environment: ProcessInfo.processInfo.environment)

  private static var isDebug: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// The effort that a build and an environment select. Traps if `FIEF_EFFORT` has an unknown value, since a run that
  /// tries less or more than intended would mislead.
  ///
  /// - Parameters:
  ///   - isDebug: Whether the tests were built for debugging.
  ///   - environment: Variables by name.
  public static func effort(isDebug: Bool, environment: [String: String]) -> Effort {
    if environment["FIEF_NIGHT"] == "1" { return .night }
    switch environment["FIEF_EFFORT"] {
    case nil: return isDebug ? .short : .full
    case "short"?: return .short
    case let other?: fatalError("FIEF_EFFORT must be \"short\" or not be set, not \"\(other)\".")
    }
  }

  /// The number for the effort of this process.
  ///
  /// - Parameters:
  ///   - debug: The number of a debug build.
  ///   - release: The number of a release build.
  ///   - night: The number of a nightly run; nil for that of a release build.
  public static func of<Number>(debug: Number, release: Number, night: Number? = nil) -> Number {
    switch current {
    case .short: debug
    case .full: release
    case .night: night ?? release
    }
  }

  /// More seeds than any test needs, or the one to replay.
  public static var seeds: [Seed] { Seeds.first(100_000) }

  /// The first seed, or the one to replay.
  public static var firstSeed: Seed { Seeds.first(1)[0] }
}
