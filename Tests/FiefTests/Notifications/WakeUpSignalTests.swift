import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private class Lamp: Object {
  @Persisted(primaryKey: true) var id: Int

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

/// The notifications of all observers, in order.
private final class Told: Sendable {
  private let all = Mutex<[String]>([])

  func note(_ change: RealmCollectionChange<Results<Lamp>>) {
    let words =
      switch change {
      case .initial(let lamps): "initial \(Array(lamps.map(\.id)))"
      case .update(_, let gone, let come, let changed): "update \(gone) \(come) \(changed)"
      case .error(let error): "\(error)"
      }
    all.withLock { $0.append(words) }
  }

  var words: [String] { all.withLock { $0 } }
}

/// Commits a lamp from a thread of its own, and waits for it.
private func add(_ id: Int, _ configuration: Realm.Configuration) {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Lamp(id)) }
    } catch {
      Issue.record("\(error)")
    }
    done.signal()
  }
  done.wait()
}

/// A queue's realm, which sees an empty store.
private func begin(_ queue: DispatchQueue) throws -> (realm: Held<Realm>, lamps: Held<Results<Lamp>>) {
  try queue.sync {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Lamp.self]), queue: queue)
    let lamps = realm.objects(Lamp.self)
    #expect(lamps.count == 0)
    return (Held(realm), Held(lamps))
  }
}

/// Signals are answered by blocks on the realm's queue. So a test that occupies the queue controls what happens before
/// the answer. When a later block of the queue runs, all earlier rings have been answered.
@Suite struct WakeUpSignalTests {
  private let queue = DispatchQueue(label: "lamps")

  @Test func observersAddedBeforeTheSignalReceiveEachCommitOnce() throws {
    let (realm, lamps) = try begin(queue)
    let told = Told()
    let token = queue.sync {
      let configuration = realm.value.configuration
      add(1, configuration)
      // The signal was raised, but this block occupies the queue.
      #expect(lamps.value.count == 0)
      let token = Held(lamps.value.observe { told.note($0) })
      #expect(told.words == [])
      return token
    }
    queue.sync {}
    #expect(told.words == ["initial [1]"])
    queue.sync { add(2, realm.value.configuration) }
    queue.sync {}
    #expect(told.words == ["initial [1]", "update [] [1] []"])
    queue.sync { _ = token.value.invalidate() }
  }

  @Test func aCommitDuringANotificationIsNotifiedAfterIt() throws {
    let (realm, lamps) = try begin(queue)
    let told = Told()
    let tokens = queue.sync {
      let configuration = realm.value.configuration
      let first = lamps.value.observe { change in
        told.note(change)
        // While this block runs, the realm stays at its version, and its signal is not answered.
        if told.words.count < 6 { add(told.words.count, configuration) }
      }
      let second = lamps.value.observe { told.note($0) }
      return Held([first, second])
    }
    // Each delivery ends by checking for new versions, which schedules another block.
    for _ in 0..<8 { queue.sync {} }
    #expect(
      told.words == [
        "initial []", "initial []", "update [] [0] []", "update [] [0] []", "update [] [1] []", "update [] [1] []",
        "update [] [2] []", "update [] [2] []",
      ])
    #expect(queue.sync { lamps.value.count } == 3)
    queue.sync { for token in tokens.value { token.invalidate() } }
    withExtendedLifetime(realm) {}
  }

  @Test func anObservationOnItsWayToAQueueHearsOfCommitsMeanwhile() throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Lamp.self])
    let own = try Realm(configuration: configuration)
    let told = Told()
    let (mayGoOn, isBusy) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    queue.async {
      isBusy.signal()
      mayGoOn.wait()
    }
    isBusy.wait()
    // The registration is in a block behind the waiting one.
    let token = own.objects(Lamp.self).observe(on: queue) { told.note($0) }
    try own.write { own.add(Lamp(1)) }
    try own.write { own.add(Lamp(2)) }
    mayGoOn.signal()
    queue.sync {}
    queue.sync {}
    #expect(told.words == ["initial [1, 2]"])
    try own.write { own.add(Lamp(3)) }
    queue.sync {}
    #expect(told.words == ["initial [1, 2]", "update [] [2] []"])
    token.invalidate()
  }

  @Test func aSignalThatIsRaisedDuringAWriteIsAnsweredWhenThatIsRolledBack() throws {
    let (realm, lamps) = try begin(queue)
    let told = Told()
    let token = queue.sync {
      realm.value.beginWrite()
      return Held(lamps.value.observe { told.note($0) })
    }
    queue.sync {
      // The signal would have been answered before this block, but a write was open.
      #expect(told.words == [])
      realm.value.add(Lamp(1))
      realm.value.cancelWrite()
    }
    queue.sync {}
    #expect(told.words == ["initial []"])
    queue.sync { _ = token.value.invalidate() }
  }
}
