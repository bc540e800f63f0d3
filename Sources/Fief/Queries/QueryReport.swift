import FiefGraph
import FiefQueries

extension ResultsCore {
  /// Tells of a query that was answered just now, with its plan; nothing when nobody heard when it began.
  ///
  /// - Parameter wanted: how many of the first elements were asked for; nil for all.
  func report(since start: LoggedTime?, counting count: Int, wanting wanted: Int? = nil) {
    guard let start, let query else { return }
    let time = start.words
    let plan =
      if let rows = query.rows {
        session.read { rows.explanation(in: $0, wanting: wanted ?? .max).description }
      } else if let union = query.union {
        session.read { union.explanation(in: $0) }
      } else {
        "elements tested one by one: \(query.parsed)"
      }
    // Conditions can be of any length, messages are not.
    let words = String(decoding: plan.replacing("\n", with: " ").utf8.prefix(3000), as: UTF8.self)
    let place = "\(session.store.words) on \(session.confinement.words), version \(session.graph.version)"
    Logger.tell(.debug, "Query of \(place): \(count) found; \(time). \(words)")
  }
}
