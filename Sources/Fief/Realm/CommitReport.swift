import FiefGraph

/// What a logger hears of a commit.
struct CommitReport {
  private let start: LoggedTime
  private var journal: Int?
  private var bytes: Int?

  /// Begins with the commit; nil when nobody hears of it. To be made by who holds the writer lock.
  @inline(__always)
  init?(_ store: Store) {
    guard let start = LoggedTime.now else { return nil }
    self.start = start
    journal = store.journalLength
  }

  /// Takes note of what was written down, while the writer lock is held.
  mutating func noteBytes(_ store: Store) {
    // A checkpoint may begin the journal anew meanwhile; then the number is not known.
    guard let journal, let now = store.journalLength, now >= journal else { return }
    bytes = now - journal
  }

  /// Tells of it.
  func tell(_ session: Session, from base: Graph, to next: Graph) {
    let size = bytes.map { "; \($0) bytes" } ?? ""
    let time = start.words
    Logger.tell(
      .debug,
      next.version == base.version
        ? "Committed nothing to \(session.store.words) on \(session.confinement.words); \(time)."
        : "Committed version \(next.version) of \(session.store.words) on \(session.confinement.words): "
          + "\(Self.words(Delta(from: base, to: next), next))\(size); \(time).")
  }

  /// How many rows came, changed and went, by table.
  private static func words(_ delta: Delta, _ graph: Graph) -> String {
    let tables = delta.tables.prefix(16).map { table in
      let inserted = table.inserted.reduce(0) { $0 + $1.rows.count }
      let deleted = table.deleted.reduce(0) { $0 + $1.rows.count }
      let changed = Set(table.updated.flatMap { $0.cells.map(\.key) }).count
      let name = graph[table.table]?.schema.name ?? "?"
      return "\(name) +\(inserted) ~\(changed) -\(deleted)"
    }
    let rest = delta.tables.count > tables.count ? " and \(delta.tables.count - tables.count) more" : ""
    return tables.joined(separator: ", ") + rest
  }
}

extension Store {
  /// How many bytes the journal has; nil without one.
  var journalLength: Int? { files.map { $0.sizes.journal } }

  /// What it is called in messages.
  var words: String {
    switch identity {
    case .memory(let identifier): "in-memory realm '\(identifier.prefix(256))'"
    case .file(let path): "file '\(path)'"
    }
  }

  /// Tells of the opening.
  func tellOfOpening(since start: LoggedTime?) {
    guard let start else { return }
    let graph = published.current
    let rows = graph.allTables.reduce(0) { $0 + $1.count }
    Logger.tell(
      .debug,
      "Opened \(words)\(configuration.readOnly ? ", read-only" : ""): version \(graph.version), "
        + "schema version \(configuration.schemaVersion), \(models.count) classes, \(rows) objects; \(start.words).")
  }
}
