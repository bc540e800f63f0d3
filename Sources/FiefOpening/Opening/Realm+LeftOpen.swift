import FiefObjects
import FiefRuntime
import FiefSessions
import Foundation
import Synchronization

extension Realm {
  /// Runs a closure, and returns the realms that it has opened and that are still open afterwards.
  ///
  ///     @Test func theImporterLetsGoOfItsRealms() throws {
  ///       let kept = try Realm.realmsLeftOpen {
  ///         try Importer(configuration: .inMemory(named: "import")).run()
  ///       }
  ///       #expect(kept.isEmpty, "\(kept)")
  ///     }
  ///
  /// An element prints the name of its realm and the threads, queues, actors, frozen realms and configurations that
  /// hold it. Realms that other code opens meanwhile do not count, so tests that run in parallel do not disturb each
  /// other. What counts is opened by the closure itself, by tasks that are its children, and by tasks that it makes
  /// with `Task { }`; not by detached tasks, and not by blocks on queues.
  ///
  /// - Parameters:
  ///   - timeout: how many seconds to wait for realms that close on other threads.
  ///   - body: opens realms.
  /// - Throws: the error of `body`.
  public static func realmsLeftOpen(
    timeout: TimeInterval = 2, after body: () throws -> Void
  ) rethrows -> [OpenRealm] {
    let record = OpeningRecord(inside: .current)
    try OpeningRecord.$current.withValue(record) { try body() }
    let end = Date(timeIntervalSinceNow: timeout)
    while true {
      let open = record.open
      if open.isEmpty || Date() >= end { return open }
      Thread.sleep(forTimeInterval: 0.001)
    }
  }

  /// Runs an asynchronous closure, and returns the realms that it has opened and that are still open afterwards.
  ///
  ///     let kept = try await Realm.realmsLeftOpen {
  ///       try await Importer(configuration: .inMemory(named: "import")).run()
  ///     }
  ///     #expect(kept.isEmpty, "\(kept)")
  ///
  /// The synchronous form describes what counts.
  ///
  /// - Parameters:
  ///   - timeout: how many seconds to wait for realms that close on other threads.
  ///   - isolation: the caller's actor.
  ///   - body: opens realms.
  /// - Throws: the error of `body`.
  public static func realmsLeftOpen(
    timeout: TimeInterval = 2, isolation: isolated (any Actor)? = #isolation, after body: () async throws -> Void
  ) async rethrows -> [OpenRealm] {
    let record = OpeningRecord(inside: .current)
    try await OpeningRecord.$current.withValue(record, operation: body)
    let end = Date(timeIntervalSinceNow: timeout)
    while true {
      let open = record.open
      if open.isEmpty || Date() >= end { return open }
      // A cancelled task still gets the answer, without the pauses.
      try? await Task.sleep(for: .milliseconds(1))
    }
  }
}

/// The stores that a closure opens.
final class OpeningRecord: Sendable {
  /// The record of the running closure.
  @TaskLocal static var current: OpeningRecord?

  /// The record of the closure around this one.
  private let outer: OpeningRecord?
  private let stores = Mutex<[WeakReference<Store>]>([])

  init(inside outer: OpeningRecord?) { self.outer = outer }

  func add(_ store: Store) {
    stores.withLock { stores in
      if !stores.contains(where: { $0.refers(to: store) }) { stores.append(WeakReference(store)) }
    }
    outer?.add(store)
  }

  /// The stores that are still open, by name.
  var open: [Realm.OpenRealm] {
    // A last reference is released outside the lock.
    let open = stores.withLock { $0.compactMap(\.object) }
    return open.map(Realm.OpenRealm.init).sorted { $0.description < $1.description }
  }
}
