#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Testing

/// The seeds of the random tests.
///
/// By default they are 1, 2, 3 ... on every machine and every day, so that a failure occurs for everyone. A short run
/// (see `Effort`) takes a third of them, and at least eight. The environment changes that:
///
/// | variable | meaning |
/// | --- | --- |
/// | `FIEF_SEED=n` | only this seed: replay |
/// | `FIEF_SEEDS=n` | n seeds for every random test, whatever number it requests: nightly runs |
/// | `FIEF_SEED_BASE=n` | count from n instead of 1: other seeds every night |
/// | `FIEF_SEED_TRACE=1` | print each seed on standard error before it runs: finds the one that crashes the process |
///
/// There are two ways to use them. The first is better, because the test runner then names the failing seed:
///
///     @Test(arguments: Seeds.all) func anyHistoryMatchesTheModel(seed: Seed) { var random = seed.random ... }
///
///     @Test func anyHistoryMatchesTheModel() { Seeds.run(count: 100) { seed, random in ... } }
public enum Seeds {
  /// Twenty seeds, eight in a short run, or those that the environment selects.
  public static var all: [Seed] { first(20) }

  /// The first seeds, or those that the environment selects.
  ///
  /// - Parameter count: The number of seeds in an ordinary run, at least 0.
  /// - Complexity: O(`count`).
  public static func first(_ count: Int) -> [Seed] {
    seeds(count: count, environment: ProcessInfo.processInfo.environment, effort: .current)
  }

  /// The first seeds, or those that the given environment selects. Traps if a variable is not a number, since a replay
  /// with other seeds than intended would mislead.
  ///
  /// - Parameters:
  ///   - count: The number of seeds in an ordinary run, at least 0.
  ///   - environment: Variables by name.
  ///   - effort: A short run takes fewer seeds.
  /// - Complexity: O(`count`).
  public static func seeds(
    count: Int, environment: [String: String], effort: Effort = .full
  ) -> [Seed] {
    func number(_ name: String) -> UInt64? {
      environment[name].map { text in
        guard let value = UInt64(text) else { fatalError("\(name) must be a number, not \"\(text)\".") }
        return value
      }
    }
    if let seed = number("FIEF_SEED") { return [Seed(seed)] }
    let base = number("FIEF_SEED_BASE") ?? 1
    let usual = effort == .short ? min(count, max(8, count / 3)) : count
    return (0..<(number("FIEF_SEEDS") ?? UInt64(usual))).map { Seed(base &+ $0) }
  }

  /// Runs the body with one seed after the other. It stops after the first seed that fails by a thrown error or a
  /// recorded issue. It then records an issue with the seed and the command to replay it.
  ///
  /// - Parameters:
  ///   - count: The number of seeds in an ordinary run.
  ///   - sourceLocation: The line to report: the caller's.
  ///   - body: The test. All its randomness must come from its second argument.
  /// - Throws: The error that the body throws.
  public static func run<Failure: Error>(
    count: Int = 20, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Seed, inout SeededRandom) throws(Failure) -> Void
  ) throws(Failure) {
    try Circumstances.watching(sourceLocation) { () throws(Failure) in
      let before = Circumstances.failures
      for seed in first(count) where Circumstances.failures == before {
        var random = seed.random
        try Circumstances.with("seed \(seed.testDescription)") { () throws(Failure) in try body(seed, &random) }
      }
    }
  }

  /// The asynchronous variant: runs the body with one seed after the other.
  ///
  /// - Parameters:
  ///   - count: The number of seeds in an ordinary run.
  ///   - isolation: The actor of the caller, on which the body runs.
  ///   - sourceLocation: The line to report: the caller's.
  ///   - body: The test. All its randomness must come from its second argument.
  /// - Throws: The error that the body throws.
  public static func run<Failure: Error>(
    count: Int = 20, isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Seed, inout SeededRandom) async throws(Failure) -> Void
  ) async throws(Failure) {
    try await Circumstances.watching(sourceLocation) { () async throws(Failure) in
      let before = Circumstances.failures
      for seed in first(count) where Circumstances.failures == before {
        var random = seed.random
        try await Circumstances.with("seed \(seed.testDescription)") { () async throws(Failure) in
          try await body(seed, &random)
        }
      }
    }
  }
}
