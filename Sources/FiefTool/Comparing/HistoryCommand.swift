import Fief
import FiefCopying
import FiefDurability
import FiefGraph
import FiefSessions
import FiefValues

/// `fief history`: prints the versions that a file keeps, the newest first, with their times and what each changed.
///
///     version  time                      changes
///           4  2026-11-26T16:00:05.120Z  Person: 1 modified
///           3  2026-11-26T16:00:04.870Z  Dog: 2 inserted; Person: 1 inserted
struct HistoryCommand {
  static let command = Command(
    "history", "FILE", "the versions that a file keeps, and what each changed",
    options: [
      .value("--limit", "N", "print the last N versions"),
      .flag("--objects", "print the objects, too, and the properties that changed"),
      .flag("--json", "print an array of JSON objects, one for each version"), KeyFile.option,
    ],
    details: """
      A file keeps the versions since its last snapshot, and earlier ones if its program configures a
      history ('Configuration.history'). Then it keeps their times, too.
      """
  ) { arguments, terminal in
    let file = try StoredFile(arguments)
    let limit = try arguments.number("--limit", atLeast: 1) ?? .max
    try file.refuseOfRealm(", which keeps no versions that can be read.")
    let limits = HistoryLimits(versions: nil, age: nil)
    let (stored, history) = try file.use("Reading") { _, key in
      let stored = try StoreFile.read(file.name, history: limits, key: key)
      return (stored, HistoryCommand(stored, limits))
    }
    if let loss = history.loss { terminal.complain("fief: \(loss.printable)") }
    let changes = history.changes.prefix(limit)
    try Progress.show("Comparing versions", of: changes.count, "version") { progress in
      let counted = changes.lazy.map { change in
        defer { progress.advance() }
        return change
      }
      if arguments.has("--json") {
        try JSONOutput.array(counted.map { $0.json(withObjects: arguments.has("--objects")).tree }, terminal)
      } else if changes.isEmpty {
        terminal.say("The file keeps version \(stored.version) alone.")
      } else {
        try print(counted, withObjects: arguments.has("--objects"), terminal)
      }
    }
    return .done
  }

  /// The changes from each kept version to the next, the newest first.
  private let changes: [VersionChange]
  /// Why earlier versions are not known, as a sentence.
  private let loss: String?

  private init(_ stored: StoredVersion, _ limits: HistoryLimits) {
    var versions: [(graph: Graph, replaced: UInt64?)] = [(stored.graph, nil)]
    for kept in stored.earlier?.versions(before: stored.version) ?? [][...].reversed() {
      versions.append((kept.graph, stored.isTimed ? kept.time : nil))
    }
    var loss: String?
    if let earlier = stored.beforeSnapshot, let oldest = versions.last, oldest.graph.version == earlier.version {
      let loaded = earlier.load(
        before: oldest.graph, replacedAt: oldest.replaced, versions.count - 1, limits)
      versions += loaded.versions.map { ($0.graph, $0.time) }
      loss = loaded.loss
    }
    self.loss = loss
    // A version was made when the one before it was replaced.
    changes = zip(versions, versions.dropFirst()).map { new, old in
      VersionChange(from: old.graph, to: new.graph, time: old.replaced)
    }
  }

  private static func print(
    _ changes: some Sequence<VersionChange>, withObjects: Bool, _ terminal: Terminal
  ) throws {
    if withObjects {
      for change in changes {
        terminal.say(
          StyledText("version \(change.to.version)", .bold) + (change.timeWords.map { "  \($0)" } ?? ""))
        for line in change.objectLines { terminal.say("  \(line)") }
        try terminal.checkReader()
      }
      return
    }
    var page = TextTable(["version", "time", "changes"], alignsRight: [true, false, false], terminal)
    for change in changes { try page.add(["\(change.to.version)", change.timeWords ?? "unknown", change.words]) }
    try page.finish()
  }
}

/// The changes of one version.
private struct VersionChange {
  private let from: Graph
  let to: Graph
  private let time: UInt64?

  init(from: Graph, to: Graph, time: UInt64?) {
    self.from = from
    self.to = to
    self.time = time
  }

  /// The changes of one class.
  private struct ClassChange {
    let schema: TableSchema
    var inserted: [ObjectKey] = []
    var deleted: [ObjectKey] = []
    var modified: [(key: ObjectKey, properties: [String])] = []
  }

