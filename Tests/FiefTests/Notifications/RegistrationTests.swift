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

private actor Room {
  var calls = 0
  private var realm: Realm?

  var isOpen: Bool { realm != nil }

  func note() { calls += 1 }

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
