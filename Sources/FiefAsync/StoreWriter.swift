import FiefDurability
import FiefObjects
import FiefSessions

/// Runs the writes of a `RealmStore` on a queue, in the queue's session.
///
/// Outside of writes the session shows no version. So no version is kept for it, and what a closure has kept of its
/// realm is invalid.
actor StoreWriter {
  private let executor = QueueExecutor("fief.writing")
  private var session: Session?

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Runs a closure in a write, and commits it.
  func write<Result: Sendable>(
    _ use: StoreUse, durability: Durability?, _ body: sending (Realm) throws -> Result
  ) async throws -> Result {
    let session = try open(use)
    // While this write waits for its turn or the disk, others run on the actor. None is in the middle of its changes
    // when another one is resumed: a closure does not suspend.
    defer { if session.transaction == nil { session.invalidate() } }
    session.checkMayEverWrite()
    return try await session.writeSuspending(isolation: self, durability: durability) { try body(Realm(session)) }
  }

  private func open(_ use: StoreUse) throws -> Session {
    if let session { return session }
    guard let held = use.held else { fatalError("A store was released before its last write.") }
    let made = held.store.session(.of(executor.queue), held.options)
    made.autorefresh = false
    session = made
    return made
  }

  /// Releases the session.
  func end() { session = nil }
}
