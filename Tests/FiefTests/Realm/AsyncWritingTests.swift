import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private class Job: Object {
  @Persisted(primaryKey: true) var id: Int

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

@Suite struct AsyncWritingTests {
  private let queue = DispatchQueue(label: "jobs")

  private func open() throws -> Held<Realm> {
    try queue.sync { Held(try Realm(configuration: .inMemory(objectTypes: [Job.self]), queue: queue)) }
  }

  /// Waits until the realm has nothing left to do.
  private func settle(_ held: Held<Realm>) {
    while queue.sync(execute: { held.value.isPerformingAsynchronousWriteOperations }) {}
  }

  private func ids(_ held: Held<Realm>) -> [Int] { queue.sync { held.value.objects(Job.self).map { $0.id } } }

  @Test func queuedBlocksRunInOrderAndCallTheirCompletions() throws {
    let held = try open()
    let told = Mutex<[String]>([])
    try queue.sync {
      let realm = held.value
      try realm.write {
        for number in 0..<3 {
          realm.writeAsync {
            realm.add(Job(number))
          } onComplete: { error in
            told.withLock { $0.append("\(number) \(error == nil)") }
          }
        }
        #expect(realm.isPerformingAsynchronousWriteOperations)
        realm.add(Job(9))
      }
    }
    settle(held)
    #expect(ids(held) == [9, 0, 1, 2])
    #expect(told.withLock { $0 } == ["0 true", "1 true", "2 true"])
  }

  @Test func aFailedBlockIsRolledBackAndReceivesTheError() throws {
    let held = try open()
    let told = Mutex<[Realm.Error.Code?]>([])
    queue.sync {
      let realm = held.value
      realm.writeAsync {
        realm.add(Job(1))
        realm.add(Job(1))
      } onComplete: { error in
        told.withLock { $0.append((error as? Realm.Error)?.code) }
      }
    }
    settle(held)
    #expect(ids(held) == [])
    #expect(told.withLock { $0 } == [.duplicatePrimaryKey])
  }

  @Test func aWriteThatIsTakenBackNeverRuns() throws {
    let held = try open()
    try queue.sync {
      let realm = held.value
      let number = realm.writeAsync { realm.add(Job(1)) }
      realm.writeAsync { realm.add(Job(2)) }
      try realm.cancelAsyncWrite(number)
      try realm.cancelAsyncWrite(4711)
    }
    settle(held)
    #expect(ids(held) == [2])
  }

  @Test func aWriteLeftOpenIsRolledBackAndAnEndedOneStays() throws {
    let held = try open()
    queue.sync {
      let realm = held.value
      realm.beginAsyncWrite { realm.add(Job(1)) }
      realm.beginAsyncWrite {
        realm.add(Job(2))
        realm.commitAsyncWrite()
      }
      realm.writeAsync {
        realm.add(Job(3))
        try? realm.commitWrite()
      }
      realm.writeAsync {
        realm.add(Job(4))
        realm.cancelWrite()
      }
    }
    settle(held)
    #expect(ids(held) == [2, 3])
  }

  @Test func aWriteAtOncePassesTheQueuedOnesOfItsOwnRealm() throws {
    let held = try open()
    try queue.sync {
      let realm = held.value
      realm.writeAsync { realm.add(Job(1)) }
      try realm.write { realm.add(Job(2)) }
    }
    settle(held)
    #expect(ids(held) == [2, 1])
  }

  @Test func itIsPerformedWhileABlockRuns() async throws {
    let held = try open()
    let told = Mutex<[Bool]>([])
    queue.sync {
      let realm = held.value
      realm.beginAsyncWrite {
        told.withLock { $0.append(realm.isPerformingAsynchronousWriteOperations) }
        try? realm.commitWrite()
      }
    }
    settle(held)
    #expect(told.withLock { $0 } == [true])
    try await performOnMain()
  }

  @MainActor private func performOnMain() async throws {
    let realm = try await Realm.open(configuration: .inMemory(objectTypes: [Job.self]))
    #expect(!realm.isPerformingAsynchronousWriteOperations)
    let inside = try await realm.asyncWrite {
      realm.add(Job(1))
      return realm.isPerformingAsynchronousWriteOperations
    }
    #expect(inside && !realm.isPerformingAsynchronousWriteOperations)
  }

  @Test func aQueuedWriteThatCannotBeginReceivesTheErrorOrTraps() async throws {
    let told = Mutex<[Bool]>([])
    let held = try crowded()
    _ = queue.sync {
      held.value.0.writeAsync {
        told.withLock { $0.append(false) }
      } onComplete: { error in
        told.withLock { $0.append((error as? Realm.Error)?.code == .fail) }
      }
    }
    settle(Held(held.value.0))
    #expect(told.withLock { $0 } == [true])
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let tests = AsyncWritingTests()
      let held = try tests.crowded()
      tests.queue.sync { _ = held.value.0.beginAsyncWrite {} }
      try await Task.sleep(for: .seconds(testPatience))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("active versions"))
  }

  /// A realm with more held versions than it allows.
  private func crowded() throws -> Held<(Realm, [Realm])> {
    try queue.sync {
      var configuration = Realm.Configuration.inMemory(objectTypes: [Job.self])
      configuration.maximumNumberOfActiveVersions = 1
      let realm = try Realm(configuration: configuration, queue: queue)
      try realm.write { realm.add(Job(1)) }
      let frozen = realm.freeze()
      try realm.write { realm.add(Job(2)) }
      return Held((realm, [frozen]))
    }
  }

  @Test func queuedWritesNeedAPlaceToRun() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        let realm = try? Realm(configuration: .inMemory(objectTypes: [Job.self]))
        realm?.writeAsync {}
        done.signal()
      }
      _ = done.wait(timeout: .now() + testPatience)
    }
    expectSentence("writeAsync needs a realm of the main thread, of a queue, of an actor", of: result)
  }
}
