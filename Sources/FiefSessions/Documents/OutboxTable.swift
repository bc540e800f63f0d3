import FiefGraph

/// The rows in which documents wait for their delivery, in the order of their creation.
///
///     fief.outbox    key     line   class       created   payload
///                    0       ""     Sighting    …         …
///                    1       ""     Sighting    …         …
///
/// The key of a row is never assigned again, so it numbers the documents of a store. The row belongs to the write that
/// creates the document: a savepoint, a rollback and a crash treat both alike.
package struct OutboxTable {
  /// The name of the table.
  package static let declaration = TableDeclaration(
    name: TableSchema.outboxName, kind: .asymmetric,
    columns: [
      ColumnDeclaration("line", ColumnType(.string)), ColumnDeclaration("class", ColumnType(.string)),
      ColumnDeclaration("created", ColumnType(.date)), ColumnDeclaration("payload", ColumnType(.data)),
    ])

  let key: TableKey
  private let line: ColumnKey
  private let className: ColumnKey
  private let created: ColumnKey
  private let payload: ColumnKey
  private let leaves: (line: Int, className: Int, created: Int, payload: Int)

  /// The table of a version; nil when none was declared.
  init?(_ table: Table?) {
    guard let schema = table?.schema else { return nil }
    func find(_ name: String) -> Int? { schema.columns.firstIndex { $0.name == name } }
    guard let line = find("line"), let className = find("class"), let created = find("created"),
      let payload = find("payload")
    else { return nil }
    key = schema.key
    leaves = (line, className, created, payload)
    self.line = schema.columns[line].key
    self.className = schema.columns[className].key
    self.created = schema.columns[created].key
    self.payload = schema.columns[payload].key
  }

  /// Adds a row for a document.
  func insert(_ message: OutboxMessage, _ transaction: Transaction) throws {
    assert(message.key.rawValue < 0, "A document gets its row once.")
    try transaction.create(in: key) { row in
      try row.set(.string(message.line), line)
      try row.set(.string(message.className), className)
      try row.set(.date(message.created), created)
      try row.set(.data(message.payload), payload)
    }
  }

  /// The documents of a line, from a key on.
  ///
  /// - Parameters:
  ///   - end: the key before which they are.
  ///   - limit: the maximum number of documents.
  func messages(
    in table: Table, of name: String, from first: ObjectKey, upTo end: ObjectKey, limit: Int
  ) -> [OutboxMessage] {
    var found: [OutboxMessage] = []
    assert(limit > 0 && table.schema.key == key, "Some documents of this table are wanted.")
    table.forEachRow(from: first) { key, cluster, slot in
      guard key < end else { return false }
      func value(_ leaf: Int) -> Value { cluster[leaf: leaf].value(at: slot, as: table.schema.columns[leaf].type) }
      guard case .string(name) = value(leaves.line) else { return true }
      guard case .string(let className) = value(leaves.className), case .date(let created) = value(leaves.created),
        case .data(let payload) = value(leaves.payload)
      else { fatalError("The columns of the outbox have other types than its declaration.") }
      found.append(OutboxMessage(key: key, line: name, className: className, created: created, payload: payload))
      return found.count < limit
    }
    return found
  }
}
