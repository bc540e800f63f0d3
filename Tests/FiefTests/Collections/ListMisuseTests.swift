import FiefTestSupport
import RealmSwift
import Testing

private class Owner: Object {
  @Persisted var numbers: List<Int>
}

/// Programming errors with lists end the process.
@Suite struct ListMisuseTests {
  private static func managed() throws -> (Realm, Owner) {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Owner.self]))
    let owner = Owner()
    owner.numbers.append(objectsIn: [1, 2, 3])
    try realm.write { realm.add(owner) }
    return (realm, owner)
  }

  @Test func readingBeyondTheEndTraps() async {
    let managed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (_, owner) = try Self.managed()
      _ = owner.numbers[3]
    }
    expectSentence("Index 3 is out of bounds of a collection of 3 elements", of: managed)
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = List<Int>()
      _ = list[0]
    }
    expectSentence("Index 0 is out of bounds of a collection of 0 elements", of: unmanaged)
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (_, owner) = try Self.managed()
      _ = owner.numbers[-1]
    }
    expectSentence("Index -1 is out of bounds of a collection of 3 elements", of: negative)
  }

  @Test func changingBeyondTheEndTraps() async {
    let inserting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try Self.managed()
      try realm.write { owner.numbers.insert(1, at: 4) }
    }
    expectSentence("Index 4 is out of bounds of a collection of 3 elements", of: inserting)
    let removing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try Self.managed()
      try realm.write { owner.numbers.removeFirst(4) }
    }
    expectSentence("Cannot remove 4 from a collection of 3", of: removing)
    let moving = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try Self.managed()
      try realm.write { owner.numbers.move(from: 0, to: 3) }
    }
    expectSentence("Index 3 is out of bounds of a collection of 3 elements", of: moving)
    let removingLast = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      List<Int>().removeLast()
    }
    expectSentence("Cannot remove 1 from a collection of 0", of: removingLast)
  }

  @Test func changingOutsideAWriteTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (_, owner) = try Self.managed()
      owner.numbers.append(1)
    }
    expectSentence("The collection 'Owner.numbers' was changed outside of a write transaction", of: result)
  }

  @Test func changingAFrozenListTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try Self.managed()
      let frozen = owner.numbers.freeze()
      try realm.write { frozen.append(1) }
    }
    expectSentence("was changed while frozen", of: result)
  }

  @Test func usingTheListOfADeletedObjectTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try Self.managed()
      let list = owner.numbers
      try realm.write { realm.delete(owner) }
      _ = list.count
    }
    expectSentence("The collection 'Owner.numbers' has been deleted or invalidated with its object", of: result)
  }

  @Test func freezingAnUnmanagedListTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>().freeze()
    }
    expectSentence("freeze() is only available for managed objects and collections", of: result)
  }

  @Test(arguments: [0, 1, 2])
  func freezingTheListOfAnObjectThatThePresentWriteHasMadeTraps(form: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [form] in
      let realm = try Realm(configuration: .inMemory(objectTypes: [Owner.self]))
      realm.beginWrite()
      let owner = realm.create(Owner.self, value: [[1, 2]])
      switch form {
      case 0: _ = owner.numbers.freeze()
      case 1: _ = owner.numbers.filter("SELF > 1").freeze()
      default: _ = AnyRealmCollection(owner.numbers).freeze()
      }
    }
    expectSentence("made in the present write transaction", of: result)
  }

  @Test func usingAListOnAnotherThreadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (_, owner) = try Self.managed()
      nonisolated(unsafe) let list = owner.numbers
      let done = DispatchSemaphore(value: 0)
      Thread {
        _ = list.count
        done.signal()
      }.start()
      done.wait()
    }
    expectSentence("Realm accessed from incorrect thread", of: result)
  }
}
