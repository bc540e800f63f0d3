import Dispatch
import FiefDurability
import FiefGraph
import FiefSessions
import FiefTestSupport
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
    let handler: OutboxHandler?
    var isReadOnly: Bool { false }

    init(_ handler: OutboxHandler? = nil) { self.handler = handler }
  }

  init(_ system: any FileSystem, label: String = "early") throws {
    var options = StoreOptions()
    options.fileSystem = system
    store = try Store(.file(Self.path), options) { stored in
      if let table = stored.graph.table(named: "Number") {
        return PreparedStore(Client(table.schema.key, table.schema.columns[0].key), changed: nil)
      }
      let transaction = Transaction(stored.graph)
      let table = try transaction.addTable("Number")
      let column = try transaction.addColumn(to: table, "value", ColumnType(.int))
      return PreparedStore(Client(table, column), changed: transaction.successor)
    }
    queue = DispatchQueue(label: label)
    client = unsafeDowncast(store.client, to: Client.self)
  }

  /// Runs `body` on the queue with its session.
  func onQueue<Result>(_ body: (Session) throws -> Result) rethrows -> Result {
    try queue.sync { try body(store.session(.of(queue), Options())) }
  }

  /// Commits a number early.
  ///
  /// - Returns: the version of the commit, if it was made.
  @discardableResult
  func commitEarly(lingers: Bool = false, marking disk: SimulatedDisk? = nil) throws -> UInt64 {
    try onQueue { session in
      try session.beginWrite()
      let version = try add(toOpenWriteOf: session)
      disk?.mark(.started(version))
      session.commitWriteLater(lingers: lingers) { failure in
        if failure == nil { disk?.mark(.acknowledged(version)) }
        self.told.withLock { $0.append((version, failure != nil)) }
      }
      return version
    }
  }

  /// Commits a number, and waits for the disk.
  func commit(marking disk: SimulatedDisk? = nil) throws {
    try onQueue { session in
      try session.beginWrite()
      let version = try add(toOpenWriteOf: session)
      disk?.mark(.started(version))
      try session.commitWrite()
      disk?.mark(.acknowledged(version))
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
