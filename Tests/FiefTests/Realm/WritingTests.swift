import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private class Dog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var friend: Dog?

  convenience init(id: Int, name: String) {
    self.init()
    self.id = id
    self.name = name
  }
}

private func openRealm() throws -> Realm { try Realm(configuration: .inMemory(objectTypes: [Dog.self])) }

private func dog(_ id: Int, _ name: String = "") -> Dog { Dog(id: id, name: name) }

private struct Refused: Error, Equatable {}

@Suite struct WritingTests {
  @Test func aWriteGivesWhatItsBlockReturns() throws {
    let realm = try openRealm()
    let added = try realm.write {
      let made = dog(1, "Rex")
      realm.add(made)
      return made
    }
    #expect(added.name == "Rex")
    #expect(!realm.isInWriteTransaction)
  }

  @Test func aThrowingBlockLeavesNothingAndItsErrorComesOut() throws {
    let realm = try openRealm()
    let rex = dog(1, "Rex")
    try realm.write { realm.add(rex) }
    let version = realm.version
    #expect(throws: Refused.self) {
      try realm.write {
        rex.name = "Max"
        realm.add(dog(2))
        throw Refused()
      }
    }
    #expect(rex.name == "Rex")
    #expect(realm.objects(Dog.self).count == 1)
    #expect(realm.version == version)
    try realm.write { rex.name = "Ben" }
    #expect(rex.name == "Ben")
  }

  @Test func aBlockMayCommitOrCancelByItself() throws {
    let realm = try openRealm()
    try realm.write {
      realm.add(dog(1))
      try realm.commitWrite()
    }
    try realm.write {
      realm.add(dog(2))
      realm.cancelWrite()
    }
    #expect(throws: Refused.self) {
      try realm.write {
        realm.add(dog(3))
        try realm.commitWrite()
        throw Refused()
      }
    }
    #expect(realm.objects(Dog.self).map(\.id).sorted() == [1, 3])
  }

  @Test func aFailedOperationFailsTheWriteWithTheFirstError() throws {
    let realm = try openRealm()
    try realm.write { realm.add(dog(1, "Rex")) }
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.add(dog(2))
        realm.add(dog(1, "other"))
        realm.object(ofType: Dog.self, forPrimaryKey: 2)?.id = 7
      }
    }
    #expect(error?.code == .duplicatePrimaryKey)
    #expect(realm.objects(Dog.self).count == 1)
    #expect(!realm.isInWriteTransaction)
    try realm.write { realm.add(dog(2)) }
    #expect(realm.objects(Dog.self).count == 2)
  }

  @Test func aFailedWriteThatIsCommittedByHandIsRolledBackAndThrows() throws {
    let realm = try openRealm()
    realm.beginWrite()
    realm.add(dog(1))
    realm.add(dog(1))
    #expect(throws: Realm.Error.self) { try realm.commitWrite() }
    #expect(!realm.isInWriteTransaction)
    #expect(realm.isEmpty)
  }

  @Test func committingOutsideOfAWriteThrows() throws {
    let realm = try openRealm()
    let error = #expect(throws: Realm.Error.self) { try realm.commitWrite() }
    #expect(error?.code == .fail)
  }

  @Test func theAccessorsOfRowsThatAreBackShowThemAgain() throws {
    let realm = try openRealm()
    let rex = dog(1, "Rex")
    try realm.write { realm.add(rex) }
    let other = try #require(realm.object(ofType: Dog.self, forPrimaryKey: 1))
    let made = dog(2)
    realm.beginWrite()
    realm.delete(rex)
    realm.add(made)
    #expect(rex.isInvalidated && other.isInvalidated && !made.isInvalidated)
    realm.cancelWrite()
    #expect(!rex.isInvalidated && !other.isInvalidated && made.isInvalidated)
    #expect(rex.name == "Rex" && rex.realm == realm)
    // The key of the rolled-back row is not reused.
    for number in 3..<20 { try realm.write { realm.add(dog(number)) } }
    #expect(made.isInvalidated)
    try realm.write { rex.name = "Max" }
    #expect(other.name == "Max")
  }

  @Test func releasingAQueuesRealmInsideAWriteRollsBackAndLetsOthersWrite() throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Dog.self])
    let queue = DispatchQueue(label: "leaving")
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      realm.beginWrite()
      realm.add(dog(1))
    }
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(dog(2)) }
    #expect(realm.objects(Dog.self).map(\.id) == [2])
  }

  @Test func anOpenWriteIsFoundByTheNextRealmOnItsThread() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Dog.self])
    func isOpen() -> Bool {
      Realm.openRealms.contains { $0.inMemoryIdentifier == configuration.inMemoryIdentifier }
    }
    for isCommitted in [true, false] {
      try Realm(configuration: configuration).beginWrite()
      #expect(try Realm(configuration: configuration).isInWriteTransaction)
      try Realm(configuration: configuration).add(dog(1))
      let realm = try Realm(configuration: configuration)
      if isCommitted { try realm.commitWrite() } else { realm.cancelWrite() }
      #expect(realm.objects(Dog.self).count == (isCommitted ? 1 : 0))
      #expect(isOpen())
    }
    #expect(!isOpen())
    try Realm(configuration: configuration).beginWrite()
    try Realm(configuration: configuration).invalidate()
    #expect(!isOpen())
  }

  @Test func aWriteThatNobodyHoldsEndsWithItsThread() throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Dog.self])
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? Realm(configuration: configuration).beginWrite()
      try? Realm(configuration: configuration).add(dog(1))
      ended.signal()
    }
    ended.wait()
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(dog(2)) }
    #expect(realm.objects(Dog.self).map(\.id) == [2])
  }

  @Test func aThreadThatEndsInsideAWriteLetsOthersWrite() throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Dog.self])
    let realm = try Realm(configuration: configuration)
    let kept = Mutex<UncheckedRealm?>(nil)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let own = try? Realm(configuration: configuration)
      own?.beginWrite()
      if let own { kept.withLock { $0 = UncheckedRealm(own) } }
      ended.signal()
    }
    ended.wait()
    try realm.write { realm.add(dog(1)) }
    #expect(realm.objects(Dog.self).count == 1)
    kept.withLock { $0 = nil }
  }

  @Test func writesOfManyThreadsAllHappenOneAfterAnother() throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Dog.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(dog(0)) }
    let inside = Atomic<Int>(0)
    let overlaps = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<50 {
        guard let own = try? Realm(configuration: configuration) else { return }
        try? own.write {
          if inside.add(1, ordering: .relaxed).newValue != 1 { overlaps.add(1, ordering: .relaxed) }
          own.object(ofType: Dog.self, forPrimaryKey: 0)?.age += 1
          inside.subtract(1, ordering: .relaxed)
        }
      }
    }
    realm.refresh()
    #expect(realm.object(ofType: Dog.self, forPrimaryKey: 0)?.age == 400)
    #expect(overlaps.load(ordering: .relaxed) == 0)
  }
}

