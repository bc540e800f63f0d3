import FiefGraph
import FiefObjects
import FiefQueries
import FiefSessions

extension ResultsStorage {
  /// Logs a query that was just evaluated, with its plan. The query is planned again for the message, and not
  /// evaluated.
  ///
  /// - Parameters:
  ///   - start: when the evaluation began; nil if the message would not be logged.
  ///   - count: how many elements were found.
  ///   - purpose: the purpose of the evaluation, with a space before it; empty for a query of the program.
  @inline(__always)
  func report(since start: LoggedTime?, counting count: Int, for purpose: String = "") {
    if let start { report(count, since: start, for: purpose) }
  }

  private func report(_ count: Int, since start: LoggedTime, for purpose: String) {
    guard let query else { return }
    session.report("Query\(purpose)", since: start) {
      let plan =
        if let rows = query.rows {
          session.read { rows.plan(in: $0) }
        } else {
          "Elements tested one by one: \(query.parsed)"
        }
      return "\(count) found. \(plan)"
    }
  }
}
