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

extension Session {
  /// Logs work that was just done.
  ///
  /// - Parameters:
  ///   - kind: the kind of work.
  ///   - start: when the work began; nil if the message would not be logged.
  ///   - words: the result and the way to it. Cut after 3000 bytes: conditions and names can be of any length.
  func report(_ kind: String, since start: LoggedTime?, _ words: () -> String) {
    guard let start else { return }
    let time = start.words
    let cut = String(decoding: words().utf8.prefix(3000), as: UTF8.self)
    Logger.log(
      .debug, "\(kind) of \(store.words) on \(confinement.words), version \(graph.version); \(time): \(cut)")
  }
}
