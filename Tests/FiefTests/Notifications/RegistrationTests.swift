import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private class Lamp: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  var shade = "unmanaged"

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

private class DimLamp: Projection<Lamp> {
  @Projected(\Lamp.name) var name
  @Projected(\Lamp.shade) var shade
}

private class Captured {}

/// The reported deletions, on any thread.
private final class Deletions: Sendable {
  private let told = Mutex(0)

  var count: Int { told.withLock { $0 } }

  func note(_ change: ObjectChange<Lamp>) {
    if case .deleted = change { told.withLock { $0 += 1 } }
  }
}

private actor Room {
  var calls = 0
  private var realm: Realm?

  var isOpen: Bool { realm != nil }

  func note() { calls += 1 }

  /// Opens, and deletes all lamps.
  func clear(_ configuration: Realm.Configuration) async throws {
    let realm = try await Realm.open(configuration: configuration)
    try realm.write { realm.deleteAll() }
    self.realm = realm
  }

  /// Opens, waits until the running task is cancelled, and observes.
  func watchWhenCancelled(_ configuration: Realm.Configuration) async throws -> (NotificationToken, Bool) {
    let realm = try await Realm.open(configuration: configuration)
    let lamps = realm.objects(Lamp.self)
    _ = lamps.count
    self.realm = realm
    while !Task.isCancelled { await Task.yield() }
    let token = await lamps.observe(on: self) { room, _ in room.note() }
    let hasMoved = await realm.asyncRefresh()
    return (token, hasMoved)
  }
}

@Suite struct RegistrationTests {
  private func memory() -> Realm.Configuration { .inMemory(objectTypes: [Lamp.self]) }

  @Test func aTokenThatEndsWhileItsObservationArrivesLeavesNothing() throws {
    let realm = try Realm(configuration: memory())
    let lamps = realm.objects(Lamp.self)
    let queue = DispatchQueue(label: "arriving")
    let configuration = realm.configuration
    let kept = try queue.sync { Held(try Realm(configuration: configuration, queue: queue)) }
    var left = 0
    for turn in 0..<1000 {
      weak var seen: Captured?
      do {
        let captured = Captured()
        seen = captured
        let token = lamps.observe(on: queue) { _ in withExtendedLifetime(captured) {} }
        for _ in 0..<turn % 200 { _ = realm.isFrozen }
        token.invalidate()
      }
      queue.sync {}
      if seen != nil { left += 1 }
    }
    #expect(left == 0)
    withExtendedLifetime(kept) {}
  }

  @Test func aCancelledTaskObservesNothingAndDoesNotRefresh() async throws {
    let configuration = memory()
    let room = Room()
    let task = Task { try await room.watchWhenCancelled(configuration) }
    #expect(await eventually { await room.isOpen })
    try add(configuration)
    task.cancel()
    let (token, hasMoved) = try await task.value
    #expect(!hasMoved)
    #expect(!token.invalidate())
    try add(configuration)
    try await Task.sleep(for: .milliseconds(20))
    #expect(await room.calls == 0)
  }

  @Test func anObjectThatIsGoneOnTheQueueIsReportedAsDeleted() throws {
    let configuration = memory()
    let realm = try Realm(configuration: configuration)
    let lamp = try realm.write { realm.create(Lamp.self, value: ["id": 1]) }
    let queue = DispatchQueue(label: "arriving")
    // The realm of the queue shows a later version than this one.
    let kept = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      try realm.write { realm.deleteAll() }
      return Held(realm)
    }
    let deletions = Deletions()
    let token = lamp.observe(on: queue) { deletions.note($0) }
    let other = lamp.observe(keyPaths: [\.name], on: queue) { deletions.note($0) }
    let ended = lamp.observe(on: queue) { deletions.note($0) }
    ended.invalidate()
    queue.sync {}
    #expect(deletions.count >= 2 && deletions.count <= 3)
    #expect(!token.invalidate() && !other.invalidate())
    withExtendedLifetime(kept) {}
  }

  @Test func aTokenThatIsReleasedOnItsWayReportsNoDeletion() throws {
    let configuration = memory()
    let realm = try Realm(configuration: configuration)
    let lamp = try realm.write { realm.create(Lamp.self, value: ["id": 1]) }
    let queue = DispatchQueue(label: "arriving")
    let kept = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      try realm.write { realm.deleteAll() }
      return Held(realm)
    }
    let deletions = Deletions()
    queue.suspend()
    _ = lamp.observe(on: queue) { deletions.note($0) }
    queue.resume()
    queue.sync {}
    #expect(deletions.count == 0)
    withExtendedLifetime(kept) {}
  }

  @MainActor @Test(arguments: [false, true])
  func anObservationWaitsForTheEndOfAWriteThatHasDeletedTheObject(isCommitted: Bool) async throws {
    let configuration = memory()
    let realm = try await Realm.open(configuration: configuration)
    let lamp = try realm.write { realm.create(Lamp.self, value: ["id": 1]) }
    let queue = DispatchQueue(label: "arriving")
    let kept = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      realm.beginWrite()
      realm.deleteAll()
      return Held(realm)
    }
    let deletions = Deletions()
    let token = lamp.observe(on: queue) { deletions.note($0) }
    queue.sync {}
    #expect(deletions.count == 0)
    try queue.sync {
      let realm = kept.value
      if isCommitted { return try realm.commitWrite() }
      realm.cancelWrite()
      try realm.write { realm.deleteAll() }
    }
    #expect(await eventually { deletions.count == 1 })
    #expect(!token.invalidate())
    withExtendedLifetime(kept) {}
  }

  @MainActor @Test func anObjectThatIsGoneOnTheActorIsReportedAsDeleted() async throws {
    let configuration = memory()
    let realm = try await Realm.open(configuration: configuration)
    realm.autorefresh = false
    let lamp = try realm.write { realm.create(Lamp.self, value: ["id": 1]) }
    let room = Room()
    try await room.clear(configuration)
    let token = await lamp.observe(on: room) { room, change in
      if case .deleted = change { room.note() }
    }
    #expect(await room.calls == 1)
    #expect(!token.invalidate())
  }

  @MainActor @Test func aRealmThatWasInvalidatedStillHearsOfCommits() async throws {
    let configuration = memory()
    let realm = try await Realm.open(configuration: configuration)
    var told = 0
    let token = realm.observe { _, _ in told += 1 }
    realm.invalidate()
    try add(configuration)
    #expect(await eventually { told > 0 })
    #expect(told == 1)
    token.invalidate()
  }

  @Test func aProjectionOfAnUnmanagedPropertyIsRefusedAtFirstUse() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DimLamp(projecting: Lamp(1))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("'shade'") && text.contains("'DimLamp'") && text.contains("@Persisted"))
  }
}

private func add(_ configuration: Realm.Configuration) throws {
  let queue = DispatchQueue(label: "adding")
  try queue.sync {
    let realm = try Realm(configuration: configuration, queue: queue)
    try realm.write { realm.add(Lamp((realm.objects(Lamp.self).map(\.id).max() ?? 0) + 1)) }
  }
}
