#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Testing

/// Which seeds the random tests run with.
///
/// Without a word they are 1, 2, 3 ...: the same on every machine and every day, so that a red build is red for
/// everyone. The environment changes that:
///
/// | variable | meaning |
/// | --- | --- |
/// | `FIEF_SEED=n` | this seed and no other: replay |
/// | `FIEF_SEEDS=n` | n seeds for every random test, whatever it asked for: night runs |
/// | `FIEF_SEED_BASE=n` | count from n on instead of 1: another night, other seeds |
/// | `FIEF_SEED_TRACE=1` | name each seed on standard error before it runs: finds the one that crashes the process |
///
/// There are two ways to use them, and the first is better because the runner itself then names the failing seed:
///
///     @Test(arguments: Seeds.all) func anyHistoryMatchesTheModel(seed: Seed) { var random = seed.random ... }
///
///     @Test func anyHistoryMatchesTheModel() { Seeds.run(count: 100) { seed, random in ... } }
public enum Seeds {
  /// Twenty seeds, or what the environment says.
  public static var all: [Seed] { first(20) }

  /// So many seeds, or what the environment says.
  ///
  /// - Parameter count: How many seeds an ordinary run takes, at least 0.
  /// - Complexity: O(`count`).
  public static func first(_ count: Int) -> [Seed] {
    seeds(count: count, environment: ProcessInfo.processInfo.environment)
  }

  /// So many seeds, or what a given environment says. A value that is no number traps: a replay that silently runs
  /// something else would be believed.
  ///
  /// - Parameters:
  ///   - count: How many seeds an ordinary run takes, at least 0.
  ///   - environment: Variables by name.
  /// - Complexity: O(`count`).
  public static func seeds(count: Int, environment: [String: String]) -> [Seed] {
    func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
      environment[name].map { text in
        guard let value = Number(text) else { fatalError("\(name) must be a number, not \"\(text)\".") }
        return value
      }
    }
    if let seed: UInt64 = number("FIEF_SEED") { return [Seed(seed)] }
    let base: UInt64 = number("FIEF_SEED_BASE") ?? 1
    let count: Int = number("FIEF_SEEDS") ?? count
    return (0..<UInt64(count)).map { Seed(base &+ $0) }
  }

  /// Runs the body with one seed after the other and stops after the first that fails, by a thrown error or by a
  /// recorded issue; an issue that names the seed and the command to replay it is recorded then.
  ///
  /// - Parameters:
  ///   - count: How many seeds an ordinary run takes.
  ///   - sourceLocation: The line to blame: the caller's.
  ///   - body: The test; everything random in it must come from its second argument.
  /// - Throws: What the body throws.
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

  /// Runs an asynchronous body with one seed after the other, as the plain form does.
  ///
  /// - Parameters:
  ///   - count: How many seeds an ordinary run takes.
  ///   - isolation: The actor to stay on: the caller's.
  ///   - sourceLocation: The line to blame: the caller's.
  ///   - body: The test; everything random in it must come from its second argument.
  /// - Throws: What the body throws.
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
