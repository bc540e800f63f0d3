import FiefDurability
import FiefGraph
import Foundation

/// A store whose contents follow from its version: a table of entries, into which each commit after the first writes
/// its own version.
struct Diary {
  private let entries: TableKey
  private let number: ColumnKey
  private let text: ColumnKey

  /// The table of a graph, declared if it does not exist.
  init(in transaction: Transaction) throws {
    (number, text) = (ColumnKey(rawValue: 0), ColumnKey(rawValue: 1))
    if let table = transaction.base.table(named: "Entry")?.schema {
      entries = table.key
      return
    }
    entries = TableKey(rawValue: transaction.base.schema.nextTable)
    let columns = [
      Column(key: number, name: "number", type: ColumnType(.int)),
      Column(key: text, name: "text", type: ColumnType(.string)),
    ]
    try transaction.declare([
      TableSchema(key: entries, name: "Entry", kind: .ordinary, columns: columns, nextColumn: 2)
    ])
  }

  /// The graph that follows `graph`.
  static func next(after graph: Graph) throws -> Graph {
    let transaction = Transaction(graph)
    let diary = try Diary(in: transaction)
    let version = graph.version + 1
    if version > 1 {
      try transaction.create(in: diary.entries) { row in
        try row.set(Int64(version), diary.number)
        try row.set(String(repeating: "entry \(version) ", count: Int(version % 40)), diary.text)
      }
    }
    return transaction.graph.numbered(version)
  }
}

/// Several threads that write a diary and share synchronizations.
final class Writing: @unchecked Sendable {
  // `turn` guards the latest graph: a thread holds it while it appends.
  private let turn = NSLock()
  private let file: StoreFile
  private var latest: Graph

  init(path: String) throws {
    let (file, stored) = try StoreFile.open(path)
    self.file = file
    latest = stored.graph
    say("opened \(stored.version)")
  }

  /// Writes until the process is killed; prints a line for each durable commit.
  func run() throws {
    for _ in 0..<3 { Thread { [self] in write() }.start() }
    write()
  }

  private func write() {
    do {
      while true {
        let version = try append()
        try file.waitUntilDurable(version)
        say("durable \(version)")
        if version % 50 == 0 {
          let graph = turn.withLock { latest }
          if graph.version <= file.durableVersion { try file.checkpoint(graph, version: graph.version, userVersion: 0) }
        }
      }
    } catch {
      say("failed \(error)")
      exit(1)
    }
  }

  private func append() throws -> UInt64 {
    try turn.withLock {
      let next = try Diary.next(after: latest)
      try file.append(Delta(from: latest, to: next), version: next.version, userVersion: 0)
      latest = next
      return next.version
    }
  }
}

/// A store that is open until standard input ends.
struct Holding {
  let path: String

  func run(startingChild: Bool) throws {
    let (file, stored) = try StoreFile.open(path)
    var child: Process?
    if startingChild {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sleep")
      process.arguments = ["20"]
      try process.run()
      child = process
    }
    say("opened \(stored.version) \(child?.processIdentifier ?? 0)")
    while readLine() != nil {}
    child?.terminate()
    try file.close()
    say("closed")
  }
}

/// Prints a line without buffering, because the process may be killed.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
