import FiefGraph
import FiefValues
import Foundation

/// A document that waits for its delivery. This room does not look into it.
package struct OutboxMessage: Sendable {
  /// The row, and so the number of the document.
  package let key: ObjectKey
  /// The line in which it waits.
  package let line: String
  package let className: String
  package let created: Timestamp
  package let payload: Data

  /// A document that has no row yet.
  package init(line: String, className: String, created: Timestamp, payload: Data) {
    self.init(key: ObjectKey(-1), line: line, className: className, created: created, payload: payload)
  }

  init(key: ObjectKey, line: String, className: String, created: Timestamp, payload: Data) {
    self.key = key
    self.line = line
    self.className = className
    self.created = created
    self.payload = payload
  }
}

/// The way of a session's documents.
package struct OutboxLine: Sendable {
  /// Documents of lines with other names are delivered independently.
  package let name: String
  /// The maximum number of documents of the store that may wait; nil for no limit.
  package let limit: Int?
  /// Receives the documents of the line; nil while another opening of the store, or of a later process, does.
  package let handler: OutboxHandler?

  package init(name: String, limit: Int?, handler: OutboxHandler?) {
    self.name = name
    self.limit = limit
    self.handler = handler
  }
}

/// A receiver of documents. Its identity decides whether two openings of a store have the same receiver.
package final class OutboxHandler: Sendable {
  let call: @Sendable ([OutboxMessage]) async throws -> Void

  package init(_ call: @escaping @Sendable ([OutboxMessage]) async throws -> Void) { self.call = call }
}
