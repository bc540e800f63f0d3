import Synchronization

/// A receiver of the messages that writes send. Its identity decides which messages wait in one line.
package final class OutboxHandler: Sendable {
  let call: @Sendable ([any Sendable]) async throws -> Void

  package init(_ call: @escaping @Sendable ([any Sendable]) async throws -> Void) { self.call = call }
}

/// Delivers messages to the application: to each handler in the order of the commits, one call at a time.
///
///     commit ──▶ line of the session's handler ──▶ handler ──┬─ returns: they are done
///                   ▲                                        └─ throws: they wait for the next commit with some
///                   └────────────────────────────────────────────────┘
///
/// A handler that throws delays only its own messages. The outbox lives as long as its store. Waiting messages are
/// lost with the process, as they are not written to a file.
package final class Outbox: Sendable {
  /// The messages that wait for one handler.
  private struct Line {
    let handler: OutboxHandler
    var waiting: [any Sendable] = []
    var isBusy = false
  }

  private let lines = Mutex<[ObjectIdentifier: Line]>([:])

  /// Appends messages to a handler's line, and starts the delivery of all waiting messages. Returns at once.
  func send(_ messages: [any Sendable], to handler: OutboxHandler) {
    let isFirst = lines.withLock { lines in
      var line = lines[ObjectIdentifier(handler)] ?? Line(handler: handler)
      let isFirst = !line.isBusy
      line.waiting += messages
      line.isBusy = true
      lines[ObjectIdentifier(handler)] = line
      return isFirst
    }
    if isFirst { Task { await self.work(for: handler) } }
  }

  private func work(for handler: OutboxHandler) async {
    while let ready = next(for: handler) {
      do {
        try await handler.call(ready)
        lines.withLock { lines in
          assert(lines[ObjectIdentifier(handler)]?.isBusy ?? false, "One task works for a handler.")
          lines[ObjectIdentifier(handler)]?.waiting.removeFirst(ready.count)
        }
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

  /// The messages that wait for a handler. Nil when there are none; the line is then closed. The caller retains the
  /// handler.
  private func next(for handler: OutboxHandler) -> [any Sendable]? {
    lines.withLock { lines in
      if let waiting = lines[ObjectIdentifier(handler)]?.waiting, !waiting.isEmpty { return waiting }
      lines[ObjectIdentifier(handler)] = nil
      return nil
    }
  }
}
