import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private class Bell: Object {
  @Persisted(primaryKey: true) var id: Int

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

/// A thread with a running run loop.
private final class LoopThread: Sendable {
  private let state = Mutex<Held<RunLoop>?>(nil)
  private let isOver = Atomic<Bool>(false)

  init() {
    let begun = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      let held = Held(RunLoop.current)
      state.withLock { $0 = held }
      held.value.add(Timer(timeInterval: 1000, repeats: true) { _ in }, forMode: .default)
      begun.signal()
      while !isOver.load(ordering: .relaxed) { _ = held.value.run(mode: .default, before: .distantFuture) }
    }
    begun.wait()
  }

  /// Runs a block in a callout of the run loop, and waits for it.
  func run(_ body: @escaping () -> Void) {
    let work = Held(body)
    let done = DispatchSemaphore(value: 0)
    state.withLock { $0 }?.value.add(
      Timer(fire: Date(), interval: 0, repeats: false) { _ in
        work.value()
        done.signal()
      }, forMode: .default)
    done.wait()
  }

  func end() { run { [self] in isOver.store(true, ordering: .relaxed) } }
}

private func write(_ id: Int, _ configuration: Realm.Configuration) throws {
  let queue = DispatchQueue(label: "writer")
  try queue.sync {
    let realm = try Realm(configuration: configuration, queue: queue)
    try realm.write { realm.add(Bell(id)) }
  }
}

@Suite struct RunLoopTests {
  @Test func aThreadWithARunLoopIsNotifiedThere() throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Bell.self])
    let thread = LoopThread()
    let told = DispatchSemaphore(value: 0)
    let counts = Mutex<[Int]>([])
    nonisolated(unsafe) var kept: (Realm, [NotificationToken])?
    thread.run {
      guard let realm = try? Realm(configuration: configuration) else { return }
      let own = Thread.current
      let token = realm.objects(Bell.self).observe { change in
        if case .update(let bells, _, _, _) = change, Thread.current === own {
          counts.withLock { $0.append(bells.count) }
          told.signal()
        } else if case .initial = change {
          told.signal()
        }
      }
      kept = (realm, [token, realm.observe { _, _ in }])
    }
    #expect(told.wait(timeout: .now() + testPatience) == .success)
    try write(1, configuration)
    #expect(told.wait(timeout: .now() + testPatience) == .success)
    try write(2, configuration)
    #expect(told.wait(timeout: .now() + testPatience) == .success)
    #expect(counts.withLock { $0 } == [1, 2])
    #expect(kept?.1.count == 2)
    thread.run { kept = nil }
    thread.end()
  }

  @Test func aThreadThatBeginsToObserveIsToldOfTheCommitsBefore() throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Bell.self])
    let thread = LoopThread()
    let told = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var kept: (realm: Realm, token: NotificationToken?)?
    thread.run {
      guard let realm = try? Realm(configuration: configuration), realm.isEmpty else { return }
      kept = (realm, nil)
    }
    try write(1, configuration)
    thread.run {
      let token = kept?.realm.observe { _, realm in
        if !realm.isEmpty { told.signal() }
      }
      kept?.token = token
    }
    #expect(told.wait(timeout: .now() + testPatience) == .success)
    thread.run { kept = nil }
    thread.end()
  }

  @Test func aThreadWhoseRunLoopRunsWritesLater() throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Bell.self])
    let keeper = try Realm(configuration: configuration)
    let thread = LoopThread()
    let ended = DispatchSemaphore(value: 0)
    thread.run {
      guard let realm = try? Realm(configuration: configuration) else { return }
      realm.writeAsync {
        realm.add(Bell(1))
      } onComplete: { _ in
        ended.signal()
      }
    }
    #expect(ended.wait(timeout: .now() + testPatience) == .success)
    keeper.refresh()
    #expect(keeper.objects(Bell.self).count == 1)
    thread.end()
  }

  @Test func observingOnAThreadThatCanNeverDeliverTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try observeHere { realm in realm.objects(Bell.self).observe { _ in } }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("no running run loop") && text.contains("on: queue"))
    let ofRealm = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try observeHere { $0.observe { _, _ in } }
    }
    expectSentence("A realm cannot be observed here", of: ofRealm)
    let ofObject = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try observeHere { realm in
        realm.object(ofType: Bell.self, forPrimaryKey: 0)!.observe { (_: ObjectChange<Bell>) in }
      }
    }
    expectSentence("An object or collection cannot be observed here", of: ofObject)
  }

  @Test func aThreadWithoutARunLoopMayObserveOnAQueue() throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Bell.self])
    let realm = try Realm(configuration: configuration)
    let told = DispatchSemaphore(value: 0)
    let token = realm.objects(Bell.self).observe(on: DispatchQueue(label: "told")) { _ in told.signal() }
    #expect(told.wait(timeout: .now() + testPatience) == .success)
    try realm.write { realm.add(Bell(1)) }
    #expect(told.wait(timeout: .now() + testPatience) == .success)
    token.invalidate()
  }
}

private func observeHere(_ observe: (Realm) -> NotificationToken) throws {
  let realm = try Realm(configuration: .inMemory(objectTypes: [Bell.self]))
  try realm.write { realm.add(Bell(0)) }
  _ = observe(realm)
}
