import FiefGraph
import FiefSessions
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// A floor above sessions that knows no classes: one table with one column of integers.
final class PlainClient: StoreClient {
  let table: TableKey
  let column: ColumnKey

  init(_ table: TableKey, _ column: ColumnKey) {
    self.table = table
    self.column = column
  }

  func explain(_ error: any Error) -> any Error { Explained(words: "\(error)") }

  /// An error as the client names it.
  struct Explained: Error, Equatable {
    let words: String
  }
}

/// Options without a handler of documents or with one.
final class PlainOptions: SessionOptions {
  let isReadOnly: Bool
  let outbox: OutboxLine

  init(isReadOnly: Bool = false, line: String = "", limit: Int? = nil, handler: OutboxHandler? = nil) {
    self.isReadOnly = isReadOnly
    outbox = OutboxLine(name: line, limit: limit, handler: handler)
  }
}

extension Store {
  /// Opens a store with one table of numbers.
  static func ofNumbers(
    _ identity: Identity = .memory(UUID().uuidString), _ options: StoreOptions = StoreOptions()
  ) throws -> Store {
    try Store(identity, options) { stored in
      let transaction = Transaction(stored.graph)
      if let table = stored.graph.table(named: "Number") {
        return PreparedStore(
          PlainClient(table.schema.key, table.schema.columns[0].key), changed: nil, tables: [table.schema])
      }
      let table = try transaction.addTable("Number")
      let column = try transaction.addColumn(to: table, "value", ColumnType(.int))
      try SchemaLayout([OutboxTable.declaration], over: transaction.graph, .sameVersion).apply(to: transaction)
      return PreparedStore(PlainClient(table, column), changed: transaction.successor)
    }
  }

  var numbers: PlainClient { unsafeDowncast(client, to: PlainClient.self) }
}

extension Session {
  /// Adds a row with a number. Requires a write in progress.
  @discardableResult
  func add(_ number: Int) throws -> ObjectKey {
    let client = store.numbers
    checkWriting("A number was added")
    let key = perform { transaction in
      let key = try transaction.create(in: client.table)
      try transaction.set(number, Cell(client.table, key, client.column))
      return key
    }
    return try #require(key)
  }

  /// Runs a block in a write.
  func write(_ block: (Session) throws -> Void) throws {
    try beginWrite()
    try finishWrite { try block(self) }
  }

  /// The cell with the number of a row.
  func cell(_ key: ObjectKey) -> Cell { Cell(store.numbers.table, key, store.numbers.column) }

  /// Sets the number of a row. Requires a write in progress.
  func set(_ number: Int, of key: ObjectKey) throws {
    checkWriting("A number was set")
    perform { try $0.set(number, cell(key)) }
  }

  /// Deletes a row. Requires a write in progress.
  func remove(_ key: ObjectKey) throws {
    checkWriting("A number was removed")
    perform { try $0.delete(cell(key).object) }
  }

  /// The number of a row, as a read that is noted for the running tracking scope; nil when there is no such row.
  func number(of key: ObjectKey) -> Int64? {
    noteRead(cell(key))
    return read { graph in
      guard case .int(let number)? = graph.value(cell(key)) else { return nil }
      return number
    }
  }

  /// Adds a document to the write in progress.
  func send(_ words: String) {
    perform { try send(Data(words.utf8), className: "Word", created: .init(seconds: 0), $0) }
  }

  /// The documents that wait, as the write in progress or the shown version has them.
  var waiting: [String] {
    read { graph in
      guard let table = graph.table(named: TableSchema.outboxName) else { return [] }
      return (0..<table.nextKey).compactMap { key in
        guard case .data(let bytes)? = table.value(ObjectKey(rawValue: key), leaf: 3) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// The numbers of all rows, in the order of their keys.
  var numbers: [Int64] {
    let client = store.numbers
    return read { graph in
      (0..<(graph[client.table]?.nextKey ?? 0)).compactMap { key in
        guard case .int(let number)? = graph.value(Cell(client.table, ObjectKey(rawValue: key), client.column)) else {
          return nil
        }
        return number
      }
    }
  }
}
