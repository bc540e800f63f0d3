import FiefGraph

/// A guided run of the graph kernel.
///
///     step ── does something ──▶ line: what was done, and what is found in the graph afterwards
///                                      │
///                                      └─ compared with what the text claims: a false claim ends the tour
///
/// It stores nothing outside this process, and says the same in every run.
final class Tour {
  /// The line of versions that the steps publish.
  let published = PublishedGraph()
  /// A version that a step keeps, to be laid beside a later one.
  var kept = Graph.empty
  /// The tables; those of an empty graph until the first step has declared them.
  var tables = TourTables.undeclared
  private(set) var claims = 0
  private(set) var text = ""

  static let steps: [TourStep] = [
    .declaring, .creating, .relating, .embedding, .updating, .undoing, .refusing, .deleting, .comparing, .proving,
  ]

  /// Walks through all steps, and shows what they said.
  static func run(_ terminal: Terminal) -> ExitCode {
    let tour = Tour()
    do {
      for (number, step) in steps.enumerated() {
        tour.text += "\(number == 0 ? "" : "\n")\(number + 1). \(step.title)\n"
        try step.body(tour)
      }
    } catch {
      terminal.say(tour.text)
      terminal.complain("fief: \(error)")
      return .fault
    }
    terminal.say(
      tour.text + "\nWhat stands on the right was read from the graph: \(tour.claims) claims checked, all true.")
    return .done
  }

  // MARK: What steps do

  /// The latest version.
  var graph: Graph { published.current }

  /// Does `body` in a transaction and publishes the result.
  @discardableResult
  func write<Result>(_ body: (Transaction) throws -> Result) throws -> Result {
    let transaction = published.begin()
    let result = try body(transaction)
    try published.publish(transaction)
    return result
  }

  /// A line: what was done, and what is found now, which must be what is claimed.
  ///
  /// - Throws: `FalseClaim` when it is not.
  func show(_ deed: String, _ found: String, claim: String) throws {
    guard found == claim else { throw FalseClaim(deed: deed, found: found, claim: claim) }
    claims += 1
    line(deed, found)
  }

  /// A line without a claim of its own: a deed, and what is to be said beside it.
  func line(_ deed: String, _ words: String = "") {
    if words.isEmpty { text += "   \(deed)\n" }
    for (number, line) in (words.isEmpty ? [] : words.lines(of: 52)).enumerated() {
      text += "   \((number == 0 ? deed : "").padded(to: 42))  \(line)\n"
    }
  }
}

/// One step of the tour.
struct TourStep: Sendable {
  let title: String
  let body: @Sendable (Tour) throws -> Void
}

/// The graph is not what the tour says of it.
struct FalseClaim: Error, CustomStringConvertible {
  let deed: String
  let found: String
  let claim: String

  var description: String { "After '\(deed)' the tour claims '\(claim)', and finds '\(found)'." }
}
