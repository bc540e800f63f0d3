import Testing

/// A source of choices that makes all combinations, one per round.
///
/// The body may ask any questions, and later questions may depend on earlier answers. Each round repeats the answers of
/// the previous one, except that the last question with an answer left gets its next answer:
///
///     round     1        2        3        4            questions of the body:
///     below(2)  0        0        0        1            let length = choices.below(2)
///     below(3)  0        1        2        (not asked)  if length == 0 { ... choices.below(3) ... }
///
/// So it counts like an odometer whose wheels are added while it runs. It reaches every combination exactly once and
/// keeps only one round in memory. The idea is that of TigerBeetle's `exhaustigen` (Kladov, "Generate All the Things",
/// 2021).
///
///     Exhaustive.walk { choices in
///       let bits = (0..<3).map { _ in choices.bool() }    // all eight
///     }
public struct Exhaustive: Choices {
  private struct Wheel {
    var answer: Int
    let bound: Int
  }

  private var wheels: [Wheel] = []
  private var asked = 0

  private init() {}

  /// The next answer of this round.
  ///
  /// - Parameter bound: The number of outcomes, at least 1. Traps otherwise. Also traps when the body asks another
  ///   question after the same answers as in the previous round: then it is not a function of its answers and cannot be
  ///   walked.
  public mutating func below(_ bound: Int) -> Int {
    guard bound > 0 else { fatalError("A choice of \(bound) outcomes does not exist.") }
    defer { asked += 1 }
    if asked == wheels.count {
      wheels.append(Wheel(answer: 0, bound: bound))
    } else if wheels[asked].bound != bound {
      fatalError("An exhaustive walk asked for \(bound) outcomes where it had asked for \(wheels[asked].bound) before.")
    }
    return wheels[asked].answer
  }

  /// Advances to the next round; `false` if this one was the last.
  private mutating func advance() -> Bool {
    while let last = wheels.popLast() {
      if last.answer + 1 < last.bound {
        wheels.append(Wheel(answer: last.answer + 1, bound: last.bound))
        return true
      }
    }
    return false
  }

  /// Runs the body once for every combination of answers. A failure names the round.
  ///
  /// - Parameters:
  ///   - limit: The maximal number of rounds. Traps beyond it, so that an accidentally large space is noticed.
  ///   - sourceLocation: The line to report: the caller's.
  ///   - body: The code to run. All differences between rounds must come from its argument.
  /// - Returns: The number of rounds.
  /// - Complexity: The product of the outcomes of all questions.
  @discardableResult
  public static func walk<Failure: Error>(
    limit: Int = 10_000_000, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (inout Exhaustive) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    var choices = Exhaustive()
    var rounds = 0
    try Circumstances.watching(sourceLocation) { () throws(Failure) in
      repeat {
        guard rounds < limit else { fatalError("An exhaustive walk has more than \(limit) rounds.") }
        rounds += 1
        choices.asked = 0
        try Circumstances.with("round \(rounds)") { () throws(Failure) in try body(&choices) }
      } while choices.advance()
    }
    return rounds
  }
}
