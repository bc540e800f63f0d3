import FiefGraph
import FiefRuntime
import Synchronization

/// Delivers the documents of committed writes: to the handler of each line in the order of the commits, one call at a
/// time.
///
///     write: row in `OutboxTable` ──commit──▶ durable ──▶ handler ──returns──▶ acknowledge: the rows are deleted
///                                                ▲           │
///                                                └───pause───┘ throws
///
/// A document is delivered when its commit is durable: in a store that does not wait for the disk, after the next
/// rounds of the files' timer. Its row is deleted when the handler has returned. So each document
/// arrives at least once, also when the process ends at any moment: rows that were not deleted durably are delivered
/// again by the next opening. As long as the store is open, a document that the handler has accepted is not passed
/// again. A store that is released while documents wait for their first attempt stays open until the end of it.
///
/// A handler that throws is called again after a pause, which doubles with each failure. It delays its own line alone.
package final class Outbox: Sendable {
  /// The maximum number of documents in one call.
  static let batch = 1000

  private struct Line {
    let handler: OutboxHandler
    /// Whether a task works for the line.
    var isBusy = false
    /// Whether there may be documents that the task has not seen.
    var isAwake = false
    /// The first document that the handler has not accepted.
    var next = ObjectKey(0)
    /// The accepted documents whose rows are not deleted yet.
    var accepted: [ObjectKey] = []
    /// The number of failures since the last success.
    var failures = 0
  }

  private let lines = Mutex<[String: Line]>([:])

  /// Sets the handler of a line.
  ///
  /// - Returns: false when the line has another handler.
  func attach(_ handler: OutboxHandler, to name: String) -> Bool {
    lines.withLock { lines in
      if let line = lines[name] { return line.handler === handler }
      lines[name] = Line(handler: handler)
      return true
    }
  }

  /// Whether a line has a handler.
  func hasHandler(_ name: String) -> Bool { lines.withLock { $0[name] != nil } }

  /// The lines that have handlers.
  var linesWithHandlers: [String] { lines.withLock { Array($0.keys) } }

  /// Starts the delivery of what waits in a line, if it has a handler. Returns at once.
  func wake(_ name: String, of store: Store) {
    let handler: OutboxHandler? = lines.withLock { lines in
      guard let line = lines[name] else { return nil }
      lines[name]?.isAwake = true
      lines[name]?.isBusy = true
      return line.isBusy ? nil : line.handler
    }
    guard let handler else { return }
    let worker = Worker(store)
    Task { while let pause = await self.deliver(name, to: handler, worker) { try? await Task.sleep(for: pause) } }
  }

  /// The store of a task. It is retained while the task delivers, and not during a pause after a failure.
  private final class Worker: Sendable {
    private let first: Mutex<Store?>
    private let store: WeakReference<Store>

    init(_ store: Store) {
      first = Mutex(store)
      self.store = WeakReference(store)
    }

    /// The store for the next attempt; nil when it was closed.
    func take() -> Store? {
      first.withLock { first in
        defer { first = nil }
        return first ?? store.object
      }
    }
  }

  /// Delivers until nothing waits, the store is closed, or an attempt fails.
  ///
  /// - Returns: the pause before the next attempt; nil when there is none.
  private func deliver(_ name: String, to handler: OutboxHandler, _ worker: Worker) async -> Duration? {
    guard let store = worker.take() else { return nil }
    while true {
      switch await deliverBatch(name, to: handler, of: store) {
      case .delivered: continue
      case .nothingWaits: return nil
      case .failed(let pause): return pause
      }
    }
  }

  private enum Outcome { case delivered, nothingWaits, failed(Duration) }

  /// The time after which a process asks whether the one that delivers has ended.
  private static let lookingPause = Duration.seconds(1)

  private func deliverBatch(_ name: String, to handler: OutboxHandler, of store: Store) async -> Outcome {
    let (first, accepted) = lines.withLock { lines in
      lines[name]?.isAwake = false
      return (lines[name]?.next ?? ObjectKey(0), lines[name]?.accepted ?? [])
    }
    do {
      if !accepted.isEmpty { try await acknowledge(accepted, in: name, of: store) }
      var ready = store.waitingMessages(of: name, from: first, limit: Self.batch)
      if !ready.isEmpty {
        switch try await store.takeDelivery() {
        case .no: return .failed(Self.lookingPause)
        case .fromNow: ready = store.waitingMessages(of: name, from: first, limit: Self.batch)
        case .already: break
        }
      }
      assert(
        ready.count <= Self.batch && ready.allSatisfy { $0.key >= first }, "Accepted documents are not passed again.")
      guard let last = ready.last else { return rest(name) ? .nothingWaits : .delivered }
      try await handler.call(ready)
      lines.withLock { lines in
        assert(lines[name]?.isBusy ?? false, "One task works for a line.")
        lines[name]?.next = ObjectKey(last.key.rawValue + 1)
        lines[name]?.accepted += ready.map(\.key)
        lines[name]?.failures = 0
      }
      return .delivered
    } catch {
      let failures = lines.withLock { lines in
        lines[name]?.failures += 1
        return lines[name]?.failures ?? 1
      }
      let pause = Self.pause(after: failures)
      Logger.log(
        .warn,
        "Documents of \(store.label) could not be delivered, and wait for another attempt in \(pause): \(error)")
      return .failed(pause)
    }
  }

  private func acknowledge(_ keys: [ObjectKey], in name: String, of store: Store) async throws {
    assert(!keys.isEmpty, "Accepted documents are acknowledged.")
    try await store.acknowledge(keys)
    lines.withLock { lines in
      assert(lines[name]?.accepted.starts(with: keys) ?? false, "Documents are acknowledged in their order.")
      lines[name]?.accepted.removeFirst(keys.count)
      lines[name]?.failures = 0
    }
  }

  /// Ends the work for a line, unless it was woken meanwhile.
  private func rest(_ name: String) -> Bool {
    lines.withLock { lines in
      guard let line = lines[name], !line.isAwake, line.accepted.isEmpty else { return false }
      lines[name]?.isBusy = false
      return true
    }
  }

  /// A tenth of a second after the first failure, twice as long after each further one, and at most a minute.
  static func pause(after failures: Int) -> Duration {
    assert(failures > 0, "A pause follows a failure.")
    return .milliseconds(failures > 10 ? 60_000 : min(60_000, 100 << (failures - 1)))
  }
}
