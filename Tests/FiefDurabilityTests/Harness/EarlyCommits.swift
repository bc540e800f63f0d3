import Dispatch
import FiefDurability
import FiefGraph
import FiefSessions
import FiefTestSupport
import FiefValues
import Foundation
import Synchronization
import Testing

/// A store of numbers on a simulated disk, with one session on a queue of its own.
///
/// The first version declares the table; version *v* holds *v* - 1 numbers.
final class EarlyCommits: Sendable {
  static let path = "\(SimulatedDisk.folder)/numbers.realm"

  let store: Store
  let queue: DispatchQueue
  /// The versions whose completions were called, with whether they failed.
  let told = Mutex<[(version: UInt64, hasFailed: Bool)]>([])
  private let client: Client

  private final class Client: StoreClient {
    let table: TableKey
    let column: ColumnKey

    init(_ table: TableKey, _ column: ColumnKey) {
      self.table = table
      self.column = column
    }

    func explain(_ error: any Error) -> any Error { error }
  }

  final class Options: SessionOptions {
    let outbox: OutboxLine
    var isReadOnly: Bool { false }

    init(_ handler: OutboxHandler? = nil) { outbox = OutboxLine(name: "", limit: nil, handler: handler) }
  }

  /// - Parameters:
  ///   - waitsForDisk: whether `commit` waits for the disk.
  ///   - isReadOnly: whether the store follows the commits of another, and makes none.
  ///   - patience: how long it waits for other processes that have the file open, in milliseconds; nil to be alone.
  ///   - history: how many earlier versions it keeps; nil for none.
  ///   - handler: the receiver of documents, if there are any.
  init(
    _ system: any FileSystem, label: String = "early", waitsForDisk: Bool = true, isReadOnly: Bool = false,
    patience: Int? = nil, history: HistoryLimits? = nil, handler: OutboxHandler? = nil
  ) throws {
    var options = StoreOptions()
    options.fileSystem = system
    options.waitsForDisk = waitsForDisk
    options.isReadOnly = isReadOnly
    options.patience = patience
    options.history = history
    store = try Store(.file(Self.path), options) { stored in
      if let table = stored.graph.table(named: "Number") {
        return PreparedStore(Client(table.schema.key, table.schema.columns[0].key), changed: nil)
      }
      let transaction = Transaction(stored.graph)
      let table = try transaction.addTable("Number")
      let column = try transaction.addColumn(to: table, "value", ColumnType(.int))
      try SchemaLayout([OutboxTable.declaration], over: transaction.graph, .sameVersion).apply(to: transaction)
      return PreparedStore(Client(table, column), changed: transaction.successor)
    }
    queue = DispatchQueue(label: label)
    client = unsafeDowncast(store.client, to: Client.self)
    try store.attach(Options(handler).outbox)
  }

  /// Runs `body` on the queue with its session.
  func onQueue<Result>(_ body: (Session) throws -> Result) rethrows -> Result {
    try queue.sync { try body(store.session(.of(queue), Options())) }
  }

  /// Commits a number early.
  ///
  /// - Returns: the version of the commit, if it was made.
  @discardableResult
  func commitEarly(isGrouped: Bool = false, marking disk: SimulatedDisk? = nil) throws -> UInt64 {
    try onQueue { session in
      try session.beginWrite()
      let version = try add(toOpenWriteOf: session)
      disk?.mark(.started(version))
      session.commitWriteLater(isGrouped ? .grouped : .now) { failure in
        if failure == nil { disk?.mark(.acknowledged(version)) }
        self.told.withLock { $0.append((version, failure != nil)) }
      }
      return version
    }
  }

  /// Commits a number, and waits for the disk if the store does.
  func commit(marking disk: SimulatedDisk? = nil) throws {
    try onQueue { session in
      try session.beginWrite()
      let version = try add(toOpenWriteOf: session)
      disk?.mark(.started(version))
      try session.commitWrite()
      disk?.mark(.acknowledged(version))
    }
  }

  /// Commits a number, and a document that is the same if there is to be one.
  ///
  /// - Parameter completion: receives the result of an early commit.
  func send(
    _ number: Int, isEarly: Bool, isGrouped: Bool = false, withDocument: Bool = true,
    _ completion: @escaping @Sendable ((any Error)?) -> Void = { _ in }
  ) throws {
    try onQueue { session in
      try session.beginWrite()
      session.perform { transaction in
        let key = try transaction.create(in: client.table)
        try transaction.set(number, Cell(client.table, key, client.column))
        guard withDocument else { return }
        try session.send(Data("\(number)".utf8), className: "Number", created: .init(seconds: 0), transaction)
      }
      if isEarly {
        session.commitWriteLater(isGrouped ? .grouped : .now, completion)
      } else {
        try session.commitWrite()
      }
    }
  }

  /// The numbers of the documents that wait in a version, in their order.
  static func waiting(_ graph: Graph) -> [Int64] {
    guard let table = graph.table(named: TableSchema.outboxName) else { return [] }
    return (0..<table.nextKey).compactMap { key in
      guard case .data(let bytes)? = table.value(ObjectKey(rawValue: key), leaf: 3) else { return nil }
      return Int64(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Adds the number of the version that an open write makes.
  func add(toOpenWriteOf session: Session) throws -> UInt64 {
    let version = session.perform { transaction in
      let key = try transaction.create(in: client.table)
      let version = transaction.base.version + 1
      try transaction.set(Int(version), Cell(client.table, key, client.column))
      return version
    }
    return try #require(version)
  }

  /// The numbers in a version of a store like this one.
  static func numbers(_ graph: Graph) -> [Int64] {
    guard let table = graph.table(named: "Number") else { return [] }
    let column = table.schema.columns[0].key
    return (0..<table.nextKey).compactMap { key in
      guard case .int(let number)? = graph.value(Cell(table.schema.key, ObjectKey(rawValue: key), column)) else {
        return nil
      }
      return number
    }
  }
}

/// Holds up the synchronizations of a disk until it is opened.
final class Barricade: Sendable {
  private let state = Mutex((isShut: false, waiting: [DispatchSemaphore]()))

  func shut() { state.withLock { $0.isShut = true } }

  func open() {
    let waiting = state.withLock { state in
      state.isShut = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for one in waiting { one.signal() }
  }

  /// The number of synchronizations that are held up.
  var count: Int { state.withLock { $0.waiting.count } }

  /// The gate of a simulated process.
  func pass(_ operation: FileFailure.Operation) {
    guard operation == .synchronize else { return }
    let turn: DispatchSemaphore? = state.withLock { state in
      if !state.isShut { return nil }
      let turn = DispatchSemaphore(value: 0)
      state.waiting.append(turn)
      return turn
    }
    turn?.wait()
  }
}
