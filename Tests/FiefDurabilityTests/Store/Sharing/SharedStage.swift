import FiefDurability
import FiefGraph
import FiefTestSupport

/// A process that has a store open which others may have open, for tests that check its contents.
///
///     version   1      2       3       4        each commit after the first adds a row that says whose it is
///     lines            A 1     B 1     A 2
///
/// So the lines of a version are the history of the store: which process made which version.
final class SharedStage {
  static let path = StageStore.path
  static let journal = StageStore.journal

  let process: SimulatedProcess
  var disk: SimulatedDisk { process.disk }
  let file: StoreFile
  let stored: StoredVersion
  /// The latest version that this process has applied or appended.
  private(set) var graph: Graph
  /// The versions of other processes, as they were applied.
  private(set) var followed: [FollowedVersion] = []
  /// The name of this process in its commits, and the number of these.
  let name: String
  private(set) var count: Int
  private let padding: String

  /// Opens the store, and lets others in.
  ///
  /// - Parameters:
  ///   - patience: How long it waits for others, in milliseconds.
  ///   - isWriting: Whether it opens the store in its turn.
  ///   - count: The number of the commits that the process has made before.
  ///   - padding: What its lines end with, so that its records are longer than those of others.
  ///   - body: Called before others are let in.
  init(
    _ process: SimulatedProcess, patience: Int = 100, inTurn isWriting: Bool = false, history: HistoryLimits? = nil,
    counting count: Int = 0, padding: String = "",
    beforeSharing body: (SharedStage) throws -> Void = { _ in }
  ) throws {
    self.process = process
    self.count = count
    self.padding = padding
    (file, stored) = try StoreFile.open(
      Self.path, history: history, sharingWithin: patience, inTurn: isWriting, on: process)
    graph = stored.graph
    name = String(UnicodeScalar(UInt8(64 + process.processIdentifier)))
    try body(self)
    try file.share()
  }

  /// Opens the store as a process of this number.
  convenience init(_ disk: SimulatedDisk, _ number: Int32, history: HistoryLimits? = nil) throws {
    try self.init(SimulatedProcess(disk, number: number), history: history)
  }

  /// The lines of the latest version.
  var lines: [String] { Self.lines(graph) }

  /// The lines of a version; nil if it is not one of these stores.
  static func lines(_ graph: Graph) -> [String] {
    guard let table = graph.table(named: "Line"), let column = table.schema.column(named: "text")?.key else {
      return []
    }
    return (0..<table.nextKey).map { key in
      guard case .string(let text)? = graph.value(Cell(table.schema.key, ObjectKey(rawValue: key), column)) else {
        return "a line without text"
      }
      return text
    }
  }

  /// Whether a version has as many lines as it must, and is sound.
  static func isRight(_ graph: Graph) -> Bool {
    lines(graph).count == max(0, Int(graph.version) - 1) && graph.checkInvariants().isEmpty
  }

  /// Begins the turn, and applies what others have done.
  func begin() throws {
    try file.beginTurn()
    do { try follow() } catch {
      file.endTurn()
      throw error
    }
  }

  /// Applies what others have done, as far as it was read.
  func follow() throws {
    graph = try file.applyFollowed(to: graph, withContents: true) { followed.append($0) }
  }

  /// Looks for commits of others, and applies them.
  ///
  /// - Returns: what `lookForCommits` returns.
  @discardableResult
  func refresh() throws -> Bool? {
    let found = try file.lookForCommits()
    if found == true { try follow() }
    return found
  }

  /// Appends a commit. The turn is this process's.
  ///
  /// - Parameter note: called with the version and its line before it is appended.
  func append(noting note: (UInt64, String) -> Void = { _, _ in }) throws {
    let (text, next) = ("\(name) \(count + 1)\(padding)", Transaction(graph))
    if let table = graph.table(named: "Line"), let column = table.schema.column(named: "text") {
      try next.create(in: table.schema.key) { try $0.set(text, column.key) }
    } else {
      let table = try next.addTable("Line")
      try next.addColumn(to: table, "text", ColumnType(.string))
    }
    let new = next.graph.numbered(graph.version + 1)
    note(new.version, graph.version == 0 ? "" : text)
    if graph.version > 0 { count += 1 }
    try file.append(Delta(from: graph, to: new), version: new.version, userVersion: 3, contents: new)
    graph = new
  }

  /// Commits: begins the turn, appends, ends the turn, and waits for the disk.
  func commit(_ durability: Durability = .full, noting note: (UInt64, String) -> Void = { _, _ in }) throws {
    try begin()
    do { try append(noting: note) } catch {
      file.endTurn()
      throw error
    }
    let version = graph.version
    file.endTurn()
    if durability == .full { try file.waitUntilDurable(version) }
  }

  func checkpoint(isWaiting: Bool = true) throws {
    try file.checkpoint(graph, version: graph.version, userVersion: 3, isWaiting: isWaiting)
  }

  func beginCheckpoint() throws -> Checkpoint? {
    try file.beginCheckpoint(graph, version: graph.version, userVersion: 3)
  }

  func close() throws { try file.close() }

  /// Ends the process as `SIGKILL` does.
  func kill() { process.kill() }

  /// Opens the store alone after the others, and closes it.
  ///
  /// - Returns: its version and lines, and how it was left.
  static func left(on disk: SimulatedDisk) throws -> (version: UInt64, lines: [String], state: StoredVersion.State) {
    let process = SimulatedProcess(disk, number: 20)
    let (file, stored) = try StoreFile.open(path, on: process)
    try file.close()
    if !isRight(stored.graph) { throw StoryFault(description: "Version \(stored.version) has \(lines(stored.graph)).") }
    return (stored.version, lines(stored.graph), stored.state)
  }
}
