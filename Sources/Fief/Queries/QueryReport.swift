import FiefGraph
import FiefQueries

extension ResultsCore {
  /// Tells of a query that was answered just now, with its plan; nothing when nobody heard when it began. It is planned
  /// once more for that, and not answered.
  ///
  /// - Parameter purpose: what it was answered for, with a space before it; empty where somebody asked.
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
        } else if let union = query.union {
          session.read { union.plan(in: $0) }
        } else {
          "Elements tested one by one: \(query.parsed)"
        }
      return "\(count) found. \(plan)"
    }
  }
}

extension Session {
  /// Tells of work that was done just now; nothing when nobody heard when it began.
  ///
  /// - Parameters:
  ///   - kind: what was done.
  ///   - words: what came out, and how. Cut where it is long: conditions and names can be of any length, messages not.
  func report(_ kind: String, since start: LoggedTime?, _ words: () -> String) {
    guard let start else { return }
    let time = start.words
    let cut = String(decoding: words().utf8.prefix(3000), as: UTF8.self)
    Logger.tell(
      .debug, "\(kind) of \(store.words) on \(confinement.words), version \(graph.version); \(time): \(cut)")
  }
}
