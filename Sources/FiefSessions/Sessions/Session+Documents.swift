import FiefGraph
import FiefValues
import Foundation

extension Session {
  /// Adds a document to the write. It is delivered when the write is committed and durable.
  ///
  /// - Throws: `.outboxFull`; a `GraphError` for a document that is too large.
  package func send(_ payload: Data, className: String, created: Timestamp, _ transaction: Transaction) throws {
    let line = options.outbox
    assert(transaction === self.transaction, "A document belongs to the write of its session.")
    guard let table = transaction.read({ OutboxTable($0.table(named: TableSchema.outboxName)) }) else {
      throw SessionError(.fail, "The store has no outbox: open it with the asymmetric class among its classes.")
    }
    let count = transaction.read { $0[table.key]?.count ?? 0 }
    if let limit = line.limit, count >= limit {
      throw SessionError(
        .outboxFull,
        "Object of class '\(className)' cannot be handed over: \(count) documents wait, and outboxLimit allows "
          + "\(limit). Set an ingestHandler that accepts them, or raise the limit.")
    }
    try table.insert(
      OutboxMessage(line: line.name, className: className, created: created, payload: payload), transaction)
    sends = true
  }
}
