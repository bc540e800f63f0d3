import Dispatch
import FiefDurability
import FiefGraph
import FiefSessions
import FiefTestSupport

/// A store that keeps versions, with one session on a queue of its own.
final class HistoryStage {
  static let path = "\(SimulatedDisk.folder)/versions.realm"

  let store: Store
  private let queue = DispatchQueue(label: "history")

  private final class Client: StoreClient {
    func explain(_ error: any Error) -> any Error { error }
  }

  /// - Parameter first: the contents of version 1, if the store is new.
  init(
    _ system: any FileSystem, _ limits: HistoryLimits?, isReadOnly: Bool = false, waitsForDisk: Bool = true,
    first: Graph
  ) throws {
    var options = StoreOptions()
    options.fileSystem = system
    options.history = limits
    options.isReadOnly = isReadOnly
    options.waitsForDisk = waitsForDisk
    store = try Store(.file(Self.path), options) { stored in
      guard stored.isNew else { return PreparedStore(Client(), changed: nil) }
      let transaction = Transaction(stored.graph)
      try transaction.apply(Delta(from: .empty, to: first))
      return PreparedStore(Client(), changed: transaction.successor)
    }
  }

  private func onQueue<Result>(_ body: (Session) throws -> Result) rethrows -> Result {
    try queue.sync { try body(store.session(.of(queue), EarlyCommits.Options())) }
  }

  /// The latest version.
  var latest: Graph { store.published.current }

  /// The version of a number, if it is kept or the latest.
  func version(_ number: UInt64) -> Graph? {
    onQueue { session in
      _ = session.refresh()
      return session.version(number)
    }
  }

  /// Commits a change, and returns the latest version.
  @discardableResult
  func commit(_ change: (Transaction) throws -> Void) throws -> Graph {
    try onQueue { session in
      try session.beginWrite()
      session.perform { try change($0) }
      try session.commitWrite()
    }
    return latest
  }

  func compact() throws { try store.compact() }
}

/// What the versions of a store were, and which of them must be known.
struct HistoryOracle {
  /// The versions by number, from 0.
  private(set) var versions: [Graph] = [.empty]
  /// When each was replaced.
  private(set) var times: [UInt64] = []
  /// The first version that the history may reach from each version: changes of tables end it.
  private(set) var beginnings: [UInt64] = [0]

  /// Notes the latest version; the same one again is ignored.
  mutating func note(_ graph: Graph, at time: UInt64) {
    guard let last = versions.last, graph.version == versions.count else { return }
    let isSame = last.schema.tables.allSatisfy { table in graph.schema.table(table.key) == table }
    beginnings.append(isSame ? beginnings[versions.count - 1] : graph.version)
    versions.append(graph)
    times.append(time)
  }

  /// The version of a number that must be known when another is the latest; nil if none must be.
  func known(_ number: UInt64, at latest: UInt64, _ limits: HistoryLimits, now: UInt64) -> Graph? {
    guard number < latest, number >= beginnings[Int(latest)] else { return nil }
    if let versions = limits.versions, latest - number > versions { return nil }
    // All later versions must be within the age, too; the clock does not go back here.
    if let age = limits.age, Double(now - times[Int(number)]) > age * 1000 { return nil }
    return versions[Int(number)]
  }

  /// The fault of a store whose latest version is one of these; nil if it knows what it must and nothing else.
  ///
  /// - Parameter isLazy: whether only the latest version and a few others are asked for.
  func fault(
    of stage: HistoryStage, _ limits: HistoryLimits, now: UInt64, asking numbers: [UInt64]? = nil
  ) -> String? {
    let latest = stage.latest
    guard latest.version < versions.count, latest == versions[Int(latest.version)] else {
      return "version \(latest.version) is not as it was"
    }
    for number in numbers ?? Array(0..<latest.version) {
      let found = stage.version(number)
      let expected = known(number, at: latest.version, limits, now: now)
      if (found == nil) != (expected == nil) {
        return "version \(number), seen from \(latest.version), is \(found == nil ? "not known" : "still known")"
      }
      if let found, let expected, found != expected || found.version != number {
        return "version \(number), seen from \(latest.version), is not as it was"
      }
      if let fault = found?.checkInvariants().first { return "version \(number) is unsound: \(fault)" }
    }
    return nil
  }
}

/// Small random changes of a table of notes.
struct Notes {
  let table: TableKey
  let number: ColumnKey
  let text: ColumnKey
  let others: ColumnKey
  /// A version with the table.
  let first: Graph

  init() throws {
    let transaction = Transaction(.empty)
    table = try transaction.addTable("Note")
    number = try transaction.addColumn(to: table, "number", ColumnType(.int))
    text = try transaction.addColumn(to: table, "text", ColumnType(.string))
    others = try transaction.addColumn(to: table, "others", .link(to: table, shape: .list))
    try transaction.addIndex(IndexDefinition([text]), to: table)
    first = transaction.graph
  }

  /// Makes one to three changes.
  func change(_ transaction: Transaction, _ random: inout SeededRandom) throws {
    for _ in 0...random.below(3) {
      var keys: [ObjectKey] = []
      transaction.graph[table]?.rows.forEach { chunk, cluster in
        cluster.live.forEach { keys.append(ObjectKey(chunk: chunk, bit: $0)) }
        return true
      }
      guard keys.count > 2 else {
        try transaction.create(in: table) { try $0.set("new", text) }
        continue
      }
      let key = random.element(of: keys)
      switch random.below(6) {
      case 0: try transaction.delete(ObjectLink(table, key))
      case 1: try transaction.set(Int(random.below(1000)), Cell(table, key, number))
      case 2: try transaction.set(.string("t\(random.below(9))"), Cell(table, key, text))
      case 3:
        try transaction.insert(
          .link(ObjectLink(table, random.element(of: keys))), at: 0, inList: Cell(table, key, others))
      case 4: try transaction.removeAll(from: Cell(table, key, others))
      default: try transaction.create(in: table) { try $0.set("more", text) }
      }
    }
  }
}
