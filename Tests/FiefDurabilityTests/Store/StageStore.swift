import FiefDurability
import FiefGraph
import FiefTestSupport

/// A store with one table, for tests that check its contents: each commit after the first adds a row.
final class StageStore {
  static let path = SimulatedDisk.folder + "/stage.realm"
  static let journal = path + ".journal"

  let file: StoreFile
  let stored: StoredVersion
  private(set) var graph: Graph

  /// Opens the store on a simulated disk.
  convenience init(_ process: SimulatedProcess) throws(StoreError) { try self.init(Self.path, process) }

  /// Opens the store on any file system.
  ///
  /// - Parameter patience: For a store that others may open: how long to wait for them, in milliseconds.
  init(
    _ path: String, _ system: any FileSystem = RealFileSystem(), sharingWithin patience: Int? = nil
  ) throws(StoreError) {
    (file, stored) = try StoreFile.open(path, sharingWithin: patience, on: system)
    graph = stored.graph
    try file.share()
  }

  /// The graph of the next commit.
  static func next(after graph: Graph) -> Graph {
    let transaction = Transaction(graph)
    do {
      if let table = graph.table(named: "Row"), let name = table.schema.column(named: "name") {
        try transaction.create(in: table.schema.key) { try $0.set("row \(graph.version)", name.key) }
      } else {
        let table = try transaction.addTable("Row")
        try transaction.addColumn(to: table, "name", ColumnType(.string))
      }
    } catch {
      fatalError("The stage could not be set: \(error).")
    }
    return transaction.graph.numbered(graph.version + 1)
  }

  /// Commits.
  func commit(_ durability: Durability = .full) throws(StoreError) {
    try file.beginTurn()
    defer { file.endTurn() }
    graph = try file.applyFollowed(to: graph, withContents: false) { _ in }
    let next = Self.next(after: graph)
    try file.commit(Delta(from: graph, to: next), version: next.version, userVersion: 3, durability: durability)
    graph = next
  }

  func checkpoint() throws(StoreError) { try file.checkpoint(graph, version: graph.version, userVersion: 3) }

  /// Whether a graph is the result of as many commits as its version.
  static func isRight(_ graph: Graph) -> Bool {
    (graph.table(named: "Row")?.count ?? 0) == max(0, Int(graph.version) - 1) && graph.checkInvariants().isEmpty
  }

  /// The code of the error that `body` throws.
  static func code(_ body: () throws -> Void) -> StoreError.Code? {
    do { try body() } catch { return (error as? StoreError)?.code }
    return nil
  }
}
