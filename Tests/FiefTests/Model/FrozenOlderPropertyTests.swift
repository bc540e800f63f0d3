import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private class Bike: Object {
  let gears = RealmProperty<Int?>()
  let anything = RealmProperty<AnyRealmValue>()
}

@available(*, deprecated)
private class Scooter: Object {
  let speed = RealmOptional<Int>()
}

private func realm() throws -> (realm: Realm, bike: Bike) {
  let realm = try Realm(configuration: .inMemory(objectTypes: [Bike.self]))
  let bike = Bike()
  bike.gears.value = 3
  bike.anything.value = .string("bell")
  try realm.write { realm.add(bike) }
  return (realm, bike)
}

@Suite struct FrozenOlderPropertyTests {
  @Test func aFrozenPropertyOutlivesItsObjectOnAllThreads() throws {
    let (realm, bike) = try realm()
    let (gears, anything) = (Held(bike.freeze().gears), Held(bike.freeze().anything))
    try realm.write {
      bike.gears.value = 5
      realm.delete(bike)
    }
    let wrong = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<200 where gears.value.value != 3 || anything.value.value != .string("bell") {
        wrong.add(1, ordering: .relaxed)
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
    #expect(gears.value.description == "3" && "\(anything.value)".contains("bell"))
  }

  @available(*, deprecated)
  @Test func aFrozenOptionalOutlivesItsObjectOnAllThreads() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Scooter.self]))
    let scooter = Scooter()
    scooter.speed.value = 20
    try realm.write { realm.add(scooter) }
    let speed = Held(scooter.freeze().speed)
    try realm.write { scooter.speed.value = nil }
    let wrong = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<200 where speed.value.value != 20 { wrong.add(1, ordering: .relaxed) }
    }
    #expect(wrong.load(ordering: .relaxed) == 0 && scooter.speed.value == nil)
  }

  @MainActor @Test func aFrozenValueStaysWhileTheLivePropertyChanges() throws {
    let (realm, bike) = try realm()
    var frozen: [RealmProperty<Int?>] = []
    var told: [String] = []
    let token = bike.observe(keyPaths: [\Bike.gears]) { (change: ObjectChange<Bike>) in
      guard case .change(let bike, let changes) = change else { return }
      told += changes.map { "\($0.name): \($0.oldValue ?? "nil") \($0.newValue ?? "nil")" }
      frozen.append(bike.freeze().gears)
    }
    for gears in [4, nil, 6] {
      try realm.write { bike.gears.value = gears }
      realm.refresh()
    }
    try realm.write { bike.anything.value = .int(1) }
    realm.refresh()
    #expect(told == ["gears: 3 4", "gears: 4 nil", "gears: nil 6"])
    #expect(frozen.map(\.value) == [4, nil, 6])
    token.invalidate()
  }

  @Test(arguments: ["observing", "writing"]) func aFrozenPropertyIsNeitherObservedNorWritten(use: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [use = use as String] in
      try await MainActor.run {
        let (realm, bike) = try realm()
        let frozen = bike.freeze()
        if use == "observing" {
          _ = frozen.observe(keyPaths: [\Bike.gears]) { (_: ObjectChange<Bike>) in }
        } else {
          try realm.write { frozen.gears.value = 9 }
        }
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("frozen"), "\(text)")
  }
}
