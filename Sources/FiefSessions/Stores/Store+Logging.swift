import FiefGraph

extension Store {
  /// The length of the journal in bytes; nil without a journal.
  var journalLength: Int? { files.map { $0.sizes.journal } }

  /// The name of the store in messages.
  package var label: String {
    switch identity {
    case .memory(let identifier): "in-memory realm '\(identifier.prefix(256))'"
    case .file(let path): "file '\(path)'"
    }
  }

  /// Logs the opening of the store.
  ///
  /// - Parameter classCount: the number of classes in the client's schema.
  package func logOpening(since start: LoggedTime?, classCount: Int) {
    guard let start else { return }
    let graph = published.current
    let rows = graph.allTables.reduce(0) { $0 + $1.count }
    Logger.log(
      .debug,
      "Opened \(label)\(options.isReadOnly ? ", read-only" : ""): version \(graph.version), "
        + "schema version \(options.schemaVersion), \(classCount) classes, \(rows) objects; \(start.duration).")
  }
}
