import FiefGraph

/// The log message of a commit.
struct CommitReport {
  private let start: LoggedTime
  private var journal: Int?
  private var bytes: Int?

  /// Starts a report when the commit starts; nil when `.debug` is not logged. The caller holds the writer lock.
  @inline(__always)
  init?(_ store: Store) {
    guard let start = LoggedTime.now else { return nil }
    self.start = start
    journal = store.journalLength
  }

  /// Records the number of bytes that the commit has written. The caller holds the writer lock.
  mutating func noteBytes(_ store: Store) {
    assert(store.lock.isHeld && bytes == nil, "The bytes of a commit are noted once, in its turn.")
    // A checkpoint may restart the journal meanwhile; the number is unknown then.
    guard let journal, let now = store.journalLength, now >= journal else { return }
    bytes = now - journal
  }

  /// Logs the report.
  package func report(_ session: Session, from base: Graph, to next: Graph) {
    assert(base.version <= next.version, "A commit leads to a later version, or changes nothing.")
    let size = bytes.map { "; \($0) bytes" } ?? ""
    let time = start.duration
    Logger.log(
      .debug,
      next.version == base.version
        ? "Committed nothing to \(session.store.label) on \(session.confinement.label); \(time)."
        : "Committed version \(next.version) of \(session.store.label) on \(session.confinement.label): "
          + "\(Self.summary(of: Delta(from: base, to: next), next))\(size); \(time).")
  }

  /// The numbers of inserted, changed and deleted rows, by table.
  private static func summary(of delta: Delta, _ graph: Graph) -> String {
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
