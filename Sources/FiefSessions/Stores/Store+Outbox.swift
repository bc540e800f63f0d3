import FiefDurability
import FiefGraph
import FiefRuntime

extension Store {
  /// Makes a handler the receiver of a line, and begins to deliver what waits.
  ///
  /// - Throws: `.fail` when the line has another handler.
  package func attach(_ line: OutboxLine) throws {
    guard let handler = line.handler, !options.isReadOnly else { return }
    guard outbox.attach(handler, to: line.name) else {
      let name = line.name.isEmpty ? "" : " '\(line.name)'"
      throw SessionError(
        .fail,
        "The realm is already opened with another ingestHandler for its outbox\(name): use a copy of the same "
          + "configuration, or give one of them an outboxName of its own.")
    }
    if published.current.table(named: TableSchema.outboxName)?.count ?? 0 > 0 {
      outbox.wake(line.name, of: self)
    }
  }

  /// Delivers the documents of a published commit when it is durable. The store stays open until then if the line has a
  /// handler.
  func deliver(documentsOf graph: Graph, line: String, _ urgency: Urgency) {
    guard let end = graph.table(named: TableSchema.outboxName)?.nextKey else { return }
    guard let files else { return noteDurable(documents: end, line) }
    let held = outbox.hasHandler(line) ? self : nil
    let reference = WeakReference(self)
    files.whenDurable(graph.version, urgency: urgency) { failure in
      if failure == nil { (held ?? reference.object)?.noteDurable(documents: end, line) }
    }
  }

  func noteDurable(documents end: Int64, _ line: String) {
    state.withLock { $0.durableDocuments = max($0.durableDocuments, end) }
    outbox.wake(line, of: self)
  }

  /// Whether this process delivers the documents of the store.
  enum Delivers { case no, already, fromNow }

  /// Becomes the process that delivers documents. Among processes with a handler, the first one does, until it ends.
  ///
  /// A process that takes over catches up first: the one before may have deleted rows in commits that this process has
  /// not applied, and their documents must not be passed again.
  ///
  /// - Throws: the error of catching up.
  func takeDelivery() async throws -> Delivers {
    guard let files, files.isShared else { return .already }
    guard (try? files.takeDelivery()) ?? false else { return .no }
    if state.withLock(\.delivers) { return .already }
    try await enterForOutbox()
    defer { lock.leave() }
    try beginTurn()
    endTurn()
    state.withLock { $0.delivers = true }
    return .fromNow
  }

  /// Waits for the lock for writing in the outbox's name.
  private func enterForOutbox() async throws {
    try await lock.enterSuspending(ObjectIdentifier(outbox)) { self.reserveTurn($0) }
  }

  /// The durable documents of a line, from a key on.
  func waitingMessages(of line: String, from first: ObjectKey, limit: Int) -> [OutboxMessage] {
    // Asked first: what is durable was published before.
    let end = state.withLock { $0.durableDocuments }
    guard let table = published.current.table(named: TableSchema.outboxName), let outbox = OutboxTable(table) else {
      return []
    }
    return outbox.messages(in: table, of: line, from: first, upTo: ObjectKey(rawValue: end), limit: limit)
  }

  /// Deletes the rows of documents durably, in a commit of their own.
  ///
  /// - Throws: the error of the commit. The rows may still be there then.
  func acknowledge(_ keys: [ObjectKey]) async throws {
    try await enterForOutbox()
    let next = try deleteRows(keys)
    guard waitsForDisk else { return }
    let failure = await AwaitedValue<(any Error)?>.receive { handOver in
      whenDurable(next.version, urgency: .grouped, handOver)
    }
    if let failure { throw failure }
  }

  /// Commits the deletion and gives the lock back.
  private func deleteRows(_ keys: [ObjectKey]) throws -> Graph {
    assert(lock.isHeld, "Rows are deleted in the turn of their store's outbox.")
    let next: Graph
    do {
      defer { lock.leave() }
      try beginTurn()
      defer { endTurn() }
      let transaction = begin()
      if let table = transaction.read({ $0.table(named: TableSchema.outboxName)?.schema.key }) {
        try transaction.delete(keys.map { ObjectLink(table, $0) })
      }
      next = try append(transaction)
    }
    if waitsForDisk { try publishEarly(next) } else { try publish(next) }
    announce()
    return next
  }
}

extension Graph {
  /// The version without the documents that wait, for a second file: the first one delivers them.
  package var withoutDocuments: Graph {
    guard let table = table(named: TableSchema.outboxName), table.count > 0 else { return self }
    let transaction = Transaction(self)
    do {
      try transaction.clear([table.schema.key])
    } catch {
      fatalError("The rows of the outbox have no links, and could not be deleted: \(error).")
    }
    return transaction.graph
  }
}