@Suite struct SavepointTests {
  @Test func changesOfASavepointAreUndoneWhenItThrows() throws {
    let realm = try openRealm()
    let rex = dog(1, "Rex")
    try realm.write {
      realm.add(rex)
      #expect(throws: Refused.self) {
        try realm.savepoint {
          rex.name = "Max"
          realm.add(dog(2))
          throw Refused()
        }
      }
      #expect(rex.name == "Rex")
      rex.age = 3
    }
    #expect(rex.age == 3 && realm.objects(Dog.self).count == 1)
  }

  @Test func aFailedOperationIsForgottenWithItsSavepointWhenThatThrows() throws {
    let realm = try openRealm()
    try realm.write {
      realm.add(dog(1))
      #expect(throws: Refused.self) {
        try realm.savepoint {
          realm.add(dog(2))
          realm.add(dog(1))
          throw Refused()
        }
      }
      realm.add(dog(3))
    }
    #expect(realm.objects(Dog.self).map(\.id).sorted() == [1, 3])
  }

  @Test func aFailedOperationInASavepointThatReturnsFailsTheWrite() throws {
    let realm = try openRealm()
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.add(dog(1))
        realm.savepoint { realm.add(dog(1)) }
      }
    }
    #expect(error?.code == .duplicatePrimaryKey)
    #expect(realm.isEmpty)
  }

  @Test func anEarlierFailureOutlivesASavepointThatSucceeds() throws {
    let realm = try openRealm()
    #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.add(dog(1))
        realm.add(dog(1))
        realm.savepoint { realm.add(dog(2)) }
      }
    }
    #expect(realm.isEmpty)
  }

  @Test func savepointsNest() throws {
    let realm = try openRealm()
    try realm.write {
      realm.savepoint {
        realm.add(dog(1))
        try? realm.savepoint {
          realm.add(dog(2))
          realm.savepoint { realm.add(dog(3)) }
          throw Refused()
        }
        realm.add(dog(4))
      }
    }
    #expect(realm.objects(Dog.self).map(\.id).sorted() == [1, 4])
  }

  @Test func cancellingTheWriteInsideASavepointEndsBoth() throws {
    let realm = try openRealm()
    try realm.write {
      realm.add(dog(1))
      realm.savepoint {
        realm.add(dog(2))
        realm.cancelWrite()
      }
      #expect(!realm.isInWriteTransaction)
    }
    #expect(realm.isEmpty)
  }

  @Test func rowsOfAnUndoneSavepointStayInvalid() throws {
    let realm = try openRealm()
    let lost = dog(1)
    try realm.write {
      try? realm.savepoint {
        realm.add(lost)
        throw Refused()
      }
      realm.add(dog(2))
      #expect(lost.isInvalidated)
    }
    #expect(lost.isInvalidated)
  }
}

@Suite struct WritingMisuseTests {
  @Test func writingInsideAWriteTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try openRealm()
      realm.beginWrite()
      realm.beginWrite()
    }
    expectSentence("The realm is already in a write transaction, and writes do not nest", of: result)
  }

  @Test func cancellingOutsideOfAWriteTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try openRealm().cancelWrite()
    }
    expectSentence("Cannot cancel a write transaction: none is under way", of: result)
  }

  @Test func changingOutsideOfAWriteTrapsAndSaysSo() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try openRealm()
      let rex = dog(1)
      try realm.write { realm.add(rex) }
      rex.name = "Max"
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Dog.name") && text.contains("write transaction"))
  }

  @Test func aSavepointOutsideOfAWriteTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try openRealm().savepoint {}
    }
    expectSentence("A savepoint was taken outside of a write transaction", of: result)
  }
}

/// Keeps a realm for another executor.
private struct UncheckedRealm: @unchecked Sendable {
  let realm: Realm

  init(_ realm: Realm) { self.realm = realm }
}