  /// The time in UTC.
  var timeWords: String? {
    time.map { time in
      Timestamp(seconds: Int64(time / 1000), nanoseconds: Int64(time % 1000) * 1_000_000).description
    }
  }

  private var isSchemaChanged: Bool { from.schema != to.schema }

  /// By class; those without changes are left out.
  private var classes: [ClassChange] {
    let difference = VersionDifference(from, to)
    let tables = StoreView(to).tables + StoreView(from).tables.filter { to[$0.schema.key] == nil }
    return tables.compactMap { table in
      var change = ClassChange(schema: table.schema)
      let key = table.schema.key
      if from[key] != nil && to[key] == nil {
        table.forEachRow(from: ObjectKey(0)) { row, _, _ in
          change.deleted.append(row)
          return true
        }
        return change
      }
      let delta = difference.changes(of: key)
      for part in delta?.inserted ?? [] {
        part.rows.live.forEach { change.inserted.append(ObjectKey(chunk: part.chunk, bit: $0)) }
      }
      for part in delta?.deleted ?? [] {
        part.rows.forEach { change.deleted.append(ObjectKey(chunk: part.chunk, bit: $0)) }
      }
      var modified: [ObjectKey: [String]] = [:]
      for column in table.schema.columns {
        for row in difference.rows(of: key, changedIn: column.key)
        where from.contains(ObjectLink(key, row)) && to.contains(ObjectLink(key, row)) {
          modified[row, default: []].append(column.name)
        }
      }
      change.modified = modified.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      return change.inserted.isEmpty && change.deleted.isEmpty && change.modified.isEmpty ? nil : change
    }
  }

  /// The numbers of changed objects by class, in one line.
  var words: String {
    var parts = classes.map { change in
      let counts = [
        (change.inserted.count, "inserted"), (change.deleted.count, "deleted"), (change.modified.count, "modified"),
      ]
      let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      return "\(change.schema.name.printable): \(words.joined(separator: ", "))"
    }
    if isSchemaChanged { parts.insert("the classes changed", at: 0) }
    return parts.isEmpty ? "nothing" : parts.joined(separator: "; ")
  }

  /// A line for each changed object.
  var objectLines: [String] {
    let (before, after) = (StoreView(from), StoreView(to))
    var lines = isSchemaChanged ? ["the classes changed"] : []
    for change in classes {
      let key = change.schema.key
      lines += change.deleted.map { "- \(before.label(of: ObjectLink(key, $0)))" }
      lines += change.inserted.map { "+ \(after.label(of: ObjectLink(key, $0)))" }
      lines += change.modified.map { row in
        "~ \(after.label(of: ObjectLink(key, row.key)))  \(row.properties.map(\.printable).joined(separator: ", "))"
      }
    }
    return lines.isEmpty ? ["nothing"] : lines
  }

  /// The version as JSON.
  ///
  ///     {"classes":[{"deleted":0,"inserted":2,"modified":1,"name":"Dog"}],"schemaChanged":false,
  ///      "time":"2026-11-26T16:00:04.870Z","version":4}
  func json(withObjects: Bool) -> JSON {
    [
      "classes": .array(classes.map { json($0, withObjects: withObjects) }), "schemaChanged": .flag(isSchemaChanged),
      "time": .text(timeWords), "version": .number(to.version),
    ]
  }

  private func json(_ change: ClassChange, withObjects: Bool) -> JSON {
    let (before, after) = (StoreView(from), StoreView(to))
    func name(_ key: ObjectKey, _ view: StoreView) -> String { view.name(of: ObjectLink(change.schema.key, key)) }
    let objects: JSON = [
      "deleted": .texts(change.deleted.lazy.map { name($0, before) }),
      "inserted": .texts(change.inserted.lazy.map { name($0, after) }),
      "modified": .array(
        change.modified.map { ["key": .text(name($0.key, after)), "properties": .texts($0.properties)] }),
    ]
    return .members([
      "deleted": .number(change.deleted.count), "inserted": .number(change.inserted.count),
      "modified": .number(change.modified.count), "name": .text(change.schema.name),
      "objects": withObjects ? objects : nil,
    ])
  }
}
