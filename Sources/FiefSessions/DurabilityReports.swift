import Synchronization

/// The reports about a session's commits that its executor has yet to receive, in order.
///
///     synchronizer: add, add, add ──▶ one block is scheduled ──▶ executor: deliver ──▶ the next block is scheduled
///
/// One synchronization brings many reports. If each woke the executor, that would take longer than their commits. So a
/// block is scheduled from elsewhere only when no report waits; the executor schedules the further ones itself. Each
/// report has a block of its own: one that runs a nested run loop does not hold up the others.
final class DurabilityReports: Sendable {
  struct Report {
    let number: OperationNumber
    /// Nil when the commit is durable.
    let failure: (any Error)?
  }

  private let waiting = Mutex<ArraySlice<Report>>([])

  /// Adds a report.
  ///
  /// - Returns: whether a block has to be scheduled.
  func add(_ report: Report) -> Bool {
    waiting.withLock { waiting in
      waiting.append(report)
      return waiting.count == 1
    }
  }

  /// Takes the first report.
  ///
  /// - Returns: the report, and whether another block has to be scheduled; nil when there is no report.
  func take() -> (report: Report, more: Bool)? {
    waiting.withLock { waiting in
      guard let report = waiting.popFirst() else { return nil }
      return (report, !waiting.isEmpty)
    }
  }

  /// Drops all reports, as nobody can receive them.
  func drop() { waiting.withLock { $0 = [] } }
}
