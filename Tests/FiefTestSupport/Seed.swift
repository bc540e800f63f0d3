import Testing

/// A number that replays a random test. Its test description contains the command that does so.
public struct Seed: Hashable, Sendable, Codable, CustomStringConvertible, CustomTestStringConvertible {
  /// The number.
  public let value: UInt64

  /// The seed with that number.
  public init(_ value: UInt64) {
    self.value = value
  }

  /// A new generator at the start of this seed's stream.
  public var random: SeededRandom {
    trace()
    return SeededRandom(seed: value)
  }

  /// The number as a string.
  public var description: String {
    String(value)
  }

  /// The number and the command that replays it. Swift Testing prints this beside the name of a test that takes seeds
  /// as arguments.
  public var testDescription: String {
    "\(value) (replay: \(replayCommand))"
  }

  /// The command that runs the current test with this seed only.
  public var replayCommand: String {
    let name = Test.current.map { " --filter \($0.name.prefix { $0 != "(" })" } ?? ""
    return "FIEF_SEED=\(value) swift test\(name)"
  }
}
