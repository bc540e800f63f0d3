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
    await #expect(processExitsWith: .failure) {
      let (_, owner) = try Self.managed()
      _ = owner.numbers[3]
    }
    await #expect(processExitsWith: .failure) {
      let list = List<Int>()
      _ = list[0]
    }
    await #expect(processExitsWith: .failure) {
      let (_, owner) = try Self.managed()
      _ = owner.numbers[-1]
    }
  }

  @Test func changingBeyondTheEndTraps() async {
    await #expect(processExitsWith: .failure) {
      let (realm, owner) = try Self.managed()
      try realm.write { owner.numbers.insert(1, at: 4) }
    }
    await #expect(processExitsWith: .failure) {
      let (realm, owner) = try Self.managed()
      try realm.write { owner.numbers.removeFirst(4) }
    }
    await #expect(processExitsWith: .failure) {
      let (realm, owner) = try Self.managed()
      try realm.write { owner.numbers.move(from: 0, to: 3) }
    }
    await #expect(processExitsWith: .failure) {
      List<Int>().removeLast()
    }
  }

  @Test func changingOutsideAWriteTraps() async {
    await #expect(processExitsWith: .failure) {
      let (_, owner) = try Self.managed()
      owner.numbers.append(1)
    }
  }

  @Test func changingAFrozenListTraps() async {
    await #expect(processExitsWith: .failure) {
      let (realm, owner) = try Self.managed()
      let frozen = owner.numbers.freeze()
      try realm.write { frozen.append(1) }
    }
  }

  @Test func usingTheListOfADeletedObjectTraps() async {
    await #expect(processExitsWith: .failure) {
      let (realm, owner) = try Self.managed()
      let list = owner.numbers
      try realm.write { realm.delete(owner) }
      _ = list.count
    }
  }

  @Test func freezingAnUnmanagedListTraps() async {
    await #expect(processExitsWith: .failure) { _ = List<Int>().freeze() }
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
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("made in the present write transaction"), "\(text)")
  }

  @Test func usingAListOnAnotherThreadTraps() async {
    await #expect(processExitsWith: .failure) {
      let (_, owner) = try Self.managed()
      nonisolated(unsafe) let list = owner.numbers
      let done = DispatchSemaphore(value: 0)
      Thread {
        _ = list.count
        done.signal()
      }.start()
      done.wait()
    }
  }
}
