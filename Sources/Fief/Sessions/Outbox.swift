import Synchronization

/// The application's handler for documents. A copy of a configuration shares its handler.
final class IngestHandler: Sendable {
  let call: @Sendable ([IngestDocument]) async throws -> Void

  init(_ call: @escaping @Sendable ([IngestDocument]) async throws -> Void) { self.call = call }
}

/// Delivers documents to the application: to each handler in the order of the commits, one call at a time.
///
///     commit ──▶ line of the session's handler ──▶ handler ──┬─ returns: they are done
///                   ▲                                        └─ throws: they wait for the next commit with some
///                   └────────────────────────────────────────────────┘
///
/// A handler that throws delays only its own documents. The outbox lives as long as its store. Waiting documents are
/// lost with the process, as they are not written to a file.
final class Outbox: Sendable {
  /// The documents that wait for one handler.
  private struct Line {
    let handler: IngestHandler
    var waiting: [IngestDocument] = []
    var isBusy = false
  }

  private let lines = Mutex<[ObjectIdentifier: Line]>([:])

  /// Appends documents to a handler's line, and starts the delivery of all waiting documents. Returns at once.
  func send(_ documents: [IngestDocument], to handler: IngestHandler) {
    let isFirst = lines.withLock { lines in
      var line = lines[ObjectIdentifier(handler)] ?? Line(handler: handler)
      let isFirst = !line.isBusy
      line.waiting += documents
      line.isBusy = true
      lines[ObjectIdentifier(handler)] = line
      return isFirst
    }
    if isFirst { Task { await self.work(for: handler) } }
  }

  private func work(for handler: IngestHandler) async {
    while let ready = next(for: handler) {
      do {
        try await handler.call(ready)
        lines.withLock { $0[ObjectIdentifier(handler)]?.waiting.removeFirst(ready.count) }
      } catch {
        Logger.shared.log(
          .warn, "The ingestHandler threw; \(ready.count) documents wait for the next commit that brings some: \(error)"
        )
        // Such a commit may have happened during the call.
        let goesOn = lines.withLock { lines in
          let isLonger = (lines[ObjectIdentifier(handler)]?.waiting.count ?? 0) > ready.count
          lines[ObjectIdentifier(handler)]?.isBusy = isLonger
          return isLonger
        }
        if !goesOn { return }
      }
    }
  }

  /// The documents that wait for a handler. Nil when there are none; the line is then closed. The caller retains the
  /// handler.
  private func next(for handler: IngestHandler) -> [IngestDocument]? {
    lines.withLock { lines in
      if let waiting = lines[ObjectIdentifier(handler)]?.waiting, !waiting.isEmpty { return waiting }
      lines[ObjectIdentifier(handler)] = nil
      return nil
    }
  }
}
